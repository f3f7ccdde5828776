import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { MAX_REQUESTS } from "../../src/features/contacts/receive-sharing.ts";
import { newGuid } from "../../src/lib/guids.ts";
import { DiasporaPod } from "../support/remote/diaspora-pod.ts";
import { actorOf, read } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { befriend, seen } from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

type RequestRecord = PersonRecord & { readonly RequestedAt: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let pod: DiasporaPod;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    pod = await DiasporaPod.start();
  });
  after(async () => {
    await remote.close();
    await pod.close();
  });

  const stranger = (): RemoteActor => remote.actor(`asks${++names}`);
  const locked = async () => {
    const ann = await kith().person();
    await ann.put("/profile", { Locked: true });
    await kith().settle();
    return ann;
  };
  const follow = async (by: RemoteActor, { username }: TestPerson) => {
    const object = actorOf(kith(), username);
    const activity = by.activity("Follow", { object });
    await by.deliver(kith(), activity);
    return activity;
  };
  const requestsTo = (who: TestPerson) =>
    who.get<RequestRecord[]>("/follow_requests", { limit: 100 });
  const askersOf = async (who: TestPerson) =>
    (await requestsTo(who)).map(({ Author }) => Author);
  const noticesOf = async (who: TestPerson, type = "Request") => {
    const all = await who.get<NotificationRecord[]>("/notifications");
    return all.filter(({ ShareableType }) => ShareableType === type);
  };
  const answersTo = (follow: JsonObject) =>
    remote.delivered
      .map(({ activity }) => activity)
      .filter(
        ({ object }) =>
          (object as JsonObject | undefined)?.["id"] === follow["id"],
      );
  const idOf = (activity: JsonObject | undefined) => {
    const id = activity?.["id"];
    assert.ok(typeof id === "string");
    return id;
  };
  const typesOf = (activities: readonly JsonObject[]) =>
    activities.map(({ type }) => type);
  const followersOf = async ({ username }: TestPerson) =>
    (await read(`${actorOf(kith(), username)}/followers`))["totalItems"];
  const cameTo = ({ id }: RemoteActor, guid: string) =>
    remote.delivered.some(
      ({ activity, path }) =>
        path.startsWith(new URL(id).pathname) &&
        JSON.stringify(activity).includes(guid),
    );
  const toFollowers = async (by: TestPerson) => {
    const { Guid } = await by.post<PostRecord>("/posts", {
      post: "for those who follow me",
      audience: "followers",
    });
    await kith().settle();
    return Guid;
  };

  test("the setting is shown, published, and sent to those who know the person", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    await follow(eve, ann);
    const actor = actorOf(kith(), ann.username);
    const before = await read(actor);
    assert.equal(before["manuallyApprovesFollowers"], false);
    for (const isLocked of [true, false]) {
      const since = remote.ofType("Update").length;
      await ann.put("/profile", { Locked: isLocked });
      await kith().settle();
      const { Profile } = await ann.get<PersonRecord>(
        `/people/${ann.record.ID}`,
      );
      assert.equal(Profile.Locked ?? false, isLocked);
      assert.equal((await read(actor))["manuallyApprovesFollowers"], isLocked);
      const [update, ...more] = remote.ofType("Update").slice(since);
      assert.deepEqual(more, []);
      const sent = update?.activity["object"] as JsonObject;
      assert.equal(sent["manuallyApprovesFollowers"], isLocked);
    }
  });

  test("a Follow waits for its answer, and brings nothing limited before", async () => {
    const [ann, eve] = [await locked(), stranger()];
    const since = kith().clock.now().toISOString();
    const asked = await follow(eve, ann);
    assert.deepEqual(typesOf(answersTo(asked)), []);
    const [request, ...more] = await requestsTo(ann);
    assert.deepEqual(more, []);
    assert.equal(request?.Author, eve.handle);
    assert.ok(request.RequestedAt >= since);
    const [notice] = await noticesOf(ann);
    assert.equal(notice?.Person.Author, eve.handle);
    assert.equal(notice.ShareableGuid, request.Guid);
    assert.deepEqual(await noticesOf(ann, "Contact"), []);
    assert.equal(await followersOf(ann), 0);
    assert.ok(!cameTo(eve, await toFollowers(ann)));

    const accepted = await ann.post<PersonRecord>(
      `/follow_requests/${request.ID}/accept`,
    );
    assert.equal(accepted.ID, request.ID);
    await kith().settle();
    const [accept, ...others] = answersTo(asked);
    assert.deepEqual(others, []);
    assert.equal(accept?.["type"], "Accept");
    assert.equal(accept["actor"], actorOf(kith(), ann.username));
    const { id, type, actor, object } = asked;
    assert.deepEqual(accept["object"], { id, type, actor, object });
    assert.equal((await eve.get(kith(), idOf(accept))).status, 200);
    assert.equal(await followersOf(ann), 1);
    assert.deepEqual(await requestsTo(ann), []);
    assert.deepEqual(await noticesOf(ann), [], "answered");
    const post = await toFollowers(ann);
    assert.ok(cameTo(eve, post));
    const at = (what: (activity: JsonObject) => boolean) =>
      remote.delivered.findIndex(({ activity }) => what(activity));
    const acceptAt = at(({ id }) => id === accept["id"]);
    const postAt = at((activity) => JSON.stringify(activity).includes(post));
    assert.ok(acceptAt < postAt);
  });

  test("a repeated Follow changes nothing, but the newest id is answered and undone", async () => {
    const [ann, eve] = [await locked(), stranger()];
    await follow(eve, ann);
    const [before] = await requestsTo(ann);
    kith().clock.advance(1_000);
    const again = await follow(eve, ann);
    assert.deepEqual(await requestsTo(ann), [before]);
    assert.equal((await noticesOf(ann)).length, 1);
    await ann.post(`/follow_requests/${before?.Guid}/accept`);
    await kith().settle();
    assert.deepEqual(typesOf(answersTo(again)), ["Accept"]);
    const third = await follow(eve, ann);
    assert.deepEqual(typesOf(answersTo(third)), ["Accept"], "accepted at once");
    assert.deepEqual(await requestsTo(ann), []);
  });

  test("an Undo removes the request, also by the id of the Follow alone", async () => {
    const [ann, bob, eve, mal] = [
      await locked(),
      await locked(),
      stranger(),
      stranger(),
    ];
    for (const undone of ["whole", "id"]) {
      const asked = await follow(eve, ann);
      await follow(eve, bob);
      const id = idOf(asked);
      const object = undone === "whole" ? asked : id;
      await mal.deliver(kith(), mal.activity("Undo", { object: id }));
      assert.deepEqual(await askersOf(ann), [eve.handle], "not of others");
      await eve.deliver(kith(), eve.activity("Undo", { object }));
      assert.deepEqual(await askersOf(ann), [], undone);
      assert.deepEqual(await noticesOf(ann), [], undone);
      assert.deepEqual(await askersOf(bob), [eve.handle]);
      assert.deepEqual(typesOf(answersTo(asked)), []);
      const { ID } = await seen(ann, eve.handle);
      await ann.notFound("POST", `/follow_requests/${ID}/accept`);
    }
  });

  test("a refused person is sent a Reject, and may ask again", async () => {
    const [ann, eve] = [await locked(), stranger()];
    const asked = await follow(eve, ann);
    const { ID } = await seen(ann, eve.handle);
    await ann.delete(`/follow_requests/${ID}`);
    await kith().settle();
    assert.deepEqual(typesOf(answersTo(asked)), ["Reject"]);
    assert.deepEqual(await requestsTo(ann), []);
    assert.equal(await followersOf(ann), 0);
    await ann.notFound("DELETE", `/follow_requests/${ID}`);
    await follow(eve, ann);
    assert.deepEqual(await askersOf(ann), [eve.handle]);
    const [notice, ...more] = await noticesOf(ann);
    assert.deepEqual(more, []);
    assert.equal(notice?.Unread, true);
  });

  test("over diaspora* a request waits, too, and either answer is silent", async () => {
    const ann = await locked();
    const [gil, hal] = [pod.person(`gil${kind}`), pod.person(`hal${kind}`)];
    const share = (by: typeof gil, sharing: boolean) =>
      by.whisper(
        kith(),
        {
          type: "contact",
          ...{ author: by.handle, recipient: ann.handle },
          ...{ following: sharing, sharing, blocking: false },
        },
        ann,
      );
    for (const person of [gil, hal]) await share(person, true);
    assert.deepEqual((await askersOf(ann)).toSorted(), [
      gil.handle,
      hal.handle,
    ]);
    assert.equal(await followersOf(ann), 0);
    const since = pod.posted.length;
    await toFollowers(ann);
    await ann.post(
      `/follow_requests/${(await seen(ann, gil.handle)).ID}/accept`,
    );
    await ann.delete(`/follow_requests/${(await seen(ann, hal.handle)).ID}`);
    await kith().settle();
    assert.equal(pod.posted.length, since);
    const post = await toFollowers(ann);
    const arrived = await pod.arrived();
    const about = arrived.filter(({ entity }) =>
      JSON.stringify(entity).includes(post),
    );
    assert.deepEqual(
      about.map(({ to }) => to?.handle),
      [gil.handle],
    );
    await share(hal, true);
    await share(hal, false);
    assert.deepEqual(await requestsTo(ann), []);
  });

  test("between two people here: pending, refused, asked again, accepted", async () => {
    const [ann, bob] = [await locked(), await kith().person()];
    const aspect = await befriend(bob, ann.handle);
    const member = `/people/${ann.record.ID}/aspects/${aspect}`;
    const leave = async () =>
      assert.equal((await bob.call("DELETE", member)).status, 200);
    const ask = `/follow_requests/${bob.record.ID}`;
    await kith().settle();
    assert.deepEqual(await askersOf(ann), [bob.handle]);
    assert.equal((await noticesOf(ann)).length, 1);
    await bob.notFound("GET", `/posts/${await toFollowers(ann)}`);

    await ann.delete(ask);
    await kith().settle();
    const [refusal] = await noticesOf(bob, "Refusal");
    assert.equal(refusal?.Person.Author, ann.handle);
    await leave();
    await bob.post(member);
    await kith().settle();
    assert.deepEqual(await askersOf(ann), [bob.handle]);
    await leave();
    assert.deepEqual(await askersOf(ann), [], "taken back");
    await bob.post(member);

    await ann.post(`${ask}/accept`);
    await kith().settle();
    assert.equal(await followersOf(ann), 1);
    await bob.get(`/posts/${await toFollowers(ann)}`);
    assert.deepEqual(await noticesOf(ann, "Contact"), []);
    assert.equal((await noticesOf(bob, "Refusal")).length, 1);
    await leave();
    assert.equal(await followersOf(ann), 0);
  });

  test("an unlocked account keeps its requests, and may accept all", async () => {
    const ann = await locked();
    const askers = [stranger(), stranger(), stranger()];
    const asked: JsonObject[] = [];
    for (const asker of askers) asked.push(await follow(asker, ann));
    const bob = await kith().person();
    await befriend(bob, ann.handle);
    await ann.put("/profile", { Locked: false });
    await kith().settle();
    assert.equal((await requestsTo(ann)).length, 4);
    const [first = assert.fail()] = askers;
    const again = await follow(first, ann);
    assert.deepEqual(typesOf(answersTo(again)), ["Accept"]);
    assert.equal((await requestsTo(ann)).length, 3);
    await ann.post("/follow_requests/accept");
    await kith().settle();
    assert.deepEqual(await requestsTo(ann), []);
    assert.equal(await followersOf(ann), 4);
    for (const one of asked.slice(1))
      assert.deepEqual(typesOf(answersTo(one)), ["Accept"]);
    await ann.post("/follow_requests/accept");
  });

  test("requests are listed newest first, and paged by key", async () => {
    const ann = await locked();
    const handles: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const asker = stranger();
      await follow(asker, ann);
      handles.unshift(asker.handle);
      kith().clock.advance(1_000);
    }
    assert.deepEqual(await askersOf(ann), handles);
    const page = (more: Record<string, number>) =>
      ann.get<RequestRecord[]>("/follow_requests", { limit: 2, ...more });
    const [, second = assert.fail()] = await page({});
    const next = await page({ before: second.ID });
    assert.deepEqual(
      next.map(({ Author }) => Author),
      handles.slice(2, 4),
    );
    const back = await page({ after: next[0]?.ID ?? 0 });
    assert.deepEqual(
      back.map(({ Author }) => Author),
      handles.slice(0, 2),
    );
    const bob = await kith().person();
    assert.deepEqual(await requestsTo(bob), []);
    await bob.badRequest("GET", `/follow_requests?before=${second.ID}`);
    await bob.notFound("POST", `/follow_requests/${second.ID}/accept`);
    await bob.notFound("DELETE", `/follow_requests/${second.ID}`);
    assert.equal((await requestsTo(ann)).length, 5);
  });

  test("a request ends with a block by either side, and with the person", async () => {
    const ann = await locked();
    const [eve, fay, gus] = [stranger(), stranger(), stranger()];
    for (const asker of [eve, fay, gus]) await follow(asker, ann);
    await ann.post(`/people/${(await seen(ann, eve.handle)).ID}/block`);
    assert.deepEqual(await askersOf(ann), [gus.handle, fay.handle]);
    const object = actorOf(kith(), ann.username);
    await fay.deliver(kith(), fay.activity("Block", { object }));
    assert.deepEqual(await askersOf(ann), [gus.handle]);
    await follow(eve, ann);
    assert.deepEqual(await askersOf(ann), [gus.handle]);
    await gus.deliver(kith(), gus.activity("Delete", { object: gus.id }));
    assert.deepEqual(await askersOf(ann), []);
    const bob = await kith().person();
    await befriend(bob, ann.handle);
    await bob.call("DELETE", "/users", { form: { password: "correct horse" } });
    await kith().settle();
    assert.deepEqual(await askersOf(ann), []);
    assert.equal(await rowsTo(ann), 0);
  });

  const rowsTo = async ({ record }: TestPerson) => {
    const rows = await kith()
      .db.read.selectFrom("follow_requests")
      .select("id")
      .where("user_id", "=", record.UserID)
      .execute();
    return rows.length;
  };

  test("a block of their server ends the requests of its people, and refuses new ones", async () => {
    const [ann, eve] = [await locked(), stranger()];
    await follow(eve, ann);
    const bob = await kith().person();
    await befriend(bob, ann.handle);
    const { ID } = await seen(ann, eve.handle);
    const host = eve.handle.slice(eve.handle.indexOf("@") + 1);
    await ann.post("/blocks/hosts", { host });
    await ann.notFound("POST", `/follow_requests/${ID}/accept`);
    const again = await follow(eve, ann);
    assert.deepEqual(typesOf(answersTo(again)), ["Reject"]);
    assert.deepEqual(await askersOf(ann), [bob.handle]);
    assert.equal(await rowsTo(ann), 1);
  });

  test("the requests of an account that is deleted go with it", async () => {
    const [ann, eve] = [await locked(), stranger()];
    await follow(eve, ann);
    assert.equal(await rowsTo(ann), 1);
    await ann.call("DELETE", "/users", { form: { password: "correct horse" } });
    await kith().settle();
    assert.equal(await rowsTo(ann), 0);
  });

  test("a suspended person's request is hidden, or ends if it is from elsewhere", async () => {
    const [ann, bob, eve] = [await locked(), await kith().person(), stranger()];
    await befriend(bob, ann.handle);
    await follow(eve, ann);
    const { suspensions } = kith().server.features;
    const decide = (decision: "suspend" | "unsuspend", personId: number) =>
      suspensions.decide({
        ...{ by: null, decision },
        personId: personId as typeof bob.record.ID,
      });
    await decide("suspend", bob.record.ID);
    await decide("suspend", (await seen(ann, eve.handle)).ID);
    await kith().settle();
    assert.deepEqual(await requestsTo(ann), []);
    assert.deepEqual(await noticesOf(ann), []);
    await ann.notFound("POST", `/follow_requests/${bob.record.ID}/accept`);
    assert.equal(await rowsTo(ann), 1);
    await decide("unsuspend", bob.record.ID);
    assert.deepEqual(await askersOf(ann), [bob.handle]);
  });

  test("an account that moves loses its requests, here and elsewhere", async () => {
    const ann = await locked();
    const [from, to] = [stranger(), stranger()];
    await follow(from, ann);
    to.profile = { alsoKnownAs: [from.id] };
    await seen(ann, to.handle);
    await from.deliver(
      kith(),
      from.activity("Move", { object: from.id, target: to.id }),
    );
    assert.deepEqual(await requestsTo(ann), []);
    await follow(to, ann);
    assert.deepEqual(await askersOf(ann), [to.handle]);
  });

  test("strangers cannot fill the list without end", async () => {
    const [ann, eve] = [await locked(), stranger()];
    const now = kith().clock.now().toISOString();
    await kith().db.transaction(async (tx) => {
      for (let count = 0; count < MAX_REQUESTS; count += 1) {
        const { id } = await tx
          .insertInto("people")
          .values({
            ...{ guid: newGuid(), handle: `made${count}@up.example${kind}` },
            ...{ user_id: null, public_key_pem: "", state: "active" },
            ...{ created_at: now, updated_at: now },
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        await tx
          .insertInto("follow_requests")
          .values({
            ...{ user_id: ann.record.UserID, person_id: id },
            ...{ uri: null, created_at: now },
          })
          .execute();
      }
    });
    const asked = await follow(eve, ann);
    assert.deepEqual(typesOf(answersTo(asked)), ["Reject"]);
    assert.equal(await rowsTo(ann), MAX_REQUESTS);
    assert.deepEqual(await noticesOf(ann), []);
  });

  test("a request to a locked person elsewhere is pending until the answer", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    eve.profile = { manuallyApprovesFollowers: true };
    await befriend(ann, eve.handle);
    await kith().settle();
    const { ID, Profile } = await seen(ann, eve.handle);
    assert.equal(Profile.Locked, true);
    const { contacts } = kith().server.features;
    const state = async () => {
      const known = await contacts.find(ann.record.UserID, ID);
      return [known?.isConfirmed, known?.isRefused];
    };
    assert.deepEqual(await state(), [false, false]);
    const id = idOf(remote.ofType("Follow").at(-1)?.activity);
    const answer = (type: string) =>
      eve.deliver(kith(), eve.activity(type, { object: id }));
    await answer("Reject");
    assert.deepEqual(await state(), [false, true]);
    await answer("Accept");
    assert.deepEqual(await state(), [true, false]);
    await answer("Reject");
    assert.deepEqual(await state(), [false, true]);
  });
});

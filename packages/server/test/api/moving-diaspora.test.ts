import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../support/server/kith-server.ts";
import {
  befriend,
  membersOf,
  seen,
  settleAll,
  useServers,
} from "../support/remote/several-servers.ts";
import type {
  CommentRecord,
  EventRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";
import { plan } from "../support/scenes/planning.ts";

type Signed = { OldHandle: string; NewHandle: string; Signature: string };

forEachDatabase((kind) => {
  const servers = useServers(kind, "diaspora", 3);
  let round = 0;

  /** A person who moves, and related people on all three servers. */
  const cast = async () => {
    const [old, next, far] = servers() as [KithServer, KithServer, KithServer];
    round += 1;
    return {
      old,
      next,
      far,
      alice: await old.person({ handle: `alice${round}` }),
      anew: await next.person({ handle: `anew${round}` }),
      dave: await old.person({ handle: `dave${round}` }),
      carol: await far.person({ handle: `carol${round}` }),
      cora: await far.person({ handle: `cora${round}` }),
      bob: await next.person({ handle: `bob${round}` }),
    };
  };

  const sign = (
    by: TestPerson,
    direction: "away" | "here",
    other: TestPerson,
  ): Promise<Signed> =>
    by.post<Signed>("/users/self/move/signature", {
      handle: other.handle,
      direction,
      password: PASSWORD,
    });

  const authorOf = async (by: TestPerson, { Guid }: { Guid: string }) => {
    const { Person } = await by.get<
      PostRecord & { Person: { Author: string } }
    >(`/posts/${Guid}`);
    return Person.Author;
  };

  const moveNotificationsOf = async (by: TestPerson) => {
    const notifications = await by.get<NotificationRecord[]>("/notifications");
    return notifications
      .filter(({ ShareableType }) => ShareableType === "Move")
      .map(({ Person, ShareableGuid }) => [Person.Author, ShareableGuid]);
  };

  const play = async (
    move: (alice: TestPerson, anew: TestPerson) => Promise<void>,
  ) => {
    const all = await cast();
    const { old, far, alice, anew, dave, carol, cora, bob } = all;
    const aspect = await befriend(carol, alice.handle);
    const local = await befriend(dave, alice.handle);
    const own = await befriend(alice, carol.handle);
    await settleAll(servers());
    const blocked = await seen(bob, alice.handle);
    await bob.post(`/people/${blocked.ID}/block`);
    const ignored = await seen(cora, alice.handle);
    await cora.post(`/people/${ignored.ID}/ignore`);
    const open = await alice.post<PostRecord>("/posts", { post: "to all" });
    const limited = await alice.post<PostRecord>("/posts", {
      post: "to friends",
      aspectID: own,
    });
    await settleAll(servers());
    const theirs = await carol.post<PostRecord>("/posts", { post: "of carol" });
    await settleAll(servers());
    await alice.post(`/posts/${theirs.Guid}/comments`, { comment: "hello" });
    await alice.post(`/posts/${theirs.Guid}/likes`);
    const event = await plan(alice, { summary: "Feast" });
    await settleAll(servers());

    await move(alice, anew);
    await settleAll(servers());

    assert.deepEqual(await membersOf(carol, far, aspect), [anew.handle]);
    assert.deepEqual(await membersOf(dave, old, local), [anew.handle]);
    for (const post of [open, limited])
      assert.equal(await authorOf(carol, post), anew.handle);
    assert.equal(await authorOf(dave, open), anew.handle);
    await cora.notFound("GET", `/posts/${limited.Guid}`);
    await dave.notFound("GET", `/posts/${limited.Guid}`);
    const [comment] = await carol.get<
      (CommentRecord & { Person: { Author: string } })[]
    >(`/posts/${theirs.Guid}/comments`);
    assert.equal(comment?.Person.Author, anew.handle);
    const events = await dave.get<EventRecord[]>("/calendar/events");
    const feast = events.find(({ Guid }) => Guid === event.Guid);
    assert.equal(feast?.PersonID, (await seen(dave, anew.handle)).ID);
    const notifications =
      await anew.get<NotificationRecord[]>("/notifications");
    const shares = notifications.filter(
      ({ ShareableType }) => ShareableType === "Contact",
    );
    assert.equal(shares.length, 2, "carol and dave share with the new one");
    for (const follower of [carol, dave])
      assert.deepEqual(await moveNotificationsOf(follower), [
        [anew.handle, alice.record.Guid],
      ]);
    assert.deepEqual(await moveNotificationsOf(bob), []);
    const blocks = await bob.get<{ Author: string }[]>("/blocks");
    assert.ok(blocks.some(({ Author }) => Author === anew.handle));
    const ignores = await cora.get<{ Author: string }[]>("/ignores");
    assert.ok(ignores.some(({ Author }) => Author === anew.handle));

    await alice.unauthorized("GET", "/aspects");
    for (const path of [
      `/.well-known/webfinger?resource=acct:${alice.handle}`,
      `/hcard/users/${alice.record.Guid}`,
      `/u/${alice.username}`,
    ])
      assert.equal((await fetch(old.baseUrl + path)).status, 404, path);
    await carol.notFound("POST", "/search", { form: { handle: alice.handle } });
    await goOn(all, aspect);
  };

  /** Posts of the new person reach the old one's followers. */
  const goOn = async (
    { anew, carol, dave, bob }: Awaited<ReturnType<typeof cast>>,
    aspect: number,
  ) => {
    const news = await anew.post<PostRecord>("/posts", { post: "news" });
    await settleAll(servers());
    for (const reader of [carol, dave])
      assert.equal(await authorOf(reader, news), anew.handle);
    const closed = await bob.post<PostRecord>("/posts", { post: "of bob" });
    await anew.notFound("GET", `/posts/${closed.Guid}`);
    const intimate = await carol.post<PostRecord>("/posts", {
      post: "for friends",
      aspectID: aspect,
    });
    await settleAll(servers());
    assert.equal(await authorOf(anew, intimate), carol.handle);
  };

  test("the old server sends it: everyone follows with everything", () =>
    play(async (alice, anew) => {
      const signed = await sign(anew, "here", alice);
      assert.deepEqual(
        [signed.OldHandle, signed.NewHandle],
        [alice.handle, anew.handle],
      );
      const form = {
        handle: anew.handle,
        password: PASSWORD,
        signature: signed.Signature,
      };
      await alice.post("/users/self/move/away", form);
    }));

  test("the new server sends it, and the old one passes it on", () =>
    play(async (alice, anew) => {
      const signed = await sign(alice, "away", anew);
      const form = {
        handle: alice.handle,
        password: PASSWORD,
        signature: signed.Signature,
      };
      await anew.post("/users/self/move/here", form);
    }));

  test("nothing happens without the right password, signature and other one", async () => {
    const { alice, anew, carol, dave } = await cast();
    const path = "/users/self/move";
    const other = { handle: anew.handle, password: PASSWORD };
    const wrong = { ...other, password: "wrong horse" };
    const direction = "away";
    await alice.unauthorized("POST", `${path}/signature`, {
      form: { ...wrong, direction },
    });
    await alice.unauthorized("POST", `${path}/away`, { form: wrong });
    // The requested person is looked up first, and then known.
    await seen(alice, anew.handle);
    await seen(anew, alice.handle);
    await seen(carol, alice.handle);
    await alice.badRequest("POST", `${path}/signature`, {
      form: { ...other, direction: "sideways" },
    });
    await alice.blank("POST", `${path}/signature`, {
      form: { ...other, handle: " ", direction },
    });
    await alice.badRequest("POST", `${path}/signature`, {
      form: { ...other, handle: dave.handle, direction },
    });
    await alice.badRequest("POST", `${path}/signature`, {
      form: { ...other, handle: alice.handle, direction },
    });
    await alice.badRequest("POST", `${path}/away`, { form: other });
    const own = await sign(alice, "away", anew);
    await alice.badRequest("POST", `${path}/away`, {
      form: { ...other, signature: own.Signature },
    });
    const toMe = { handle: alice.handle, password: PASSWORD };
    await anew.unauthorized("POST", `${path}/here`, {
      form: { ...toMe, password: "wrong horse", signature: own.Signature },
    });
    await carol.badRequest("POST", `${path}/here`, {
      form: { ...toMe, signature: own.Signature },
    });
    await anew.blank("POST", `${path}/here`, { form: toMe });
    const still = await seen(carol, alice.handle);
    assert.equal(still.Author, alice.handle);
  });
});

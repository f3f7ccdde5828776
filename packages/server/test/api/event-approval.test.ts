import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenFields, newUser } from "../support/pages/visit.ts";
import { objectOf, read } from "../support/remote/linked-data.ts";
import { eventOf, usePlanners } from "../support/scenes/planners.ts";
import { plan } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  EventRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

const COMING = { start: "2127-03-10T09:00:00Z", end: "2127-03-10T10:00:00Z" };

type Answer = EventRecord["Participations"][number];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const peers = usePlanners(kith);
  const pathOf = ({ ID }: EventRecord) => `/calendar/events/${ID}`;
  const ask = async (who: TestPerson, event: EventRecord) => {
    const form = { status: "accepted" };
    return who.put<Answer>(`${pathOf(event)}/participation`, form);
  };
  const asking = (who: TestPerson, event: EventRecord) =>
    who.get<Answer[]>(`${pathOf(event)}/participations`, { reply: "pending" });
  const shown = async (who: TestPerson, event: EventRecord) => {
    const { Participations } = await who.get<EventRecord>(pathOf(event));
    return Participations.map(({ Status, Reply }) => `${Status} ${Reply}`);
  };
  const reply = async (
    who: TestPerson,
    event: EventRecord,
    { ID }: Answer,
    said: string,
  ) => {
    const form = { reply: said };
    const path = `${pathOf(event)}/participations/${ID}`;
    const answered = await who.call("PUT", path, { form });
    await kith().settle();
    return answered.status;
  };
  /** Of events, unread. */
  const noticesOf = async (who: TestPerson) => {
    await kith().settle();
    const all = await who.get<NotificationRecord[]>("/notifications");
    const unread = all.filter(
      ({ ShareableType, Unread }) => ShareableType === "Event" && Unread,
    );
    for (const { ID } of unread)
      await who.put(`/notifications/${ID}`, { Unread: false });
    return unread.length;
  };

  test("a guest asks to come, and comes once the organiser agrees", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const event = await plan(ann, { ...COMING, approval: true });
    assert.equal(event.Approval, true);
    const asked = await ask(bob, event);
    assert.deepEqual([asked.Status, asked.Reply], ["accepted", "pending"]);
    // Between the two alone.
    assert.deepEqual(await shown(eve, event), []);
    assert.deepEqual(await asking(eve, event), []);
    assert.deepEqual(await shown(bob, event), ["accepted pending"]);
    assert.deepEqual(await shown(ann, event), ["accepted pending"]);
    assert.equal((await asking(ann, event))[0]?.ID, asked.ID);
    assert.equal(await noticesOf(ann), 1);
    assert.equal(await noticesOf(bob), 0);

    const isReminded = async () => {
      const path = `${pathOf(event)}/reminders`;
      return (await bob.get<{ Reminded: boolean }>(path)).Reminded;
    };
    assert.equal(await isReminded(), false);

    assert.equal(await reply(ann, event, asked, "confirmed"), 200);
    assert.equal(await reply(ann, event, asked, "confirmed"), 200);
    assert.equal(await isReminded(), true);
    assert.deepEqual(await shown(eve, event), ["accepted confirmed"]);
    assert.deepEqual(await asking(ann, event), []);
    assert.equal(await noticesOf(bob), 1);
    // Nobody is notified of its own reply.
    assert.equal(await noticesOf(ann), 0);
    // Saying the same again does not ask again.
    assert.equal((await ask(bob, event)).Reply, "confirmed");

    assert.equal(await reply(ann, event, asked, "refused"), 200);
    assert.deepEqual(await shown(eve, event), ["declined refused"]);
    assert.equal(await noticesOf(bob), 1);
    assert.equal((await ask(bob, event)).Reply, "pending");
    assert.equal(await reply(ann, event, asked, "refused"), 200);
    assert.equal(await reply(ann, event, asked, "confirmed"), 200);
    assert.deepEqual(await shown(eve, event), ["accepted confirmed"]);
  });

  test("only the organiser replies, and only to a guest who asks", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const event = await plan(ann, { ...COMING, approval: true });
    const other = await plan(eve, { ...COMING, approval: true });
    const asked = await ask(bob, event);
    assert.equal(await reply(eve, event, asked, "confirmed"), 404);
    assert.equal(await reply(bob, event, asked, "confirmed"), 404);
    assert.equal(await reply(eve, other, asked, "confirmed"), 404);
    assert.equal(
      await reply(ann, event, { ...asked, ID: 9e9 }, "refused"),
      404,
    );
    assert.equal(await reply(ann, event, asked, "perhaps"), 400);
    const own = await ask(ann, event);
    assert.equal(own.Reply, undefined);
    assert.equal(await reply(ann, event, own, "refused"), 400);
    await bob.put(`${pathOf(event)}/participation`, { status: "declined" });
    assert.equal(await reply(ann, event, asked, "confirmed"), 400);
    assert.deepEqual(await asking(ann, event), []);
    // To one's own entry, which nobody else sees.
    const hidden = await plan(ann, { ...COMING, announce: false });
    const path = `${pathOf(hidden)}/participations`;
    assert.equal((await eve.call("GET", path)).status, 404);
  });

  test("those who came before guests had to be confirmed still come", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const event = await plan(ann, COMING);
    await ask(bob, event);
    await ann.put(pathOf(event), { approval: true });
    assert.equal((await ask(bob, event)).Reply, undefined);
    const asked = await ask(eve, event);
    assert.equal(asked.Reply, "pending");
    await ann.put(pathOf(event), { summary: "Renamed", approval: false });
    assert.equal((await asking(ann, event)).length, 1);
    assert.equal((await ask(eve, event)).Reply, undefined);
    assert.deepEqual(await asking(bob, event), []);
    assert.equal((await shown(bob, event)).length, 2);
  });

  test("a request takes no place, and the last place is given once", async () => {
    const ann = await kith().person();
    const guests = await Promise.all(
      Array.from({ length: 3 }, () => kith().person()),
    );
    const event = await plan(ann, { ...COMING, approval: true, capacity: 1 });
    const asked = await Promise.all(guests.map((it) => ask(it, event)));
    const replies = await Promise.all(
      asked.map((it) => reply(ann, event, it, "confirmed")),
    );
    assert.deepEqual(replies.toSorted(), [200, 400, 400]);
  });

  test("a Join is answered when the organiser has decided", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [jon, gil] = [peers.stranger(), peers.stranger()];
    const event = await plan(ann, { ...COMING, approval: true });
    const [post] = await ann.get<PostRecord[]>("/posts");
    const object = objectOf(kith(), post?.Guid ?? "");
    const served = async () => {
      const { joinMode, participantCount } = await read(object);
      return [joinMode, participantCount];
    };
    assert.deepEqual(await served(), ["restricted", 0]);
    const join = jon.activity("Join", { object });
    await jon.deliver(kith(), join);
    await gil.deliver(kith(), gil.activity("Join", { object }));
    await jon.deliver(kith(), join);
    assert.deepEqual(peers.sent(jon, "Accept"), []);
    assert.deepEqual(await shown(bob, event), []);
    assert.deepEqual(await served(), ["restricted", 0]);
    const [second, first] = await asking(ann, event);
    assert.ok(first && second);
    await reply(ann, event, first, "confirmed");
    await reply(ann, event, second, "refused");
    const [accept, ...others] = peers.sent(jon, "Accept");
    assert.deepEqual(others, []);
    const { id, type, actor } = join;
    assert.deepEqual(accept?.["object"], { id, type, actor, object });
    assert.equal(peers.sent(gil, "Reject").length, 1);
    assert.deepEqual(peers.sent(jon, "Reject"), []);
    assert.deepEqual(await served(), ["restricted", 1]);
    // The same Join again gets the same answer, at once.
    await jon.deliver(kith(), { ...join, id: jon.newId("joins") });
    assert.equal(peers.sent(jon, "Accept").length, 2);
  });

  test("a guest of another server's event waits for its host, and is notified", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const jon = await peers.followed(ann);
    const object = jon.note({
      type: "Event",
      name: "Closed circle",
      startTime: COMING.start,
      joinMode: "restricted",
    });
    const to = ["https://www.w3.org/ns/activitystreams#Public"];
    await jon.deliver(kith(), jon.activity("Create", { object, to }));
    const event = (await eventOf(ann, jon, "Closed circle")) ?? assert.fail();
    assert.equal(event.Approval, true);
    assert.equal((await ask(ann, event)).Reply, "pending");
    await kith().settle();
    const [join] = peers.sent(jon, "Join");
    assert.ok(join);
    assert.deepEqual(await shown(bob, event), []);
    await jon.deliver(
      kith(),
      jon.activity("Accept", { object: join["id"] ?? null }),
    );
    assert.deepEqual(await shown(bob, event), ["accepted confirmed"]);
    assert.equal(await noticesOf(ann), 1);
    // It is not for the guest to let itself in.
    const asked = (await ann.get<EventRecord>(pathOf(event))).Participations[0];
    assert.equal(
      await reply(ann, event, asked ?? assert.fail(), "refused"),
      404,
    );
  });

  test("the pages show requests to the organiser, with buttons", async () => {
    const ann = await newUser(kith().baseUrl, `asker_${kind}`);
    const bob = await newUser(kith().baseUrl, `asked_${kind}`);
    const form = {
      ...{ summary: "Choir", location: "", description: "", calendar: "" },
      ...{ start_day: "2127-06-12", start_time: "19:30", end_day: "" },
      ...{ end_time: "21:00", time_zone: "UTC", audience: "everyone" },
    };
    const fields = hiddenFields(await ann.get("/events/new"), "/events/new");
    const made = await ann.post("/events/new", {
      ...{ ...fields, ...form, approval: "true" },
    });
    const path = made.headers.get("location") ?? assert.fail();
    const edit = await ann.get(`${path}/edit`);
    assert.match(edit.text, /name="approval"\s+value="true"\s+checked/);
    const before = await bob.get(path);
    assert.match(before.text, /The organiser confirms each guest/);
    const answer = `${path}/answer`;
    await bob.post(answer, {
      ...hiddenFields(before, answer),
      status: "accepted",
    });
    const asked = await bob.get(path);
    assert.match(asked.text, /You have asked to come/);
    assert.doesNotMatch(asked.text, /id="asking"/);
    assert.match(asked.text, /Nobody has answered yet/);
    await kith().settle();
    const { text: notices } = await ann.get("/notifications");
    assert.match(notices, /asks to come to your event/);
    const seen = await ann.get(path);
    assert.match(seen.text, /id="asking"/);
    const action = /action="([^"]+\/guests\/\d+)"/.exec(seen.text)?.[1];
    assert.ok(action);
    const said = { ...hiddenFields(seen, action), reply: "confirmed" };
    assert.equal((await bob.post(action, said)).status, 404);
    assert.equal((await ann.post(action, { reply: "confirmed" })).status, 403);
    assert.equal((await ann.post(action, said)).status, 302);
    const after = await bob.get(path);
    assert.match(after.text, /The organiser has confirmed that you can come/);
    assert.match(after.text, /1 going/);
    assert.doesNotMatch((await ann.get(path)).text, /id="asking"/);
    await bob.post(answer, {
      ...{ ...hiddenFields(after, answer), status: "declined" },
    });
    await kith().settle();
    const { text: declined } = await ann.get("/notifications");
    assert.match(declined, /cannot come to your event/);
  });
});

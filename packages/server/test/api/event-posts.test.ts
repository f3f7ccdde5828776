import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  AN_HOUR,
  aspectOf,
  keepAway,
  plan,
} from "../support/scenes/planning.ts";
import type {
  EventRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const people = async (count: number) => {
    const all: TestPerson[] = [];
    for (let n = 0; n < count; n++) all.push(await kith().person());
    return all as [TestPerson, TestPerson, TestPerson, TestPerson];
  };
  const postsOf = async (by: TestPerson, viewer: TestPerson) =>
    viewer.get<PostRecord[]>(`/people/${by.record.Guid}/stream`);
  const eventIn = ({ Event }: PostRecord) => Event?.ID ?? null;
  /** Notifications other than those of contacts. */
  const notifications = async (whom: TestPerson) => {
    await kith().settle();
    const all = await whom.get<NotificationRecord[]>("/notifications");
    return all.filter((it) => it.ShareableType !== "Contact");
  };
  const notified = async (whom: TestPerson) =>
    (await notifications(whom)).map(
      (it) => `${it.ShareableType} ${it.ShareableGuid}`,
    );

  test("an event for everyone is announced to everyone", async () => {
    const [ann, bob] = await people(2);
    const event = await plan(ann, {
      summary: "Feast",
      location: "Here\nand there",
      end: "2026-03-11T01:00Z",
    });
    const [post, ...others] = await postsOf(ann, bob);
    assert.ok(post);
    assert.deepEqual(others, []);
    assert.equal(post.Public, true);
    assert.equal(post.Type, "StatusMessage");
    assert.deepEqual(post.Event, event);
    assert.equal(post.PersonID, ann.record.ID);
    const lines = post.Text.split("\n");
    assert.deepEqual(lines.slice(0, 2), ["New event: Feast", ""]);
    assert.match(lines[2] ?? "", /^Start: Tuesday, March 10, 2026 .*9:00/);
    assert.match(lines[3] ?? "", /^End: Wednesday, March 11, 2026 .*1:00/);
    assert.deepEqual(lines.slice(4), ["Location: Here, and there"]);
  });

  test("an event that lasts all day is announced with its day", async () => {
    const [ann] = await people(1);
    const start = "2026-12-24";
    await plan(ann, { summary: "", start, all_day: true });
    const [post] = await postsOf(ann, ann);
    const text = "New event: Event\n\nStart: Thursday, December 24, 2026";
    assert.equal(post?.Text, text);
  });

  test("an event for an aspect is announced to that aspect", async () => {
    const [ann, bob, eve] = await people(3);
    const aspectID = await aspectOf(ann, bob);
    const event = await plan(ann, { aspectID });
    for (const viewer of [ann, bob]) {
      const [post] = await postsOf(ann, viewer);
      assert.equal(post?.Public, false);
      assert.deepEqual(post.Event, event);
    }
    assert.deepEqual(await postsOf(ann, eve), []);
  });

  test("a personal entry is not announced at all", async () => {
    const [ann] = await people(1);
    await plan(ann, { announce: false });
    assert.deepEqual(await postsOf(ann, ann), []);
    const rows = await kith()
      .db.read.selectFrom("jobs")
      .select("payload")
      .where("payload", "like", `%"by":${ann.record.ID}%`)
      .execute();
    assert.deepEqual(rows, []);
  });

  test("where the announcement fails there is no event", async () => {
    const [ann, bob] = await people(2);
    const aspectID = await aspectOf(bob);
    const form = { start: "2026-01-01", all_day: true, aspectID };
    await ann.notFound("POST", "/calendar/events", { form });
    const mine = await ann.get<EventRecord[]>("/calendar/events", {
      limit: 100,
    });
    assert.ok(mine.every(({ PersonID }) => PersonID !== ann.record.ID));
  });

  test("a post may have an event that all its readers may see", async () => {
    const [ann, bob, carl] = await people(3);
    const both = await aspectOf(ann, bob, carl);
    const one = await aspectOf(ann, bob);
    const limited = await plan(ann, { aspectID: one });
    const open = await plan(ann);
    const own = await plan(ann, { announce: false });
    const say = (by: TestPerson, eventID: number, aspectID = 0) =>
      by.post<PostRecord>("/posts", { post: "come!", eventID, aspectID });
    assert.equal(eventIn(await say(ann, open.ID)), open.ID);
    assert.equal(eventIn(await say(ann, open.ID, both)), open.ID);
    assert.equal(eventIn(await say(bob, open.ID)), open.ID);
    assert.equal(eventIn(await say(ann, limited.ID, one)), limited.ID);
    const empty = await aspectOf(ann);
    assert.equal(eventIn(await say(ann, own.ID, empty)), own.ID);
    // A guest may talk about it with the one who invited.
    const host = await aspectOf(bob, ann);
    assert.equal(eventIn(await say(bob, limited.ID, host)), limited.ID);
    const wider = [
      [ann, limited.ID, 0],
      [ann, limited.ID, both],
      [ann, own.ID, 0],
      [ann, own.ID, one],
      [bob, limited.ID, 0],
      [bob, limited.ID, await aspectOf(bob, carl)],
    ] as const;
    for (const [by, eventID, aspectID] of wider)
      await by.badRequest("POST", "/posts", {
        form: { post: "come!", eventID, aspectID },
      });
    for (const eventID of [limited.ID, own.ID, 999_999])
      await carl.notFound("POST", "/posts", {
        form: { post: "come!", eventID },
      });
    const blank = { form: { post: " ", eventID: 999_999 } };
    await ann.blank("POST", "/posts", blank);
    const foreign = { post: "x", eventID: open.ID, aspectID: host };
    await ann.notFound("POST", "/posts", { form: foreign });
    assert.equal(eventIn(await say(ann, 0)), null);
  });

  test("a post shows its event to those who may see that", async () => {
    const [ann, bob] = await people(2);
    const event = await plan(ann);
    const post = await bob.post<PostRecord>("/posts", {
      post: "look",
      eventID: event.ID,
    });
    const reshare = await ann.post<PostRecord>(`/posts/${post.ID}/reshare`);
    assert.equal(eventIn(reshare), null);
    assert.equal(reshare.Root && eventIn(reshare.Root), event.ID);
    await keepAway(kith(), "block", ann, bob);
    const seen = await bob.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(seen.Event, null);
    assert.equal(seen.Text, "look");
  });

  test("a changed event is changed in its announcement, keeping its text", async () => {
    const [ann] = await people(1);
    const event = await plan(ann, { summary: "Old", location: "The barn" });
    const form = { post: "New event: Old\n\nBring cake", eventID: event.ID };
    await ann.post("/posts", form);
    await ann.put("/settings", { locale: "de" });
    const path = `/calendar/events/${event.ID}`;
    await ann.put(path, { summary: "New", location: "The hall" });
    await ann.put(path, { ...AN_HOUR, end: "2026-03-11T10:00:00Z" });
    await ann.put(path, { all_day: true, start: "2026-03-12" });
    const [own, announcement] = await postsOf(ann, ann);
    assert.equal(announcement?.Event?.Summary, "New");
    assert.equal(
      announcement.Text,
      "New event: New\n\nStart: Thursday, March 12, 2026\nLocation: The hall",
    );
    assert.equal(own?.Text, form.post);
  });

  test("with an event its own posts are taken back, others' posts lose it", async () => {
    const [ann, bob] = await people(2);
    const event = await plan(ann);
    const form = { post: "see you", eventID: event.ID };
    const second = await ann.post<PostRecord>("/posts", form);
    const others = await bob.post<PostRecord>("/posts", form);
    const plain = await ann.post<PostRecord>("/posts", { post: "plain" });
    await bob.post(`/posts/${second.ID}/comments`, { comment: "yes" });
    await ann.delete(`/calendar/events/${event.Guid}`);
    const left = await postsOf(ann, bob);
    assert.deepEqual(
      left.map(({ ID }) => ID),
      [plain.ID],
    );
    const kept = await bob.get<PostRecord>(`/posts/${others.ID}`);
    assert.equal(kept.Event, null);
    const tombstones = await kith()
      .db.read.selectFrom("tombstones")
      .select("guid")
      .where("person_id", "=", ann.record.ID)
      .where("kind", "=", "Post")
      .execute();
    assert.equal(tombstones.length, 2);
    const row = await kith()
      .db.read.selectFrom("posts")
      .select("event_id")
      .where("id", "=", others.ID)
      .executeTakeFirstOrThrow();
    assert.equal(row.event_id, null);
  });

  test("a deleted announcement leaves the event in its place", async () => {
    const [ann, bob] = await people(2);
    const event = await plan(ann);
    const [post] = await postsOf(ann, ann);
    assert.ok(post);
    await ann.delete(`/posts/${post.Guid}`);
    const path = `/calendar/events/${event.ID}`;
    assert.deepEqual(await bob.get(path), event);
    await ann.delete(path);
    await bob.notFound("GET", path);
  });

  test("an invited person is notified once, of the event and not of its post", async () => {
    const [ann, bob, carl, dora] = await people(4);
    const aspectID = await aspectOf(ann, bob, carl, dora);
    await keepAway(kith(), "ignore", carl, ann);
    await keepAway(kith(), "block", dora, ann);
    const summary = `Party with @{${bob.handle}}`;
    const event = await plan(ann, { summary, aspectID });
    assert.deepEqual(await notified(bob), [`Event ${event.Guid}`]);
    for (const away of [carl, dora]) assert.deepEqual(await notified(away), []);
    assert.deepEqual(await notified(ann), []);
    const post = await ann.post<PostRecord>("/posts", {
      post: `@{${bob.handle}} do come`,
      eventID: event.ID,
      aspectID: await aspectOf(ann, bob),
    });
    assert.deepEqual(await notified(bob), [
      `Post ${post.Guid}`,
      `Event ${event.Guid}`,
    ]);
  });

  test("of a public event mentioned people are notified", async () => {
    const [ann, bob, carl] = await people(3);
    await aspectOf(ann, carl);
    const summary = `Party with @{${bob.handle}}`;
    await plan(ann, { summary });
    const [post] = await postsOf(ann, ann);
    assert.deepEqual(await notified(bob), [`Post ${post?.Guid}`]);
    assert.deepEqual(await notified(carl), []);
  });

  test("recipients and participants are notified of each change, in one notification", async () => {
    const [ann, bob, carl, dora] = await people(4);
    const aspectID = await aspectOf(ann, bob);
    const limited = await plan(ann, { aspectID });
    const open = await plan(ann);
    const path = `/calendar/events/${open.ID}`;
    await carl.put(`${path}/participation`, { status: "tentative" });
    await dora.put(`${path}/participation`, { status: "declined" });
    await notified(bob);
    await bob.put("/notifications");
    await ann.put(`/calendar/events/${limited.ID}`, { summary: "b" });
    await ann.put(path, { summary: "c" });
    const unread = async (whom: TestPerson) =>
      (await notifications(whom)).map((it) => [it.ShareableGuid, it.Unread]);
    assert.deepEqual(await unread(bob), [
      [limited.Guid, true],
      [limited.Guid, false],
    ]);
    assert.deepEqual(await unread(carl), [[open.Guid, true]]);
    assert.deepEqual(await unread(dora), []);
    await carl.put("/notifications");
    await ann.put(path, { summary: "d" });
    assert.deepEqual(await unread(carl), [[open.Guid, true]]);
    await ann.delete(path);
    await ann.delete(`/calendar/events/${limited.ID}`);
    for (const whom of [bob, carl, ann])
      assert.deepEqual(await unread(whom), []);
  });
});

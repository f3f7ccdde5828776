import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  buildEntity,
  parseEntity,
  parseEnvelope,
  type CalendarEvent as EventEntity,
  type StatusMessage,
  verifyEnvelope,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { CreateEvent } from "../../features/events/index.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import {
  loadOutgoing,
  loadEventChanges,
} from "../outbound/load/load-outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import {
  assertDone,
  assertRefused,
  statusMessage,
} from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { renderPost } from "./render/render-post.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let carol: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    carol = await home.signUp("carol");
    bob = await home.remotePerson("bob");
    eve = await home.remotePerson("eve");
  });
  after(() => home.close());

  const authorOf = ({ id, userId }: Person) => ({
    personId: id,
    userId: userId ?? assert.fail(),
  });
  const plan = (typed: Partial<CreateEvent>) =>
    home.features.events.create({
      owner: authorOf(alice),
      start: "2026-03-10T09:00:00.250Z",
      end: "2026-03-10T10:00:00Z",
      announce: true,
      ...typed,
    });

  /** The post that announces an event, as other servers read it. */
  async function announced(id: Awaited<ReturnType<typeof plan>>["id"]) {
    const { posts } = home.features;
    const [post] = await posts.listWithEvent(id, alice.id);
    const fact = { type: "post.published", by: alice.id } as const;
    const postId = post?.id ?? assert.fail();
    const outgoing = await loadOutgoing(home.features, { ...fact, postId });
    if (outgoing?.kind !== "post") assert.fail();
    const entity = renderPost(outgoing.post, alice, {
      content: outgoing.content,
      rootAuthor: undefined,
      uri: null,
      baseUrl: "https://kith.test",
    });
    const read = parseEntity(buildEntity(entity ?? assert.fail()));
    if (read.type !== "status_message") assert.fail();
    return read;
  }

  test("the announcement of an event contains it, in full", async () => {
    const event = await plan({
      summary: "Party & more",
      description: "Bring *cake*",
      location: "Main street 1",
      timeZone: "Europe/Berlin",
    });
    const post = await announced(event.id);
    assert.match(post.text ?? "", /^New event: Party & more\n/);
    assert.deepEqual(post.event, {
      type: "event",
      author: alice.handle,
      guid: event.guid,
      summary: "Party & more",
      description: "Bring *cake*",
      start: "2026-03-10T09:00:00Z",
      end: "2026-03-10T10:00:00Z",
      allDay: false,
      timezone: "Europe/Berlin",
      location: {
        type: "location",
        address: "Main street 1",
        lat: "0.0",
        lng: "0.0",
      },
    });
  });

  test("a changed event is sent with its post again, with the time of the change", async () => {
    const event = await plan({ summary: "Party", description: "Old" });
    const first = await announced(event.id);
    assert.equal(first.editedAt, undefined);
    assert.equal(first.event?.editedAt, undefined);
    const owner = authorOf(alice);
    const changes = { description: "New" };
    await home.features.events.change(owner, { id: event.id }, changes);
    const outgoing = await loadEventChanges(home.features, {
      type: "event.changed",
      eventId: event.id,
      by: alice.id,
    });
    const [change] = outgoing;
    assert.equal(outgoing.length, 1);
    assert.equal(change?.kind, "event_change");
    const sender = createDiasporaSender(home.deps);
    const sent = await sender.render(change ?? assert.fail(), [bob.person]);
    assert.equal(sent.length, 1);
    const { payloadXml } = await verifyEnvelope(
      parseEnvelope(sent[0]?.document ?? ""),
      alice.publicKeyPem,
    );
    const entity = parseEntity(payloadXml);
    assert.equal(entity.type, "status_message");
    if (entity.type !== "status_message") assert.fail();
    assert.equal(entity.guid, first.guid);
    assert.equal(entity.event?.guid, event.guid);
    assert.equal(entity.event.description, "New");
    const { updatedAt = "" } =
      (await home.features.events.find({ id: event.id })) ?? {};
    const editedAt = `${updatedAt.slice(0, 19)}Z`;
    assert.equal(entity.editedAt, editedAt);
    assert.equal(entity.event.editedAt, editedAt);
  });

  test("an event without a name gets one on its way, one of a day no end", async () => {
    const { accounts } = home.features;
    const { userId } = authorOf(alice);
    await accounts.changeSettings(userId, { locale: "de" });
    const event = await plan({ start: "2026-03-10", allDay: true });
    const post = await announced(event.id);
    await accounts.changeSettings(userId, { locale: "en" });
    assert.deepEqual(post.event, {
      type: "event",
      author: alice.handle,
      guid: event.guid,
      summary: "Termin",
      start: "2026-03-10T00:00:00Z",
      allDay: true,
      timezone: "Etc/UTC",
    });
  });

  test("pods get time zones by names that they accept, and no others", async () => {
    const zones = [
      ["UTC", "Etc/UTC"],
      ["Zulu", "Etc/UTC"],
      ["GMT", "Etc/UTC"],
      ["Japan", "Asia/Tokyo"],
      ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
      ["America/Port-au-Prince", "America/Port-au-Prince"],
      ["Etc/GMT+5", undefined],
    ] as const;
    for (const [timeZone, expected] of zones) {
      const event = await plan({ start: "2026-03-10", allDay: true, timeZone });
      const post = await announced(event.id);
      assert.equal(post.event?.timezone, expected, timeZone);
    }
  });

  test("a post with somebody else's event goes out without it", async () => {
    const event = await plan({ summary: "Party" });
    const { events } = home.features;
    const author = authorOf(carol);
    const post = await events.publishPost({ author, text: "Go!" }, event.id);
    assert.equal(post.eventId, event.id);
    const outgoing = await loadOutgoing(home.features, {
      type: "post.published",
      postId: post.id,
      by: carol.id,
    });
    assert.equal(outgoing?.kind === "post" && outgoing.content.event, null);
  });

  const eventBy = (by: RemotePersonWithKey, more: Partial<EventEntity> = {}) =>
    ({
      type: "event",
      author: by.handle,
      guid: newGuid(),
      summary: "Concert",
      start: "2026-05-01T18:00:00Z",
      end: "2026-05-01T20:00:00Z",
      allDay: false,
      timezone: "Europe/Paris",
      ...more,
    }) satisfies EventEntity;
  const withEvent = (
    by: RemotePersonWithKey,
    event: EventEntity,
  ): StatusMessage => ({
    ...statusMessage(by),
    event,
  });
  const find = (guid: string) => home.features.events.find({ guid });
  const isSeenBy = async (guid: string, person: Person | null) => {
    const viewer = person && { personId: person.id, userId: person.userId };
    const { events } = home.features;
    return (await events.findVisible({ guid }, viewer)) !== undefined;
  };

  test("the event of a public post is stored with it, for everyone, once", async () => {
    const event = eventBy(bob, {
      description: "Loud",
      location: { type: "location", address: "Hall", lat: "1.5", lng: "2.5" },
    });
    const message = withEvent(bob, event);
    assertDone(await home.receivePublicly(message, bob), "stored");
    assertDone(await home.receivePublicly(message, bob), "known");
    const stored = (await find(event.guid)) ?? assert.fail();
    const { start, end, summary, location, description } = stored;
    assert.deepEqual(
      [start, end, summary, location, description],
      [
        "2026-05-01T18:00:00.000Z",
        "2026-05-01T20:00:00.000Z",
        "Concert",
        "Hall",
        "Loud",
      ],
    );
    assert.equal(stored.timeZone, "Europe/Paris");
    assert.equal(stored.uid, `${event.guid}@bob.example`);
    assert.equal(stored.personId, bob.person.id);
    assert.equal(stored.public, true);
    assert.ok(await isSeenBy(event.guid, null));
    const { posts } = home.features;
    const post = await posts.find({ guid: message.guid });
    assert.equal(post?.eventId, stored.id);
  });

  test("the event of a limited post is for those who got that", async () => {
    const event = eventBy(bob);
    const message = { ...withEvent(bob, event), public: false };
    assertDone(await home.receivePrivately(message, bob, alice), "stored");
    assert.ok(await isSeenBy(event.guid, alice));
    for (const other of [carol, null])
      assert.ok(!(await isSeenBy(event.guid, other)));
    assertDone(await home.receivePrivately(message, bob, carol), "known");
    assert.ok(await isSeenBy(event.guid, carol));
    assert.equal((await find(event.guid))?.public, false);
  });

  test("an event that its author makes public later is public", async () => {
    const event = eventBy(bob);
    const limited = { ...withEvent(bob, event), public: false };
    await home.receivePrivately(limited, bob, alice);
    assertDone(
      await home.receivePublicly(withEvent(bob, event), bob),
      "stored",
    );
    assert.ok(await isSeenBy(event.guid, null));
  });

  test("nobody takes another one's event over", async () => {
    const event = eventBy(bob);
    await home.receivePublicly(withEvent(bob, event), bob);
    const stolen = withEvent(eve, { ...event, author: eve.handle });
    assertRefused(await home.receivePublicly(stolen, eve));
    const { posts } = home.features;
    assert.equal(await posts.find({ guid: stolen.guid }), undefined);
    const foreign = withEvent(eve, eventBy(bob));
    await assert.rejects(home.receivePublicly(foreign, eve));
    assert.equal((await find(event.guid))?.personId, bob.person.id);
  });

  test("an event of all day keeps its date, and odd times are made good", async () => {
    const day = eventBy(bob, {
      start: "2026-05-01T00:00:00Z",
      end: "2026-05-03T00:00:00Z",
      allDay: true,
      timezone: "Mars/Base",
    });
    await home.receivePublicly(withEvent(bob, day), bob);
    const stored = await find(day.guid);
    assert.deepEqual(
      [stored?.start, stored?.end, stored?.timeZone],
      ["2026-05-01", "2026-05-03", "UTC"],
    );
    const odd = eventBy(bob, { end: "2026-05-01T17:00:00Z" });
    await home.receivePublicly(withEvent(bob, odd), bob);
    assert.equal((await find(odd.guid))?.end, null);
  });

  test("an event is deleted with the last post that announces it", async () => {
    const event = eventBy(bob);
    const [one, two] = [withEvent(bob, event), withEvent(bob, event)];
    for (const message of [one, two])
      assertDone(await home.receivePublicly(message, bob), "stored");
    const retract = (guid: string, by: RemotePersonWithKey) =>
      home.receivePublicly(
        {
          type: "retraction",
          author: by.handle,
          targetGuid: guid,
          targetType: "Post",
        },
        by,
      );
    assertRefused(await retract(one.guid, eve));
    assertDone(await retract(one.guid, bob), "retracted");
    assert.ok(await find(event.guid));
    assertDone(await retract(two.guid, bob), "retracted");
    assert.equal(await find(event.guid), undefined);
    assertRefused(await home.receivePublicly(two, bob));
    assert.equal(await find(event.guid), undefined);
  });
});

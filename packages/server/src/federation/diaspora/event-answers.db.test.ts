import assert from "node:assert/strict";
import { test } from "node:test";
import {
  parseEntity,
  parseEnvelope,
  signRelayable,
  verifyAuthorSignature,
  verifyEnvelope,
  type EventParticipation,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { ParticipationStatus } from "../../features/participations/index.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import {
  assertDone,
  assertRefused,
  statusMessage,
} from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const self = () => ({
    personId: alice.id,
    userId: alice.userId ?? assert.fail(),
  });

  async function plan(
    limitedTo?: Person,
    needsApproval = false,
  ): Promise<CalendarEvent> {
    const { aspects, events } = home.features;
    const aspect =
      limitedTo && (await aspects.create(self().userId, newGuid()));
    if (aspect) {
      const by = { ...alice, ...self() };
      await aspects.addPerson(by, aspect.id, limitedTo.id);
    }
    return events.create({
      owner: self(),
      start: "2026-03-10",
      allDay: true,
      announce: true,
      needsApproval,
      ...(aspect && {
        audience: { kind: "aspects", aspectIds: [aspect.id] } as const,
      }),
    });
  }

  const answerOf = (
    by: RemotePersonWithKey,
    parentGuid: string,
    more: Partial<EventParticipation> = {},
  ) =>
    signRelayable<EventParticipation>(
      {
        type: "event_participation",
        author: by.handle,
        guid: newGuid(),
        parentGuid,
        status: "accepted",
        ...more,
      },
      by.privateKey,
    );
  const statusOf = async (event: CalendarEvent, person: Person) => {
    const { participations } = home.features;
    const key = { eventId: event.id, personId: person.id };
    return (await participations.find(key))?.status;
  };

  /** The answer as it is forwarded to some people, read by one of them. */
  async function passedOn(
    event: CalendarEvent,
    by: Person,
    to: RemotePersonWithKey,
    signer: Person,
  ) {
    const { participations } = home.features;
    const key = { eventId: event.id, personId: by.id };
    const answer = (await participations.find(key)) ?? assert.fail();
    const outgoing = await loadOutgoing(home.features, {
      type: "participation.changed",
      participationId: answer.id,
      by: by.id,
    });
    const sender = createDiasporaSender(home.deps);
    const sent = await sender.render(outgoing ?? assert.fail(), [to.person]);
    const [dispatch] = sent;
    if (!dispatch) return undefined;
    const envelope = parseEnvelope(dispatch.document);
    assert.equal(envelope.claimedSender, signer.handle);
    const opened = await verifyEnvelope(envelope, signer.publicKeyPem);
    const entity = parseEntity(opened.payloadXml);
    return entity.type === "event_participation" ? entity : assert.fail();
  }

  test("an answer from elsewhere is kept, and passed on as it was signed", async () => {
    const event = await plan();
    const answer = await answerOf(bob, event.guid);
    assertDone(await home.receivePublicly(answer, bob), "stored");
    assertDone(await home.receivePublicly(answer, bob), "known");
    assert.equal(await statusOf(event, bob.person), "accepted");
    const read = await passedOn(event, bob.person, eve, alice);
    assert.deepEqual(read?.signed, answer.signed);
    assert.equal(read?.parentGuid, event.guid);
  });

  test("a guest whom the organiser has to confirm is passed on afterwards", async () => {
    const { events, participations } = home.features;
    const event = await plan(undefined, true);
    const answer = await answerOf(bob, event.guid);
    assertDone(await home.receivePublicly(answer, bob), "stored");
    const key = { eventId: event.id, personId: bob.person.id };
    const { id, reply } = (await participations.find(key)) ?? assert.fail();
    assert.equal(reply, "pending");
    assert.equal(await participations.countComing(event.id), 0);
    const fact = { participationId: id, by: bob.person.id };
    const outgoing = await loadOutgoing(home.features, {
      ...{ type: "participation.changed", ...fact },
    });
    assert.equal(outgoing, undefined);
    // Said again, under a new Guid too, it asks still.
    const again = await answerOf(bob, event.guid);
    assertDone(await home.receivePublicly(again, bob), "stored");
    assert.equal((await participations.find(key))?.reply, "pending");
    await participations.reply(self(), event, id, "confirmed");
    assert.equal(await participations.countComing(event.id), 1);
    const read = await passedOn(event, bob.person, eve, alice);
    assert.deepEqual(read?.signed, again.signed);
    const third = await answerOf(bob, event.guid);
    assertDone(await home.receivePublicly(third, bob), "stored");
    assert.equal((await participations.find(key))?.reply, "confirmed");
    await events.remove(self(), event);
  });

  test("an answer that names the post in place of the event is one to its event", async () => {
    const event = await plan();
    const { posts } = home.features;
    const [post] = await posts.listWithEvent(event.id, alice.id);
    const answer = await answerOf(bob, post?.guid ?? assert.fail());
    assertDone(await home.receivePublicly(answer, bob), "stored");
    assert.equal(await statusOf(event, bob.person), "accepted");
  });

  test("a newer answer takes the place of an older one, and never the other way", async () => {
    const event = await plan();
    const { guid } = await answerOf(bob, event.guid);
    const at = (editedAt: string, status: ParticipationStatus) =>
      answerOf(bob, event.guid, { guid, editedAt, status });
    const first = await at("2026-01-01T10:00:00Z", "accepted");
    const second = await at("2026-01-01T11:00:00Z", "declined");
    assertDone(await home.receivePublicly(first, bob), "stored");
    assertDone(await home.receivePublicly(second, bob), "stored");
    const replayed = await home.receivePublicly(first, bob);
    assertDone(replayed, "ignored: a newer answer is here");
    assert.equal(await statusOf(event, bob.person), "declined");
    const read = await passedOn(event, bob.person, eve, alice);
    assert.deepEqual(read?.signed, second.signed);
  });

  test("an answer is as new as its author's last word, whenever either came here", async () => {
    const event = await plan();
    const first = await answerOf(bob, event.guid);
    const { guid } = first;
    const at = (time: string, status: ParticipationStatus) =>
      answerOf(bob, event.guid, {
        guid,
        editedAt: `2026-01-01T${time}:00Z`,
        status,
      });
    assertDone(await home.receivePublicly(first, bob), "stored");
    // Only its author's clock counts: it arrived here long after that time.
    const declined = await at("10:00", "declined");
    assertDone(await home.receivePublicly(declined, bob), "stored");
    assertDone(
      await home.receivePublicly(first, bob),
      "ignored: a newer answer is here",
    );
    const again = await at("12:00", "declined");
    assertDone(await home.receivePublicly(again, bob), "known");
    const late = await at("11:00", "accepted");
    assertDone(
      await home.receivePublicly(late, bob),
      "ignored: a newer answer is here",
    );
    assert.equal(await statusOf(event, bob.person), "declined");
  });

  test("an answer under a new Guid takes the place of the old one, which never comes back", async () => {
    const event = await plan();
    const { participations, retractions } = home.features;
    const first = await answerOf(bob, event.guid);
    const second = await answerOf(bob, event.guid, { status: "declined" });
    const third = await answerOf(bob, event.guid, { status: "declined" });
    for (const answer of [first, second, third])
      assertDone(await home.receivePublicly(answer, bob), "stored");
    const key = { eventId: event.id, personId: bob.person.id };
    assert.equal((await participations.find(key))?.guid, third.guid);
    for (const { guid } of [first, second]) {
      const thing = { kind: "Attendance", guid } as const;
      const personId = bob.person.id;
      assert.ok(await retractions.find({ ...thing, personId }));
      const kept = await home.deps.db.read
        .selectFrom("relayable_signatures")
        .select("guid")
        .where("guid", "=", guid)
        .execute();
      assert.deepEqual(kept, []);
    }
    const read = await passedOn(event, bob.person, eve, alice);
    assert.deepEqual(read?.signed, third.signed);
    for (const replayed of [first, second])
      assertRefused(await home.receivePublicly(replayed, bob));
    assert.equal((await participations.find(key))?.guid, third.guid);
    // Its author retracts the new one.
    const retraction = {
      type: "retraction",
      author: bob.handle,
      targetGuid: third.guid,
      targetType: "EventParticipation",
    } as const;
    assertDone(await home.receivePublicly(retraction, bob), "retracted");
    assert.equal(await participations.find(key), undefined);
    assertRefused(await home.receivePublicly(third, bob));
  });

  test("an answer that is unsigned, of another person or to an invisible event is refused", async () => {
    const event = await plan();
    const answer = await answerOf(bob, event.guid);
    assertRefused(await home.receivePublicly(answer, eve));
    const signed = answer.signed ?? assert.fail();
    const properties = signed.properties.map(
      ([name, value]): [string, string] => [
        name,
        name === "author" ? eve.handle : value,
      ],
    );
    const forged = { ...answer, signed: { ...signed, properties } };
    assertRefused(await home.receivePublicly(forged, eve));
    assert.equal(await statusOf(event, eve.person), undefined);
    const limited = await plan(bob.person);
    const uninvited = await answerOf(eve, limited.guid);
    assertRefused(await home.receivePrivately(uninvited, eve, alice));
    assert.equal(await statusOf(limited, eve.person), undefined);
    const invited = await answerOf(bob, limited.guid);
    assertDone(await home.receivePrivately(invited, bob, alice), "stored");
    const own = await answerOf(eve, event.guid, { guid: invited.guid });
    assertRefused(await home.receivePublicly(own, eve));
  });

  test("an answer to what is not here, or is nobody's business, waits", async () => {
    const unknown = await answerOf(bob, newGuid());
    const result = await home.receivePublicly(unknown, bob);
    assert.ok(result.kind === "wait");
    const { events } = home.features;
    const own = await events.create({
      owner: self(),
      start: "2026-03-10",
      allDay: true,
      announce: false,
    });
    const asked = await home.receivePublicly(
      await answerOf(bob, own.guid),
      bob,
    );
    assert.ok(asked.kind === "wait");
    assert.equal(asked.reason, result.reason);
  });

  test("an answer from here is signed, and signed anew when it changes", async () => {
    const guid = newGuid();
    const message = {
      ...statusMessage(bob),
      event: {
        type: "event",
        author: bob.handle,
        guid,
        summary: "Concert",
        start: "2026-05-01T18:00:00Z",
        allDay: false,
      },
    } as const;
    assertDone(await home.receivePublicly(message, bob), "stored");
    const { events, participations } = home.features;
    const event = (await events.find({ guid })) ?? assert.fail();
    const guids = new Set<string>();
    for (const status of ["accepted", "declined"] as const) {
      await participations.answer(self(), { guid }, status);
      const read = (await passedOn(event, alice, bob, alice)) ?? assert.fail();
      assert.equal(read.status, status);
      assert.equal(read.parentGuid, guid);
      assert.ok(await verifyAuthorSignature(read, alice.publicKeyPem));
      assert.deepEqual(await passedOn(event, alice, bob, alice), read);
      guids.add(read.guid);
    }
    assert.equal(guids.size, 1);
  });

  test("an answer to one's own entry goes nowhere", async () => {
    const { events, participations } = home.features;
    const owner = self();
    const own = await events.create({
      owner,
      start: "2026-03-10",
      allDay: true,
      announce: false,
    });
    const { id } = await participations.answer(owner, own, "accepted");
    const outgoing = await loadOutgoing(home.features, {
      type: "participation.changed",
      participationId: id,
      by: alice.id,
    });
    assert.equal(outgoing, undefined);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { aspectOf, keepAway, plan } from "../support/scenes/planning.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import type {
  EventRecord,
  NotificationRecord,
  ParticipationRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const pathOf = ({ ID }: EventRecord) => `/calendar/events/${ID}`;
  const answer = (by: TestPerson, event: EventRecord, status: string) =>
    by.put<ParticipationRecord>(`${pathOf(event)}/participation`, { status });
  const answersTo = async (event: EventRecord, viewer: TestPerson) => {
    const { Participations } = await viewer.get<EventRecord>(pathOf(event));
    return Participations.map((it) => [it.Person.Author, it.Status]);
  };
  const notified = async (whom: TestPerson) => {
    await kith().settle();
    return whom.get<NotificationRecord[]>("/notifications");
  };

  test("readers of an event can answer, and change their answer", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const event = await plan(ann);
    const first = await answer(bob, event, "accepted");
    const { ID, Person, ...rest } = first;
    assert.ok(ID > 0);
    assert.equal(Person.Author, bob.handle);
    assert.deepEqual(rest, {
      PersonID: bob.record.ID,
      CalendarEventID: event.ID,
      Status: "accepted",
    });
    assert.deepEqual(await answer(bob, event, "accepted"), first);
    for (const status of ["declined", "tentative"]) {
      const next = await answer(bob, event, status);
      assert.deepEqual(next, { ...first, Status: status });
    }
    const byGuid = `/calendar/events/${event.Guid}/participation`;
    const again = await bob.put(byGuid, { status: "accepted" });
    assert.deepEqual(again, first);
    const shown = await ann.get<EventRecord>(pathOf(event));
    assert.deepEqual(shown.Participations, [first]);
  });

  test("the answers are listed in the event, newest first", async () => {
    const [ann, bob, carl] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [one, other] = [await plan(ann), await plan(ann)];
    await answer(ann, one, "accepted");
    await answer(bob, one, "declined");
    await answer(carl, one, "tentative");
    await answer(bob, other, "accepted");
    assert.deepEqual(await answersTo(one, carl), [
      [carl.handle, "tentative"],
      [bob.handle, "declined"],
      [ann.handle, "accepted"],
    ]);
    assert.deepEqual(await answersTo(other, ann), [[bob.handle, "accepted"]]);
    const listed = await ann.get<EventRecord[]>("/calendar/events");
    const counts = listed
      .filter(({ PersonID }) => PersonID === ann.record.ID)
      .map(({ Participations }) => Participations.length);
    assert.deepEqual(counts, [3, 1]);
  });

  test("at most a hundred answers are shown", async () => {
    const ann = await kith().person();
    const event = await plan(ann);
    const { db, server } = kith();
    for (let n = 0; n < 101; n++) {
      const handle = `guest${n}@remote.example`;
      const { id: personId } = await remotePerson(kith(), handle);
      await server.features.participations.receive({
        guid: `guid-of-answer-number-${n}`,
        eventId: event.ID,
        personId,
        status: "accepted",
      });
    }
    const rows = await db.read
      .selectFrom("participations")
      .select("id")
      .where("event_id", "=", event.ID)
      .orderBy("id", "desc")
      .limit(100)
      .execute();
    const shown = await ann.get<EventRecord>(pathOf(event), {
      fields: "Participations(ID)",
    });
    assert.deepEqual(
      shown.Participations.map(({ ID }) => ID),
      rows.map(({ id }) => id),
    );
  });

  test("an answer is one of three words", async () => {
    const ann = await kith().person();
    const path = `${pathOf(await plan(ann))}/participation`;
    for (const status of ["", "Accepted", "maybe", "needs-action", "accepted "])
      await ann.badRequest("PUT", path, { form: { status } });
    await ann.badRequest("PUT", path);
    await ann.badRequest("PUT", path, { json: { status: true } });
  });

  test("people who may not see an event cannot answer it", async () => {
    const [ann, bob, eve, mal] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const limited = await plan(ann, { aspectID: await aspectOf(ann, bob) });
    const own = await plan(ann, { announce: false });
    const open = await plan(ann);
    await keepAway(kith(), "block", ann, mal);
    const refuse = (by: TestPerson, event: EventRecord) =>
      by.notFound("PUT", `${pathOf(event)}/participation`, {
        form: { status: "accepted" },
      });
    for (const event of [limited, own]) await refuse(eve, event);
    await refuse(bob, own);
    await refuse(mal, open);
    await answer(bob, limited, "accepted");
    await answer(ann, own, "accepted");
    assert.deepEqual(await answersTo(limited, bob), [[bob.handle, "accepted"]]);
  });

  test("one person has one answer, however many come at once", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const event = await plan(ann);
    const statuses = ["accepted", "declined", "tentative"];
    const all = await Promise.all(
      Array.from({ length: 15 }, (_, n) =>
        answer(bob, event, statuses[n % 3] ?? ""),
      ),
    );
    assert.equal(new Set(all.map(({ ID }) => ID)).size, 1);
    assert.equal((await answersTo(event, ann)).length, 1);
    assert.equal((await notified(ann)).length, 1);
  });

  test("an answer to an event that is being deleted is given or refused", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const event = await plan(ann);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        bob.call("PUT", `${pathOf(event)}/participation`, {
          form: { status: "accepted" },
        }),
      ),
      ann.call("DELETE", pathOf(event)),
    ]);
    assert.equal(answers.at(-1)?.status, 200);
    for (const { status } of answers) assert.ok([200, 404].includes(status));
    const { db } = kith();
    const left = await db.read
      .selectFrom("participations")
      .selectAll()
      .where("event_id", "=", event.ID)
      .execute();
    assert.deepEqual(left, []);
    assert.deepEqual(await notified(ann), []);
  });

  test("the owner is notified of each person's last answer, but not of their own", async () => {
    const [ann, bob, carl, mal] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const event = await plan(ann);
    await answer(ann, event, "accepted");
    await answer(bob, event, "tentative");
    await notified(ann);
    await answer(carl, event, "accepted");
    assert.equal((await notified(ann)).length, 2);
    await ann.put("/notifications");
    await answer(bob, event, "tentative");
    assert.ok((await notified(ann)).every(({ Unread }) => !Unread));
    await answer(bob, event, "declined");
    const list = await notified(ann);
    assert.deepEqual(
      list.map((it) => [it.Person.Author, it.Unread]),
      [
        [bob.handle, true],
        [carl.handle, false],
      ],
    );
    for (const it of list)
      assert.deepEqual(
        [it.ShareableType, it.ShareableGuid],
        ["Event", event.Guid],
      );
    await keepAway(kith(), "ignore", ann, mal);
    await answer(mal, event, "accepted");
    assert.equal((await notified(ann)).length, 2);
    assert.deepEqual(await notified(bob), []);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { visitor } from "../support/pages/visit.ts";
import { keepAway, plan } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import type {
  EventRecord,
  NotificationRecord,
} from "../support/server/wire.ts";

const COMING = { start: "2127-03-10T09:00:00Z", end: "2127-03-10T10:00:00Z" };
const PAST = { start: "2001-03-10T09:00:00Z", end: "2001-03-10T10:00:00Z" };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const answer = (who: TestPerson, { ID }: EventRecord, status: string) =>
    who.put(`/calendar/events/${ID}/participation`, { status });
  const noticesOf = async (who: TestPerson) => {
    await kith().settle();
    return (await who.get<NotificationRecord[]>("/notifications")).map(
      ({ ShareableType, ShareableGuid }) => `${ShareableType} ${ShareableGuid}`,
    );
  };

  test("guests are notified that an event is deleted before it is over", async () => {
    const [ann, bob, eve, zoe] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const event = await plan(ann, COMING);
    const past = await plan(ann, PAST);
    await answer(bob, event, "accepted");
    await answer(eve, event, "tentative");
    await answer(zoe, event, "declined");
    await answer(bob, past, "accepted");
    for (const { ID } of [event, past])
      await ann.delete(`/calendar/events/${ID}`);
    for (const guest of [bob, eve])
      assert.deepEqual(await noticesOf(guest), [`Cancellation ${event.Guid}`]);
    assert.deepEqual(await noticesOf(zoe), []);
    assert.deepEqual(await noticesOf(ann), []);

    const browser = visitor(kith().baseUrl);
    const { username } = bob;
    await browser.post("/users/sign_in", { username, password: PASSWORD });
    const { text } = await browser.get("/notifications?about=events");
    assert.match(
      text,
      RegExp(`${ann.username}[^]*cancelled an event that you`),
    );
    assert.match(text, RegExp(`<p dir="auto">${event.Summary}</p>`));
    assert.doesNotMatch(text, />Show</);
  });

  test("a guest who may not see the event any more learns nothing of it", async () => {
    const ann = await kith().person();
    const eve = await kith().person();
    const event = await plan(ann, COMING);
    await answer(eve, event, "accepted");
    await keepAway(kith(), "block", ann, eve);
    await ann.delete(`/calendar/events/${event.ID}`);
    assert.deepEqual(await noticesOf(eve), []);
  });
});

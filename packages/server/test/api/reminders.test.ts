import assert from "node:assert/strict";
import { test } from "node:test";
import { createRemind } from "../../src/features/reminders/index.ts";
import { describeNotice } from "../../src/pages/notifications/describe-notice.ts";
import type { LeasedJob } from "../../src/jobs/job.ts";
import { CalendarProgram } from "../support/caldav/calendar-program.ts";
import { aspectOf } from "../support/scenes/audience.ts";
import { sharedCalendar } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type {
  EventRecord,
  NotificationRecord,
} from "../support/server/wire.ts";

type Reminders = {
  readonly Minutes: readonly number[];
  readonly Chosen: boolean;
  readonly Reminded: boolean;
};

const MINUTE_MS = HOUR_MS / 60;

forEachDatabase((kind) => {
  const kith = useKith(kind);

  /** In whole seconds, as calendar programs have them. */
  const inMs = (ms: number) => {
    const at = kith().clock.now().getTime() + ms;
    return new Date(at - (at % 1000)).toISOString();
  };
  const plan = (
    by: TestPerson,
    hours: number,
    more: Record<string, string | number | boolean> = {},
  ) =>
    by.post<EventRecord>("/calendar/events", {
      ...{ summary: "Choir", announce: false },
      ...{ start: inMs(hours * HOUR_MS), end: inMs((hours + 1) * HOUR_MS) },
      ...more,
    });
  const remind = () => {
    const { db, clock, server } = kith();
    const run = createRemind({ ...server.features, db, clock });
    const job = { attempts: 1 } as LeasedJob;
    return run({}, { job, signal: AbortSignal.any([]) });
  };
  const wait = async (ms: number) => {
    await remind();
    kith().clock.advance(ms);
    await remind();
    await kith().settle();
  };
  const reminders = async (who: TestPerson) =>
    (
      await who.get<NotificationRecord[]>("/notifications", { limit: 100 })
    ).filter(({ ShareableType }) => ShareableType === "Event");
  const countReminders = async (who: TestPerson) =>
    (await reminders(who)).length;
  const choose = async (
    who: TestPerson,
    event: EventRecord,
    minutes: number[],
  ) => {
    const answer = await who.call("PUT", pathOf(event), { json: { minutes } });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as Reminders;
  };
  const pathOf = ({ ID }: EventRecord) => `/calendar/events/${ID}/reminders`;

  test("by default one is reminded of one's own event an hour before it, once", async () => {
    const ann = await kith().person();
    const event = await plan(ann, 3);
    assert.deepEqual(await ann.get<Reminders>(pathOf(event)), {
      ...{ Minutes: [60], Chosen: false, Reminded: true },
    });
    await wait(2 * HOUR_MS - MINUTE_MS);
    assert.equal(await countReminders(ann), 0);
    await wait(2 * MINUTE_MS);
    const [first, ...more] = await reminders(ann);
    assert.equal(more.length, 0);
    assert.equal(first?.ShareableGuid, event.Guid);
    const { server, baseUrl } = kith();
    const { features } = server;
    const user = { userId: ann.record.UserID, personId: ann.record.ID };
    const notification = await features.notifications.get(user, first.ID);
    const shown = await describeNotice(
      { ...features, baseUrl, proxyUrlOf: (url) => url },
      user,
      notification,
    );
    assert.match(shown?.title ?? "", /^Your event begins soon$/);
    assert.match(shown?.body ?? "", /^Choir · .*20\d\d/);
    assert.equal(shown?.url, `${baseUrl}/events/${event.Guid}`);
    await wait(HOUR_MS);
    await wait(24 * HOUR_MS);
    assert.deepEqual(
      (await reminders(ann)).map(({ ID }) => ID),
      [first.ID],
    );
  });

  test("guests who come are reminded; others, and those who decline, are not", async () => {
    const [ann, bob, eve] = await Promise.all([
      kith().person(),
      kith().person(),
      kith().person(),
    ]);
    const aspectID = await aspectOf(ann, bob, eve);
    const event = await plan(ann, 3, { announce: true, aspectID });
    const answer = (who: TestPerson, status: string) =>
      who.put(`/calendar/events/${event.ID}/participation`, { status });
    await answer(bob, "tentative");
    await answer(eve, "accepted");
    await answer(eve, "declined");
    await kith().settle();
    assert.equal((await eve.get<Reminders>(pathOf(event))).Reminded, false);
    const before = await Promise.all([
      countReminders(bob),
      countReminders(eve),
    ]);
    await wait(2.5 * HOUR_MS);
    const after = await Promise.all([countReminders(bob), countReminders(eve)]);
    assert.deepEqual(
      after.map((count, index) => count - (before[index] ?? 0)),
      [1, 0],
    );
  });

  test("readers of a shared calendar are reminded of what they choose, while it is shared", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { ID: calendarID } = await sharedCalendar(ann, bob);
    const [first, second] = [
      await plan(ann, 3, { calendarID }),
      await plan(ann, 3, { calendarID }),
    ];
    assert.deepEqual(await bob.get<Reminders>(pathOf(first)), {
      ...{ Minutes: [], Chosen: false, Reminded: false },
    });
    await choose(bob, first, [30]);
    await choose(bob, second, [30]);
    assert.equal((await bob.call("DELETE", pathOf(second))).status, 200);
    await wait(2.6 * HOUR_MS);
    assert.equal(await countReminders(bob), 1);
    const third = await plan(ann, 3, { calendarID });
    await choose(bob, third, [30]);
    // The owner moves it: the choice goes along.
    await ann.put(`/calendar/events/${third.ID}`, {
      ...{ start: inMs(5 * HOUR_MS), end: inMs(6 * HOUR_MS) },
    });
    await wait(3 * HOUR_MS);
    assert.equal(await countReminders(bob), 1);
    await wait(2 * HOUR_MS);
    assert.equal(await countReminders(bob), 2);
    const listNotified = () =>
      kith()
        .db.read.selectFrom("notifications")
        .select("id")
        .where("user_id", "=", bob.record.UserID)
        .where("reason", "=", "event_reminder")
        .execute();
    const fourth = await plan(ann, 3, { calendarID });
    await choose(bob, fourth, [30]);
    await bob.delete(`/shared_calendars/${calendarID}`);
    await wait(2.6 * HOUR_MS);
    assert.equal((await listNotified()).length, 2);
    // Nothing of what one may see no more is listed.
    assert.equal(await countReminders(bob), 0);
  });

  test("an event that moved reminds again, one that is gone never", async () => {
    const ann = await kith().person();
    const [moved, gone] = [await plan(ann, 3), await plan(ann, 3)];
    await wait(HOUR_MS);
    await ann.delete(`/calendar/events/${gone.ID}`);
    await ann.put(`/calendar/events/${moved.ID}`, {
      ...{ start: inMs(5 * HOUR_MS), end: inMs(6 * HOUR_MS) },
    });
    await wait(2 * HOUR_MS);
    assert.equal(await countReminders(ann), 0);
    await wait(2.5 * HOUR_MS);
    assert.equal(await countReminders(ann), 1);
  });

  test("the choice for an event wins over the settings, and can be taken back", async () => {
    const ann = await kith().person();
    const settings = await ann.put<Record<string, unknown>>("/settings", {
      EventReminder: "30",
      DayReminder: "",
    });
    assert.equal(settings["EventReminder"], 30);
    assert.equal(settings["DayReminder"], null);
    const [usual, early, never] = [
      await plan(ann, 30),
      await plan(ann, 30),
      await plan(ann, 30),
    ];
    const chosen = await choose(ann, early, [1440, 10, 1440]);
    assert.deepEqual(chosen.Minutes, [1440, 10]);
    assert.deepEqual((await ann.put<Reminders>(pathOf(never))).Minutes, []);
    await wait(7 * HOUR_MS);
    const guids = async () =>
      (await reminders(ann)).map(({ ShareableGuid }) => ShareableGuid);
    assert.deepEqual(await guids(), [early.Guid]);
    await wait(22 * HOUR_MS + 40 * MINUTE_MS);
    assert.deepEqual(await guids(), [usual.Guid, early.Guid]);
    const reset = await ann.call("DELETE", pathOf(never));
    assert.equal(reset.status, 200, reset.text);
    assert.deepEqual((JSON.parse(reset.text) as Reminders).Minutes, [30]);
    // That moment is past.
    await wait(HOUR_MS);
    assert.ok(!(await guids()).includes(never.Guid));
  });

  test("each event of a series reminds, but for those taken out", async () => {
    const ann = await kith().person();
    const event = await plan(ann, 3, { recurrence: "FREQ=DAILY;COUNT=4" });
    const second = new Date(Date.parse(event.Start) + 24 * HOUR_MS);
    await ann.put(`/calendar/events/${event.ID}`, {
      exdates: second.toISOString(),
    });
    const ids: unknown[] = [];
    for (let day = 0; day < 5; day += 1) {
      await wait(2.5 * HOUR_MS);
      ids.push((await reminders(ann))[0]?.ID);
      await wait(21.5 * HOUR_MS);
    }
    assert.ok(ids[0] !== undefined);
    assert.equal(ids[1], ids[0]);
    assert.notEqual(ids[2], ids[1]);
    assert.notEqual(ids[3], ids[2]);
    assert.equal(ids[4], ids[3]);
    assert.equal(await countReminders(ann), 1);
  });

  test("the alarms of a calendar program are those of its event", async () => {
    const ann = await kith().person();
    const program = new CalendarProgram(kith(), ann.username);
    const home = await program.makeCalendar("alarmed");
    const stamp = (at: string) => `${at.slice(0, 19).replace(/[-:]/g, "")}Z`;
    const alarm = (...lines: string[]) =>
      ["BEGIN:VALARM", ...lines, "END:VALARM"].join("\r\n");
    const put = async (uid: string, ...alarms: string[]) => {
      const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"];
      lines.push("BEGIN:VEVENT", `UID:${uid}`, `DTSTAMP:${stamp(inMs(0))}`);
      lines.push(`DTSTART:${stamp(inMs(4 * HOUR_MS))}`, "SUMMARY:Alarmed");
      lines.push(`DTEND:${stamp(inMs(5 * HOUR_MS))}`, ...alarms);
      lines.push("END:VEVENT", "END:VCALENDAR", "");
      const body = lines.join("\r\n");
      const { status, text } = await program.put(`${home}${uid}.ics`, body);
      assert.equal(status, 201, text);
    };
    await put(
      "several",
      alarm("ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT15M"),
      alarm("ACTION:AUDIO", "TRIGGER;RELATED=END:-PT30M"),
      alarm(
        "ACTION:DISPLAY",
        "DESCRIPTION:x",
        `TRIGGER;VALUE=DATE-TIME:${stamp(inMs(HOUR_MS))}`,
      ),
      alarm("ACTION:NONE", "TRIGGER:-PT200M"),
    );
    await put("without");
    const events = await ann.get<EventRecord[]>("/calendar/events");
    const leads = await Promise.all(
      events.map(async (it) => (await ann.get<Reminders>(pathOf(it))).Minutes),
    );
    assert.deepEqual(
      leads.map((it) => it.join(" ")).sort(),
      ["15 -30 180", "60"].sort(),
    );
    const ids = new Set<unknown>();
    for (let quarter = 0; quarter < 20; quarter += 1) {
      await wait(15 * MINUTE_MS);
      for (const { ID } of await reminders(ann)) ids.add(ID);
    }
    // Three of the first event, and one of the second.
    assert.equal(ids.size, 4);
  });

  test("a day begins where its reader is", async () => {
    const ann = await kith().person();
    await ann.put("/settings", { TimeZone: "America/New_York" });
    const day = inMs(72 * HOUR_MS).slice(0, 10);
    await ann.post("/calendar/events", {
      ...{ summary: "Holiday", announce: false, all_day: true },
      ...{ start: day, end: day },
    });
    // Nine o'clock of the day before, there: four or five hours later than in UTC.
    const inUtc = Date.parse(`${day}T00:00:00Z`) - 15 * HOUR_MS;
    await wait(inUtc - kith().clock.now().getTime() + 3.5 * HOUR_MS);
    assert.equal(await countReminders(ann), 0);
    await wait(2 * HOUR_MS);
    assert.equal(await countReminders(ann), 1);
  });

  test("after an outage what is over is not told, and the rest once", async () => {
    const ann = await kith().person();
    await plan(ann, 3);
    const later = await plan(ann, 30);
    await choose(ann, later, [1440, 600]);
    await wait(25 * HOUR_MS);
    assert.deepEqual(
      (await reminders(ann)).map(({ ShareableGuid }) => ShareableGuid),
      [later.Guid],
    );
  });

  test("somebody who may not see an event any more is not reminded", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspectID = await aspectOf(ann, bob);
    const event = await plan(ann, 3, { announce: true, aspectID });
    await bob.put(`/calendar/events/${event.ID}/participation`, {
      status: "accepted",
    });
    await kith().settle();
    const before = await countReminders(bob);
    await ann.post(`/people/${bob.record.ID}/block`);
    await wait(2.5 * HOUR_MS);
    assert.ok((await countReminders(bob)) <= before);
    await bob.notFound("GET", pathOf(event));
    await bob.notFound("PUT", pathOf(event));
    await bob.notFound("DELETE", pathOf(event));
  });

  test("two processes at once, or the same job twice, tell it once", async () => {
    const ann = await kith().person();
    await plan(ann, 3);
    await remind();
    kith().clock.advance(2.5 * HOUR_MS);
    await Promise.all([remind(), remind(), remind()]);
    assert.equal(await countReminders(ann), 1);
    const [first] = await reminders(ann);
    await remind();
    assert.equal((await reminders(ann))[0]?.ID, first?.ID);
  });

  test("bad input is refused, and changes nothing", async () => {
    const ann = await kith().person();
    const event = await plan(ann, 3);
    for (const minutes of ["-1", "40321", "1.5", "x"])
      await ann.badRequest("PUT", pathOf(event), { form: { minutes } });
    await ann.badRequest("PUT", pathOf(event), {
      json: { minutes: [1, 2, 3, 4, 5, 6] },
    });
    for (const EventReminder of ["-1", "40321", "1.5", "x"])
      await ann.badRequest("PUT", "/settings", { form: { EventReminder } });
    assert.deepEqual((await ann.get<Reminders>(pathOf(event))).Minutes, [60]);
  });
});

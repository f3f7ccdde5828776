import assert from "node:assert/strict";
import { afterEach } from "node:test";
import {
  createReadElsewhere,
  createRefreshCalendars,
} from "../../../src/features/subscribed-calendars/index.ts";
import type { LeasedJob } from "../../../src/jobs/job.ts";
import { createGuardedFetch } from "../../../src/lib/http-client/guarded-fetch.ts";
import { CalendarProgram, icalOf } from "./calendar-program.ts";
import { page, useWebPages } from "../pages/web-pages.ts";
import type { DatabaseKind } from "../server/databases.ts";
import { useKith, type TestPerson } from "../server/kith-server.ts";
import type {
  SubscribedCalendarRecord,
  SubscribedEventRecord,
} from "../server/wire.ts";

export const MARCH = {
  from: "2027-03-01T00:00:00Z",
  to: "2027-04-01T00:00:00Z",
};
export const SUBSCRIBED = "/subscribed_calendars";

export const ical = (text: string) => page(text, "text/calendar");

/** A calendar of events, as another server writes it. */
export function feed(
  events: readonly string[][],
  ...head: readonly string[]
): string {
  const written = events.map(([uid = "", ...lines]) =>
    icalOf(uid, ...lines)
      .split("\r\n")
      .slice(3, -2)
      .join("\r\n"),
  );
  return [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Club//EN", ...head],
    ...[...written, "END:VCALENDAR", ""],
  ].join("\r\n");
}

export const GAME = ["game", "SUMMARY:Home game", "LOCATION:Stadium"];
const TRAINING = [
  ...["training", "SUMMARY:Training", "RRULE:FREQ=WEEKLY;COUNT=3"],
  ...["DTSTART;TZID=Europe/Berlin:20270302T180000"],
  ...["DTEND;TZID=Europe/Berlin:20270302T193000"],
];
export const HOLIDAY = [
  "holiday",
  "SUMMARY:Holiday",
  "DTSTART;VALUE=DATE:20270326",
];
export const CLUB = feed([GAME, TRAINING, HOLIDAY], "X-WR-CALNAME:The club");

/** Starts a server, a site of calendars, and people who subscribe to them. */
export function useSubscribers(kind: DatabaseKind) {
  const site = useWebPages();
  const kith = useKith(kind);
  afterEach(() =>
    kith().db.transaction(async (tx) => {
      await tx.deleteFrom("subscribed_calendars").execute();
    }),
  );
  let paths = 0;
  const address = () => site.at(`/calendar/${(paths += 1)}.ics`);

  const subscribe = (who: TestPerson, url: string, more = {}) =>
    who.post<SubscribedCalendarRecord>(SUBSCRIBED, { url, ...more });
  const somebody = async (text = CLUB) => {
    const who = await kith().person();
    site.respond = ical(text);
    const url = address();
    const calendar = await subscribe(who, url);
    const program = new CalendarProgram(kith(), who.username);
    return { who, url, calendar, program };
  };
  const list = (who: TestPerson) =>
    who.get<SubscribedCalendarRecord[]>(SUBSCRIBED, { limit: 100 });
  const only = async (who: TestPerson) => {
    const [calendar, ...more] = await list(who);
    assert.ok(calendar);
    assert.deepEqual(more, []);
    return calendar;
  };
  const eventsIn = (who: TestPerson, range: object = MARCH) =>
    who.get<SubscribedEventRecord[]>("/subscribed_events", {
      ...{ ...range, limit: 100 },
    });
  const summaries = async (who: TestPerson) =>
    (await eventsIn(who)).map(({ Summary }) => Summary);
  /** Runs the job that reads what is due. */
  const refreshDue = async () => {
    const { db, clock } = kith();
    const fetch = createGuardedFetch({
      ...{ allowPrivateNetwork: true, userAgent: "Kith/test" },
    });
    const run = createRefreshCalendars(
      { db, clock },
      createReadElsewhere(fetch),
    );
    const job = { attempts: 1 } as LeasedJob;
    const outcome = await run({}, { job, signal: AbortSignal.any([]) });
    await fetch.close();
    return outcome;
  };
  const wait = async (ms: number) => {
    kith().clock.advance(ms);
    await refreshDue();
  };
  return {
    ...{ address, eventsIn, kith, list, only, refreshDue, site },
    ...{ somebody, subscribe, summaries, wait },
  };
}

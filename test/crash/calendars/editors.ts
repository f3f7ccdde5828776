import { createDAVClient, type DAVCalendar } from "tsdav";
import {
  CalendarProgram,
  icalOf,
  NAMESPACES,
  responsesIn,
} from "../../../packages/server/test/support/caldav/calendar-program.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { keyOf, type CalendarRecord, type Ending } from "./record.ts";

/** One of those who edit the calendar at the same time. */
export type Editor = {
  readonly name: string;
  /** Does one thing, chosen at random. It may fail: the server may be away. */
  readonly act: () => Promise<void>;
  /** Reads everything, and gives the names of the events that it then knows. */
  readonly read: () => Promise<readonly string[]>;
};

export type EditorInput = {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly record: CalendarRecord;
  readonly random: () => number;
};

/** The page of a month shows 300. */
const ENOUGH = 200;

const pick = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)];

const endingOf = (status: number): Ending =>
  status < 300 ? "done" : status < 500 ? "refused" : "unknown";

/** Of a program: with a property and an alarm that no page may lose. */
export const textOf = (key: string, summary: string): string =>
  icalOf(
    `${key}@fire.example`,
    ...[`SUMMARY:${summary}`, `X-KEPT:${key}`],
    ...["DTSTART:20310610T090000Z", "DTEND:20310610T100000Z"],
    ...["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x"],
    ...["TRIGGER:-PT5M", "END:VALARM"],
  );

export const summaryIn = (text: string): string =>
  /^SUMMARY:(.*?)\r?$/m.exec(text)?.[1] ?? "";

const renamed = (text: string, summary: string): string =>
  text
    .replace(/^SUMMARY:.*?(\r?)$/m, `SUMMARY:${summary}$1`)
    .replace(/^DTSTAMP:.*?(\r?)$/m, `DTSTAMP:20310101T000000Z$1`);

type Copy = { readonly etag: string; readonly text: string };

/** A program that keeps a copy of the calendar, and asks for what has changed. */
export function createSyncingProgram(
  { record, random, ...account }: EditorInput,
  path: string,
  name: string,
): Editor {
  const program = new CalendarProgram(
    account,
    account.username,
    account.password,
  );
  const copies = new Map<string, Copy>();
  let token = "";
  const fetchAll = async (hrefs: readonly string[]) => {
    if (hrefs.length === 0) return;
    const body = `<c:calendar-multiget ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>
      ${hrefs.map((href) => `<d:href>${href}</d:href>`).join("")}</c:calendar-multiget>`;
    const { status, text } = await program.report(path, body);
    if (status !== 207) throw new Error(`multiget: ${status}`);
    for (const { href, xml, status: own } of responsesIn(text)) {
      if (own === 404) copies.delete(href);
      else copies.set(href, copyIn(xml));
    }
  };
  const sync = async (): Promise<void> => {
    const body = `<d:sync-collection ${NAMESPACES}><d:sync-token>${token}</d:sync-token>
      <d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`;
    const { status, text } = await program.report(path, body);
    if (status === 403 && token !== "") {
      token = "";
      copies.clear();
      return sync();
    }
    if (status !== 207) throw new Error(`sync: ${status}`);
    const changes = responsesIn(text);
    for (const { href, status: own } of changes)
      if (own === 404) copies.delete(href);
    await fetchAll(
      changes.filter((it) => it.status === undefined).map(({ href }) => href),
    );
    token = /<d:sync-token>([^<]*)<\/d:sync-token>/.exec(text)?.[1] ?? token;
  };
  const put = (key: string, summary: string, href: string, copy?: Copy) =>
    record.note(key, summary, async () => {
      const condition = copy
        ? { "if-match": copy.etag }
        : { "if-none-match": "*" };
      const text = copy ? renamed(copy.text, summary) : textOf(key, summary);
      const { status } = await program.put(href, text, condition);
      return endingOf(status);
    });
  return {
    name,
    read: async () => {
      await sync();
      return [...copies.values()].map(({ text }) => summaryIn(text));
    },
    act: async () => {
      const lot = random();
      if (lot < 0.3) return sync();
      const known = pick([...copies], random);
      if (!known || (lot < 0.55 && copies.size < ENOUGH)) {
        const key = record.newKey();
        const summary = record.newSummary(key, name);
        await put(key, summary, `${path}${key}.ics`);
        return;
      }
      const [href, copy] = known;
      const key = keyOf(summaryIn(copy.text));
      if (lot < 0.9) {
        await put(key, record.newSummary(key, name), href, copy);
        return;
      }
      await record.note(key, undefined, async () => {
        const headers = { "if-match": copy.etag };
        const { status } = await program.send("DELETE", href, { headers });
        return endingOf(status);
      });
    },
  };
}

function copyIn(xml: string): Copy {
  const [, etag = ""] = /<d:getetag>([^<]*)<\/d:getetag>/.exec(xml) ?? [];
  const [, data = ""] =
    /<c:calendar-data[^>]*>([^]*?)<\/c:calendar-data>/.exec(xml) ?? [];
  return { etag: unescape(etag), text: unescape(data) };
}

const SIGNS: Readonly<Record<string, string>> = {
  ...{ "#13": "\r", amp: "&", gt: ">", lt: "<", quot: '"' },
};

function unescape(text: string): string {
  return text.replaceAll(
    /&(#13|amp|gt|lt|quot);/g,
    (_, sign: string) => SIGNS[sign] ?? "",
  );
}

/** A program that is not ours: it finds, reads, writes and syncs as tsdav does. */
export async function createForeignProgram(
  { baseUrl, username, password, record, random }: EditorInput,
  name: string,
): Promise<Editor> {
  const client = await createDAVClient({
    ...{ serverUrl: baseUrl, credentials: { username, password } },
    ...{ authMethod: "Basic", defaultAccountType: "caldav" },
  });
  let calendars: DAVCalendar[] = [];
  const sync = async () => {
    calendars = await client.syncCalendars({ oldCalendars: calendars });
    const [calendar] = calendars;
    if (calendar && !calendar.objects?.length)
      calendar.objects = await client.fetchCalendarObjects({ calendar });
  };
  await sync();
  const objects = () =>
    (calendars[0]?.objects ?? []).map((object) => ({
      object,
      text: String(object.data),
    }));
  return {
    name,
    read: async () => {
      await sync();
      return objects().map(({ text }) => summaryIn(text));
    },
    act: async () => {
      const [calendar] = calendars;
      const lot = random();
      if (lot < 0.4 || !calendar) return sync();
      const known = pick(objects(), random);
      if (!known || (lot < 0.6 && objects().length < ENOUGH)) {
        const key = record.newKey();
        const summary = record.newSummary(key, name);
        await record.note(key, summary, async () => {
          const iCalString = textOf(key, summary);
          const filename = `${key}.ics`;
          const sent = { calendar, iCalString, filename };
          return endingOf((await client.createCalendarObject(sent)).status);
        });
        return;
      }
      const key = keyOf(summaryIn(known.text));
      if (lot < 0.92) {
        const summary = record.newSummary(key, name);
        await record.note(key, summary, async () => {
          const data = renamed(known.text, summary);
          const calendarObject = { ...known.object, data };
          const sent = { calendarObject };
          return endingOf((await client.updateCalendarObject(sent)).status);
        });
        return;
      }
      await record.note(key, undefined, async () => {
        const sent = { calendarObject: known.object };
        return endingOf((await client.deleteCalendarObject(sent)).status);
      });
    },
  };
}

type Listed = { readonly Guid: string; readonly Summary: string };

/** Somebody at the pages, who reads by the API what there is. */
export function createPageEditor(
  { record, random }: EditorInput,
  {
    api,
    calendar,
    send,
  }: {
    readonly api: ApiClient;
    readonly calendar: string;
    /** Sends a form. */
    readonly send: (
      path: string,
      form: Record<string, string>,
    ) => Promise<{ readonly status: number }>;
  },
): Editor {
  const name = "page";
  const list = async () => {
    const all: Listed[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = `/calendar/events?calendarID=${calendar}&limit=100&offset=${offset}`;
      const some = (await api.getList(path)) as unknown as Listed[];
      all.push(...some);
      if (some.length < 100) return all;
    }
  };
  const form = (summary: string) => ({
    ...{ summary, calendar, audience: "self", location: "", description: "" },
    ...{ start_day: "2031-06-10", start_time: "09:00", end_day: "" },
    ...{ end_time: "10:00", time_zone: "UTC" },
  });
  const sent = async (path: string, fields: Record<string, string>) => {
    const { status } = await send(path, fields);
    return status === 302 ? "done" : endingOf(status === 200 ? 422 : status);
  };
  return {
    name,
    read: async () => (await list()).map(({ Summary }) => Summary),
    act: async () => {
      const lot = random();
      const all = await list();
      const known = pick(all, random);
      if (!known || (lot < 0.25 && all.length < ENOUGH)) {
        const key = record.newKey();
        const summary = record.newSummary(key, name);
        await record.note(key, summary, () =>
          sent("/events/new", form(summary)),
        );
        return;
      }
      const key = keyOf(known.Summary);
      const path = `/events/${known.Guid}`;
      if (lot < 0.9) {
        const summary = record.newSummary(key, name);
        await record.note(key, summary, () =>
          sent(`${path}/edit`, form(summary)),
        );
        return;
      }
      await record.note(key, undefined, () => sent(`${path}/delete`, {}));
    },
  };
}

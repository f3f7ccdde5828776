import {
  asList,
  asObject,
  type Json,
} from "../../../../lib/archives/read-json.ts";
import { isTime } from "../../../../lib/archives/read-values.ts";
import type { Unpacked } from "../../../../lib/archives/unpack.ts";
import type { ImportItem } from "../../import-item.ts";
import type { ItemEvent } from "../../item-shapes.ts";
import {
  readCount,
  readProperties,
  readStorable,
  readTexts,
  readWord,
  recordsOf,
} from "./kith-records.ts";

type Items = AsyncGenerator<ImportItem, void, undefined>;

/** More than anybody has: the others are left out with their names. */
const MAX_CALENDARS = 1_000;

/** Calendars with the owner's events, and the addresses of calendars elsewhere. */
export async function* readPlans(files: Unpacked): Items {
  const guids = new Map<unknown, string>();
  for await (const calendar of recordsOf(files, "calendars")) {
    const source = readStorable(calendar["guid"]);
    const name = readStorable(calendar["name"]);
    if (source !== "" && guids.size < MAX_CALENDARS)
      guids.set(calendar["id"], source);
    const properties = readProperties(calendar["properties"]);
    yield source === ""
      ? { kind: "calendar", name, fault: "malformed" }
      : { kind: "calendar", name, calendar: { source, name, properties } };
  }
  for await (const event of recordsOf(files, "events"))
    yield readEvent(event, guids.get(event["calendarId"]) ?? null);
  for await (const { event, minutesBefore } of recordsOf(
    files,
    "event-reminders",
  ))
    yield {
      ...{
        kind: "reminder",
        name: readStorable(event),
        event: readStorable(event),
      },
      minutes: asList(minutesBefore).flatMap((it) => readCount(it) ?? []),
    };
  for await (const record of recordsOf(files, "subscribed-calendars")) {
    const url = readStorable(record["url"]);
    const properties = readProperties(record["properties"]);
    const subscription = {
      url,
      name: readStorable(record["name"]),
      properties,
    };
    // The address may be secret: its host is shown.
    const name = URL.parse(url)?.host ?? "";
    yield { kind: "subscribed_calendar", name, subscription };
  }
}

const STATUSES = ["cancelled", "confirmed", "postponed", "tentative"] as const;

function readEvent(record: Json, calendar: string | null): ImportItem {
  const source = readStorable(record["guid"]);
  const name = readStorable(record["summary"]);
  if (source === "") return { kind: "event", name, fault: "malformed" };
  const { createdAt, updatedAt } = record;
  if (!isTime(createdAt)) return { kind: "event", name, fault: "no_date" };
  const text = readStorable(record["iCalendar"]);
  const event: ItemEvent = {
    ...{ source, calendar, createdAt },
    updatedAt: isTime(updatedAt) ? updatedAt : createdAt,
    uid: readStorable(record["uid"]),
    details: readDetails(record),
    recurrence: readRecurrence(record["recurrence"]),
    status: readWord(record["status"], STATUSES) ?? "confirmed",
    capacity: readCount(record["capacity"]) ?? null,
    needsApproval: record["needsApproval"] === true,
    text: text === "" ? null : text,
  };
  return { kind: "event", name, event };
}

function readDetails(record: Json): ItemEvent["details"] {
  const start = readStorable(record["start"]);
  const end = readStorable(record["end"]) || start;
  const isOfDays = record["allDay"] === true;
  return {
    ...{ start, allDay: isOfDays },
    ...(isOfDays ? { lastDay: end } : { end }),
    summary: readStorable(record["summary"]),
    description: readStorable(record["description"]),
    location: readStorable(record["location"]),
    timeZone: readStorable(record["timeZone"]),
  };
}

function readRecurrence(value: unknown): ItemEvent["recurrence"] {
  if (value === null || value === undefined) return null;
  const { rule, added, removed, changed } = asObject(value);
  return {
    rule: readStorable(rule) || null,
    added: readTexts(added),
    removed: readTexts(removed),
    changed: asList(changed)
      .map(asObject)
      .map((it) => ({
        ...{ at: readStorable(it["at"]), start: readStorable(it["start"]) },
        end: readStorable(it["end"]) || null,
        allDay: it["allDay"] === true,
        summary: readStorable(it["summary"]),
        description: readStorable(it["description"]),
        location: readStorable(it["location"]),
        isCancelled: it["isCancelled"] === true,
      })),
  };
}

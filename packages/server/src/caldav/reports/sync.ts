import type { CalendarObject } from "../../features/events/index.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { responseOf, statusElement } from "../resources/multistatus.ts";
import { calendarHref, objectHref } from "../resources/paths.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import {
  listNamedObjects,
  readSyncToken,
  syncTokenOf,
} from "../resources/resource.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";
import { DAV, type XmlText } from "../xml/write-xml.ts";
import { createObjectResponses } from "./object-responses.ts";

const MAX_RESULTS = 2000;
const AT_ONCE = 200;

export type SyncChanges = {
  readonly responses: readonly XmlText[];
  readonly token: string;
};

/** The changes since a token (RFC 6578, section 3). */
export async function sync(
  call: DavCall,
  calendar: DavCalendar,
  body: XmlElement,
): Promise<SyncChanges> {
  const token = findChild(body, DAV, "sync-token")?.text.trim() ?? "";
  const isFirst = token === "";
  const after = isFirst ? 0 : readSyncToken(token, calendar);
  if (after === undefined) throw new DavError(403, [DAV, "valid-sync-token"]);
  // A token of a calendar that is computed names nothing but all of it.
  const limit = calendar.members ? Infinity : readLimit(body);
  const { id, pathName, share } = calendar;
  const found = await listChanges(call, calendar, after, limit + 1);
  const changes = found.slice(0, limit);
  // Readers who did not see it do not learn its name: all of them read the calendar again.
  if (!isFirst && share && changes.some(({ wasLimited }) => wasLimited))
    throw new DavError(403, [DAV, "valid-sync-token"]);
  const writer = await createObjectResponses(call, body);
  const { username } = call.user;
  const responses: XmlText[] = [];
  for (let at = 0; at < changes.length; at += AT_ONCE) {
    const some = changes.slice(at, at + AT_ONCE);
    const kept = some.filter(({ isRemoved }) => !isRemoved);
    const names = kept.map(({ name }) => name);
    const there = await listNamedObjects(call, calendar, names);
    responses.push(...(await writer.write(calendar, there)));
    if (!isFirst)
      for (const { name, isRemoved } of some)
        if (isRemoved) {
          const href = objectHref(username, pathName, name);
          responses.push(responseOf(href, [statusElement(404)]));
        }
  }
  const last = changes.at(-1);
  const isCut = found.length > limit;
  if (isCut) {
    const href = calendarHref(username, pathName);
    responses.push(responseOf(href, [statusElement(507)]));
  }
  const state = isCut && last ? { id, changes: last.change } : calendar;
  return { responses, token: syncTokenOf(call.deps.baseUrl, state) };
}

async function listChanges(
  { deps }: DavCall,
  { id, members, subscription }: DavCalendar,
  after: number,
  limit: number,
) {
  const { events, subscribedCalendars } = deps;
  if (members) return after === 0 ? members.map(asChange) : [];
  if (!subscription) return events.objects.listChanges(id, after, limit);
  const { objects } = subscribedCalendars;
  const found = await objects.listChanges(subscription.id, after, limit);
  return found.map(asChange);
}

function asChange({ name, change }: Pick<CalendarObject, "change" | "name">) {
  return { ...{ name, change }, isRemoved: false, wasLimited: false };
}

function readLimit(body: XmlElement): number {
  const limit = findChild(body, DAV, "limit");
  const text = findChild(limit, DAV, "nresults")?.text.trim() ?? "";
  const wanted = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : MAX_RESULTS;
  return Math.min(wanted, MAX_RESULTS);
}

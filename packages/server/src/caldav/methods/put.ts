import { renderObjects } from "../../features/calendar-files/index.ts";
import type { SyncedCalendar } from "../../features/calendars/index.ts";
import type { PutObject, PutOutcome } from "../../features/events/index.ts";
import { CalendarDataError } from "../../lib/icalendar/calendar-data.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { hrefElement } from "../resources/multistatus.ts";
import { isPossibleName, objectHref } from "../resources/paths.ts";
import { etagOf, refuseOthers } from "../resources/resource.ts";
import { CALDAV } from "../xml/write-xml.ts";
import { conditionOf } from "./conditions.ts";
import { sendEmpty } from "./send.ts";

/** Stores an object (RFC 4791, section 5.3.2). */
export async function put(call: DavCall) {
  const { deps, user, target, request, reply } = call;
  refuseOthers(call);
  if (target.kind !== "object") throw new DavError(405);
  const { calendars } = deps;
  const calendar = await calendars.findSynced(user.userId, target.calendar);
  if (!calendar) throw new DavError(409);
  if (!isPossibleName(target.name)) throw new DavError(403);
  const text = readText(request.body);
  const condition = conditionOf(request);
  const stored = await storeText(call, calendar, target.name, {
    ...{ text, condition },
  });
  const [rendered] = await renderObjects(deps, [stored.object]);
  // A program that gets the tag does not read the object again.
  if (rendered?.ical === text) void reply.header("etag", etagOf(stored.object));
  return sendEmpty(reply, stored.isNew ? 201 : 204);
}

/**
 * Stores a text as an object of a calendar of the user.
 * @throws {DavError}
 */
export async function storeText(
  { deps, user }: DavCall,
  calendar: SyncedCalendar,
  name: string,
  wanted: Pick<PutObject, "condition" | "text">,
): Promise<Extract<PutOutcome, { kind: "stored" }>> {
  const put = { owner: user, calendarId: calendar.id, name, ...wanted };
  const outcome = await refusingData(() => deps.events.objects.put(put));
  switch (outcome.kind) {
    case "condition_failed":
      throw new DavError(412);
    case "full":
      throw new DavError(507);
    case "uid_taken": {
      const { pathName } = calendar;
      const href = objectHref(user.username, pathName, outcome.name);
      throw new DavError(403, [CALDAV, "no-uid-conflict"], [hrefElement(href)]);
    }
    case "stored":
      return outcome;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readText(body: unknown): string {
  const refused = new DavError(403, [CALDAV, "valid-calendar-data"]);
  if (!Buffer.isBuffer(body)) throw refused;
  try {
    const text = utf8.decode(body);
    if (!text.includes("\0")) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw refused;
}

/** A text that is no event is refused in the words of CalDAV. */
async function refusingData<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CalendarDataError)
      throw new DavError(403, [CALDAV, error.fault]);
    throw error;
  }
}

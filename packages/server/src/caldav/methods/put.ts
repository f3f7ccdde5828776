import { renderObjects } from "../../features/calendar-files/index.ts";
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
  const outcome = await refusingData(() =>
    deps.events.objects.put({
      ...{ owner: user, calendarId: calendar.id, name: target.name, text },
      condition: conditionOf(request),
    }),
  );
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
    case "stored": {
      const { object, isNew } = outcome;
      const [rendered] = await renderObjects(deps, [object]);
      // A program that gets the tag does not read the object again.
      if (rendered?.ical === text) void reply.header("etag", etagOf(object));
      return sendEmpty(reply, isNew ? 201 : 204);
    }
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

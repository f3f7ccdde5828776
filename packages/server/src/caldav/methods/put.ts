import { renderObjects } from "../../features/calendar-files/index.ts";
import type { PutObject, PutOutcome } from "../../features/events/index.ts";
import { CalendarDataError } from "../../lib/icalendar/calendar-data.ts";
import { KithError } from "../../lib/errors.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { hrefElement } from "../resources/multistatus.ts";
import { isPossibleName, objectHref } from "../resources/paths.ts";
import { needs, ownerOf, refuseReadOnly } from "../resources/privileges.ts";
import {
  etagOf,
  findCalendarAt,
  listNamedObjects,
  refuseOthers,
} from "../resources/resource.ts";
import { CALDAV } from "../xml/write-xml.ts";
import { conditionOf } from "./conditions.ts";
import { sendEmpty } from "./send.ts";

/** Stores an object (RFC 4791, section 5.3.2). */
export async function put(call: DavCall) {
  const { deps, target, request, reply } = call;
  refuseOthers(call);
  if (target.kind !== "object") throw new DavError(405);
  const calendar = await findCalendarAt(call, target.calendar);
  if (!calendar) throw new DavError(409);
  if (!isPossibleName(target.name)) throw new DavError(403);
  const text = readText(request.body);
  const condition = conditionOf(request);
  const stored = await storeText(call, calendar, target.name, {
    text,
    condition,
  });
  const [rendered] = await renderObjects(deps, [stored.object]);
  // A program that gets the tag does not read the object again.
  if (rendered?.ical === text) void reply.header("etag", etagOf(stored.object));
  return sendEmpty(reply, stored.isNew ? 201 : 204);
}

/**
 * Stores a text as an object of a calendar in the user's home.
 * @throws {DavError}
 */
export async function storeText(
  call: DavCall,
  calendar: DavCalendar,
  name: string,
  { text, condition }: Pick<PutObject, "condition" | "text">,
): Promise<Extract<PutOutcome, { kind: "stored" }>> {
  const { deps, user } = call;
  const href = objectHref(user.username, calendar.pathName, name);
  refuseReadOnly(href, calendar);
  const owner = ownerOf(call, calendar);
  const outcome = await refusing(href, () =>
    deps.events.objects.put({
      ...{ owner, by: user.personId, calendarId: calendar.id, name, text },
      condition: (object) => {
        refuseReadOnly(href, calendar, object);
        return condition(object);
      },
    }),
  );
  switch (outcome.kind) {
    case "condition_failed":
      throw new DavError(412);
    case "full":
      throw new DavError(507);
    case "uid_taken": {
      // The name of an event that the user may not see stays hidden.
      const others = await listNamedObjects(call, calendar, [outcome.name]);
      const hrefs = others.map(({ name }) =>
        hrefElement(objectHref(user.username, calendar.pathName, name)),
      );
      throw new DavError(403, [CALDAV, "no-uid-conflict"], hrefs);
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
async function refusing<T>(href: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CalendarDataError)
      throw new DavError(403, [CALDAV, error.fault]);
    // An account that has moved can only be read.
    if (error instanceof KithError && error.code === "bad_request")
      throw needs(href, "write-content");
    throw error;
  }
}

import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import type { DavCalendar } from "./dav-calendar.ts";
import { isPossibleName, readHref } from "./paths.ts";
import { findCalendarAt } from "./resource.ts";

/** Where an object goes. */
export type Destination = {
  readonly calendar: DavCalendar;
  readonly name: string;
  readonly mayReplace: boolean;
};

/**
 * Reads where COPY and MOVE lead (RFC 4918, section 10.3): into a calendar in the user's
 * home.
 * @throws {DavError} 400, 403, or 409 for a calendar that is not there
 */
export async function getDestination(call: DavCall): Promise<Destination> {
  const { user, request } = call;
  const { destination, overwrite } = request.headers;
  if (typeof destination !== "string") throw new DavError(400);
  const to = readHref(destination);
  if (to.kind !== "object" || to.username !== user.username)
    throw new DavError(403);
  if (!isPossibleName(to.name)) throw new DavError(403);
  const calendar = await findCalendarAt(call, to.calendar);
  if (!calendar) throw new DavError(409);
  return { calendar, name: to.name, mayReplace: overwrite !== "F" };
}

import type { SyncedCalendar } from "../../features/calendars/index.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { isPossibleName, readHref } from "./paths.ts";

/** Where an object goes. */
export type Destination = {
  readonly calendar: SyncedCalendar;
  readonly name: string;
  readonly mayReplace: boolean;
};

/**
 * Reads where COPY and MOVE lead (RFC 4918, section 10.3): into a calendar of the user.
 * @throws {DavError} 400, 403, or 409 for a calendar that is not there
 */
export async function getDestination({
  deps,
  user,
  request,
}: DavCall): Promise<Destination> {
  const { destination, overwrite } = request.headers;
  if (typeof destination !== "string") throw new DavError(400);
  const to = readHref(destination);
  if (to.kind !== "object" || to.username !== user.username)
    throw new DavError(403);
  if (!isPossibleName(to.name)) throw new DavError(403);
  const { userId } = user;
  const calendar = await deps.calendars.findSynced(userId, to.calendar);
  if (!calendar) throw new DavError(409);
  return { calendar, name: to.name, mayReplace: overwrite !== "F" };
}

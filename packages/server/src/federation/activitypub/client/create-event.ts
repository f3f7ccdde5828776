import {
  readEvent,
  type CalendarEvent,
  type JsonObject,
} from "@kith/activitypub";
import { KithError } from "../../../lib/errors.ts";
import { toEvent } from "../notes/receive-attachment.ts";
import { isAddressedToPublic, type ClientActivity } from "./client-activity.ts";
import type { ClientDeps, Owner } from "./deps.ts";

/**
 * Creates a public event with the post that announces it.
 * @returns the id of the Create
 * @throws {KithError} `bad_request` without a name or a start,
 *   `not_implemented` for unsupported parts: another audience, selected guests,
 *   pictures, a content warning
 */
export async function createEventFromObject(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
  object: JsonObject,
): Promise<string> {
  const { uris, events, posts } = deps;
  const actor = uris.actor(owner.username);
  const event = readEvent({ ...object, id: actor, attributedTo: actor });
  refuseWhatIsMissing(event, activity);
  const { allDay, timeZone, start, end, capacity, needsApproval, ...details } =
    toEvent(event);
  const made = await events.create({
    owner,
    announce: true,
    audience: { kind: activity.isUnlisted ? "unlisted" : "everyone" },
    ...details,
    allDay,
    start,
    end: end ?? start,
    // Without a zone the user's own applies.
    ...(event.timezone !== undefined && { timeZone }),
    ...(capacity != null && { capacity }),
    needsApproval,
  });
  const [announcement] = await posts.listWithEvent(made.id, owner.personId);
  if (!announcement) throw new Error("The event was not announced");
  return uris.activity(announcement.guid);
}

/**
 * Unsupported parts are refused: a public event does not replace a limited one.
 */
function refuseWhatIsMissing(
  event: CalendarEvent,
  activity: ClientActivity,
): void {
  if (event.name.trim() === "")
    throw new KithError("bad_request", "The event must have a name.");
  if (!isAddressedToPublic(activity))
    throw new KithError("not_implemented", "Events for some.");
  const { joinMode = "free" } = event;
  if (joinMode !== "free" && joinMode !== "restricted")
    throw new KithError("not_implemented", "Guests who are picked.");
  if (event.status !== "confirmed" || event.draft)
    throw new KithError("not_implemented", "Events in another state.");
  if (event.banner || event.sensitive)
    throw new KithError("not_implemented", "Pictures and warnings.");
}

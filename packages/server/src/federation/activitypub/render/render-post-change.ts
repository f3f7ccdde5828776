import { buildActivity, isJsonArray, type JsonObject } from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { MAX_PHOTOS } from "../../../features/photos/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { Outgoing } from "../../outbound/outgoing.ts";
import { derivedGuid } from "../records/uris.ts";
import type { RenderContext } from "./note-parts.ts";
import { renderPostObject } from "./render-post.ts";
import { threadUpdateGuid } from "./thread-update-guid.ts";

type PostChange = Extract<
  Outgoing,
  {
    kind:
      | "event_change"
      | "photo_retraction"
      | "poll_change"
      | "quote_change"
      | "thread_change";
  }
>;

/**
 * Renders the changed post for its recipients. For a changed event the time of the edit is the
 * event's own; for a removed picture, the time of sending. New counts of a poll, the authorization
 * of a quote, and changes below the post are no edit, and have no such time.
 */
export function renderPostChange(
  context: RenderContext,
  author: Person,
  outgoing: PostChange,
  readers: readonly string[],
): JsonObject | undefined {
  const { uris, now } = context;
  const { kind } = outgoing;
  const rendered = renderPostObject(context, outgoing, readers);
  // For an event with a poll, no counts are shown.
  if (kind === "poll_change" && rendered["type"] !== "Question")
    return undefined;
  const object: JsonObject =
    kind === "photo_retraction"
      ? { ...rendered, updated: afterPhoto(rendered, now) }
      : rendered;
  const guid = updateGuid(outgoing, now);
  return buildActivity({
    id: uris.activity(guid),
    type: "Update",
    actor: uris.actor(usernameOf(author)),
    object,
    to: object["to"] as string[],
    cc: object["cc"] as string[],
    guid,
  });
}

/**
 * Peers apply only later versions, to the second: the fewer pictures remain, the later the time.
 */
function afterPhoto({ attachment }: JsonObject, now: Date): string {
  const left = isJsonArray(attachment) ? attachment.length : 0;
  const second = Math.ceil(now.getTime() / 1000) + MAX_PHOTOS - left;
  return timestamp(new Date(second * 1000)).replace(/\.\d+Z$/, "Z");
}

function updateGuid(outgoing: PostChange, now: Date): string {
  const { guid } = outgoing.post;
  switch (outgoing.kind) {
    case "event_change":
      return derivedGuid("update", `${guid}:${outgoing.event.updatedAt}`);
    case "photo_retraction":
      return derivedGuid("update", `${guid}:without:${outgoing.guid}`);
    case "poll_change":
      return derivedGuid("update", `${guid}:tally:${timestamp(now)}`);
    case "quote_change":
      return derivedGuid("update", `${guid}:quote:${outgoing.changedAt}`);
    case "thread_change":
      return threadUpdateGuid(outgoing.post, now);
  }
}

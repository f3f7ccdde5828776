import { buildActivity, type JsonObject } from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
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
      | "post_change"
      | "quote_change"
      | "thread_change";
  }
>;

/**
 * Renders the changed post for its recipients, with the time of its last edit. New counts of a
 * poll, the authorization of a quote, and changes below the post are no edit, and leave that
 * time as it is.
 */
export function renderPostChange(
  context: RenderContext,
  author: Person,
  outgoing: PostChange,
  readers: readonly string[],
): JsonObject | undefined {
  const { uris, now } = context;
  const { kind } = outgoing;
  const object = renderPostObject(context, outgoing, readers);
  // For an event with a poll, no counts are shown.
  if (kind === "poll_change" && object["type"] !== "Question") return undefined;
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

function updateGuid(outgoing: PostChange, now: Date): string {
  const { guid } = outgoing.post;
  switch (outgoing.kind) {
    case "event_change":
      return derivedGuid("update", `${guid}:${outgoing.event.updatedAt}`);
    case "photo_retraction":
      return derivedGuid("update", `${guid}:without:${outgoing.guid}`);
    case "poll_change":
      return derivedGuid("update", `${guid}:tally:${timestamp(now)}`);
    case "post_change":
      return derivedGuid("update", `${guid}:edit:${outgoing.post.updatedAt}`);
    case "quote_change":
      return derivedGuid("update", `${guid}:quote:${outgoing.changedAt}`);
    case "thread_change":
      return threadUpdateGuid(outgoing.post, now);
  }
}

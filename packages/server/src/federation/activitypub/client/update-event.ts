import { isJsonObject, readEvent, type JsonObject } from "@kith/activitypub";
import type { ChangeEvent } from "../../../features/events/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { findObject } from "../documents/find-document.ts";
import { loadEventChanges } from "../../outbound/load/load-outgoing.ts";
import { toEvent } from "../notes/receive-attachment.ts";
import { derivedGuid } from "../records/uris.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import {
  changesNothing,
  findGivenChanges,
  type GivenChanges,
} from "./given-changes.ts";
import { keepOutgoing } from "./keep-own.ts";

/** Changes the user's own event, by the object of the post that announces it. */
export async function updateEventFromObject(
  deps: ClientDeps,
  owner: Owner,
  post: Post,
  given: JsonObject,
): Promise<string> {
  const current = await findObject(deps, post.guid, owner);
  const before =
    post.eventId === null
      ? undefined
      : await deps.events.find({ id: post.eventId });
  if (!current || before?.personId !== owner.personId)
    throw new KithError("not_found", "No event of the user's.");
  const changes = findGivenChanges(given, current);
  changes.refuse("attachment", "sensitive", "status", "eventStatus");
  changes.refuse("category", "isOnline", "onlineUrl");
  const wanted = readWanted(post, given, current, changes);
  if (Object.keys(wanted).length === 0) throw changesNothing();
  const { id } = before;
  const event = await deps.events.change(owner, { id }, wanted);
  const by = owner.personId;
  const fact = { type: "event.changed", eventId: id, by } as const;
  const version = `${post.guid}:${event.updatedAt}`;
  const outgoing = await loadEventChanges(deps, fact);
  const own = outgoing.find((it) => "post" in it && it.post.id === post.id);
  return keepOutgoing(deps, owner, own, derivedGuid("update", version));
}

/** The event as it is to be, of which only changed members are taken. */
function readWanted(
  { text }: Post,
  given: JsonObject,
  current: JsonObject,
  changes: GivenChanges,
): ChangeEvent {
  const wanted = toEvent(
    readEvent({
      ...{ ...current, ...given, ...identityOf(current) },
      // One of the descriptions counts, see below.
      ...{ description: null, source: null },
    }),
  );
  const { allDay, start, end, timeZone, needsApproval } = wanted;
  const isTimed = changes.has("startTime", "endTime", "timezone");
  return {
    ...(changes.has("name") && { summary: wanted.summary }),
    ...(changes.has("content", "contentMap", "description", "source") && {
      description:
        readMarkdown(given, changes, text) ??
        withoutBeginning(wanted.description, text),
    }),
    ...(changes.has("location") && { location: wanted.location }),
    ...(isTimed && { allDay, start, end: end ?? start, timeZone }),
    ...(changes.has("maximumAttendeeCapacity") && {
      capacity: wanted.capacity ?? null,
    }),
    ...(changes.has("joinMode") && { needsApproval }),
  };
}

const identityOf = ({ id, attributedTo }: JsonObject): JsonObject => ({
  ...{ type: "Event", id: id ?? null, attributedTo: attributedTo ?? null },
});

/** Where both are as they were, the HTML counts. */
function readMarkdown(
  { description, source }: JsonObject,
  changes: GivenChanges,
  text: string,
): string | undefined {
  if (changes.has("description"))
    return typeof description === "string" ? description : "";
  const isMarkdown =
    changes.has("source") &&
    isJsonObject(source) &&
    source["mediaType"] === "text/markdown";
  const written = isMarkdown ? source["content"] : undefined;
  return typeof written === "string"
    ? withoutBeginning(written, text)
    : undefined;
}

/** The content of the object begins with the text of the post, which announces the event. */
const withoutBeginning = (content: string, text: string): string =>
  content.startsWith(`${text}\n\n`)
    ? content.slice(text.length).trimStart()
    : content;

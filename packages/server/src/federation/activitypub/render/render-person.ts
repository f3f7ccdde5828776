import { buildActivity, PUBLIC, type JsonObject } from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Outgoing } from "../../outbound/outgoing.ts";
import { derivedGuid } from "../records/uris.ts";
import { renderFollow } from "./build-activities.ts";
import { publicAddress, type RenderContext } from "./note-parts.ts";
import { renderActor } from "./render-actor.ts";
import { renderUndo } from "./render-retraction.ts";

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

export function renderContactActivity(
  context: RenderContext,
  author: Person,
  { recipient, following, requestGuid }: Of<"contact">,
  readers: readonly string[],
): JsonObject | undefined {
  const { uris } = context;
  const object = uris.ofPerson(recipient);
  if (object === null) return undefined;
  const follow = renderFollow(uris, usernameOf(author), object, requestGuid);
  return following
    ? follow
    : renderUndo(context, author, requestGuid, follow, readers);
}

/** The other server is notified, so that it can hide the blocker from the blocked person. */
export function renderBlockActivity(
  context: RenderContext,
  author: Person,
  { recipient, blocking, since }: Of<"block">,
  readers: readonly string[],
): JsonObject | undefined {
  const { uris } = context;
  const object = uris.ofPerson(recipient);
  if (object === null) return undefined;
  const guid = derivedGuid(
    "block",
    `${author.guid}:${recipient.guid}:${since}`,
  );
  const block = buildActivity({
    id: uris.activity(guid),
    type: "Block",
    actor: uris.actor(usernameOf(author)),
    object,
    to: [object],
    guid,
  });
  return blocking ? block : renderUndo(context, author, guid, block, readers);
}

export function renderDeparture(
  { uris }: RenderContext,
  author: Person,
): JsonObject {
  const guid = derivedGuid("delete", author.guid);
  const actor = uris.actor(usernameOf(author));
  return buildActivity({
    id: uris.activity(guid),
    type: "Delete",
    actor,
    object: actor,
    to: [PUBLIC],
    guid,
  });
}

/** Without an alias in the new actor no server would believe it. */
export function renderMove(
  { uris }: RenderContext,
  { by, from, to, isAlias }: Of<"move">,
): JsonObject | undefined {
  const target = uris.ofPerson(to);
  if (!isAlias || by.id !== from.id || target === null) return undefined;
  const guid = derivedGuid("move", `${from.guid}:${to.guid}`);
  const actor = uris.actor(usernameOf(from));
  return buildActivity({
    id: uris.activity(guid),
    type: "Move",
    actor,
    object: actor,
    target,
    to: [`${actor}/followers`],
    guid,
  });
}

export function renderProfileChange(
  context: RenderContext,
  author: Person,
  { content }: Of<"profile">,
): JsonObject {
  const { uris } = context;
  const guid = derivedGuid(
    "update",
    `${author.guid}:${author.profile.updatedAt}`,
  );
  return buildActivity({
    id: uris.activity(guid),
    type: "Update",
    actor: uris.actor(usernameOf(author)),
    object: renderActor(context, author, content),
    ...publicAddress(uris, author, []),
    guid,
  });
}

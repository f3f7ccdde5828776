import { isJsonObject, type JsonObject } from "@kith/activitypub";
import type { ProfileChanges } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { htmlToMarkdown } from "../../../lib/markdown/markdown-from-html.ts";
import { findKnown } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";
import { idOfObject, isOwner, type ClientActivity } from "./client-activity.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { keepOwn } from "./keep-own.ts";

/**
 * Deletes the user's own post, reshare or comment.
 * @throws {KithError} `not_found` for everything else, `not_implemented` for
 *   the account itself
 */
export async function remove(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const { posts, comments, uris } = deps;
  const uri = idOfObject(activity);
  if (isOwner(uris, owner.person, uri))
    throw new KithError(
      "not_implemented",
      "Accounts are not deleted this way.",
    );
  const by = owner.personId;
  const known = await findKnown(deps, uri);
  if (known?.kind === "post" && known.post.personId === by) {
    const { guid, rootGuid } = known.post;
    await posts.deleteOrHide(owner, guid);
    const kind = rootGuid === null ? "delete" : "undo";
    const fact = { type: "post.retracted", guid, by } as const;
    return keepOwn(deps, owner, fact, derivedGuid(kind, guid));
  }
  if (known?.kind === "comment" && known.comment.personId === by) {
    const { guid } = known.comment;
    await comments.remove(owner, guid);
    const about = { guid, authorId: by, by };
    const fact = { type: "comment.retracted", ...about } as const;
    return keepOwn(deps, owner, fact, derivedGuid("delete", guid));
  }
  throw new KithError("not_found", "Nothing of the user's.");
}

/**
 * Changes name and summary of the user's own actor; absent fields stay
 * (ActivityPub §6.3.1), and null clears.
 * @throws {KithError} `not_found` for another actor, `not_implemented` for
 *   posts, which diaspora* cannot edit
 */
export async function update(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const { uris, people } = deps;
  const uri = idOfObject(activity);
  const { embedded } = activity.object;
  if (!isOwner(uris, owner.person, uri)) {
    const isActor =
      uris.usernameOf(uri) !== undefined || (await people.find({ uri }));
    if (isActor) throw new KithError("not_found", "Another actor.");
    throw new KithError("not_implemented", "Only actors are updated.");
  }
  const changes = embedded ? readChanges(embedded) : {};
  if (Object.keys(changes).length === 0)
    throw new KithError(
      "bad_request",
      "The Update changes nothing that can be changed here.",
    );
  const person = await people.changeProfile(owner.personId, changes);
  const fact = { type: "profile.changed", by: owner.personId } as const;
  const version = `${person.guid}:${person.profile.updatedAt}`;
  return keepOwn(deps, owner, fact, derivedGuid("update", version));
}

function readChanges(actor: JsonObject): ProfileChanges {
  return {
    ...(Object.hasOwn(actor, "name") ? readName(readText(actor, "name")) : {}),
    ...(Object.hasOwn(actor, "summary") ? { bio: readBio(actor) } : {}),
  };
}

/** The first word, and the others: a profile has two names. */
function readName(name: string): ProfileChanges {
  const [firstName = "", ...others] = name.trim().split(/\s+/);
  return { firstName, lastName: others.join(" ") };
}

function readBio(actor: JsonObject): string {
  const { source } = actor;
  if (isJsonObject(source) && source["mediaType"] === "text/markdown")
    return readText(source, "content");
  return htmlToMarkdown(readText(actor, "summary"));
}

function readText(object: JsonObject, name: string): string {
  const value = object[name] ?? "";
  if (typeof value !== "string")
    throw new KithError(
      "bad_request",
      `The field ${name} of the actor must be a text.`,
    );
  return value;
}

import { isJsonObject, type JsonObject } from "@kith/activitypub";
import type { ProfileChanges } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { htmlToMarkdown } from "../../../lib/markdown/markdown-from-html.ts";
import { derivedGuid } from "../records/uris.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { changesNothing } from "./given-changes.ts";
import { keepOwn } from "./keep-own.ts";

/**
 * Changes name and summary of the user's own actor; absent fields stay
 * (ActivityPub §6.3.1), and null clears.
 */
export async function updateActor(
  deps: ClientDeps,
  owner: Owner,
  given: JsonObject,
): Promise<string> {
  const changes = readChanges(given);
  if (Object.keys(changes).length === 0) throw changesNothing();
  const person = await deps.people.changeProfile(owner.personId, changes);
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

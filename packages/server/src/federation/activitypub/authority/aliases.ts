import type { RemoteActor } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { fetchActor, type FetchOwnDeps } from "./fetch-own.ts";
import { findLocal, type FindLocalDeps } from "../records/find-local.ts";

export type AliasesDeps = FindLocalDeps & FetchOwnDeps;

/** What an actor says itself, this moment, of who it was before and where it went. */
export type OwnWord = Pick<RemoteActor, "alsoKnownAs" | "movedTo">;

/**
 * Asks an actor's own document; of somebody here our own records.
 * @returns undefined where nothing is to be had just now
 * @throws {ActivityPubError} where what is there is no actor
 */
export async function askActor(
  deps: AliasesDeps,
  uri: string,
): Promise<OwnWord | undefined> {
  if (deps.uris.isLocal(uri)) return ownWordOf(deps, uri);
  return fetchActor(deps, uri);
}

async function ownWordOf(
  deps: AliasesDeps,
  uri: string,
): Promise<OwnWord | undefined> {
  const person = await findLocal(deps, uri);
  return person && { alsoKnownAs: [...person.alsoKnownAs] };
}

/** Does the one say of itself that it was the other one before? */
export async function namesAsAlias(
  deps: AliasesDeps,
  to: Person,
  from: Person,
): Promise<boolean> {
  const [uri, alias] = [deps.uris.ofPerson(to), deps.uris.ofPerson(from)];
  if (uri === null || alias === null) return false;
  const word = await askActor(deps, uri);
  return word?.alsoKnownAs.includes(alias) ?? false;
}

import type { RemoteActor } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { fetchActor, type FetchOwnDeps } from "./fetch-own.ts";
import { findLocal, type FindLocalDeps } from "../records/find-local.ts";

export type AliasesDeps = FindLocalDeps & FetchOwnDeps;

/** An actor's own current statements about its aliases and moves. */
export type OwnWord = Pick<RemoteActor, "alsoKnownAs" | "movedTo">;

/**
 * Fetches an actor's own document; for a local actor our own records.
 * @returns undefined if it is unavailable now
 * @throws {ActivityPubError} if the document is no actor
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

/** Does the one actor name the other as its alias? */
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

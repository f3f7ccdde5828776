import {
  ACTOR_TYPES,
  ActivityPubError,
  readActor,
  type JsonObject,
  type RemoteActor,
} from "@kith/activitypub";
import type { Comment } from "../../../features/comments/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { fetchObject } from "../authority/fetch-own.ts";
import { findLocal } from "../records/find-local.ts";
import { findKnown } from "../records/objects.ts";
import { keepFetched, type ReceiveNoteDeps } from "../notes/receive-note.ts";

/** The object of a URL. Visibility is not checked. */
export type FoundByUrl =
  | { readonly kind: "person"; readonly person: Person }
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };

export type FindByUrlDeps = ReceiveNoteDeps & {
  /** Stores a person from a fetched document. */
  readonly takeActor: (actor: RemoteActor) => Promise<Person | undefined>;
};

/** Finds the stored actor or object of an id. */
export async function findByUri(
  deps: FindByUrlDeps,
  uri: string,
): Promise<FoundByUrl | undefined> {
  const person = deps.uris.isLocal(uri)
    ? await findLocal(deps, uri)
    : await deps.people.find({ uri });
  return person ? { kind: "person", person } : findKnown(deps, uri);
}

/**
 * Asks the server of a URL for its object: an actor, a public post, or a public
 * comment with its post. They are stored.
 * @returns undefined if it is no ActivityPub object with that id
 */
export async function fetchByUrl(
  deps: FindByUrlDeps,
  url: string,
): Promise<FoundByUrl | undefined> {
  try {
    const object = await fetchObject(deps, url);
    return object && (await take(deps, object));
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

async function take(
  deps: FindByUrlDeps,
  object: JsonObject,
): Promise<FoundByUrl | undefined> {
  if (isActor(object)) {
    const person = await deps.takeActor(readActor(object));
    return person && { kind: "person", person };
  }
  const { id: uri } = object;
  if (typeof uri !== "string") return undefined;
  const known = await findKnown(deps, uri);
  if (known) return known;
  const post = await keepFetched(deps, object);
  return post ? { kind: "post", post } : findKnown(deps, uri);
}

function isActor({ type }: JsonObject): boolean {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.some((one) => typeof one === "string" && ACTOR_TYPES.has(one));
}

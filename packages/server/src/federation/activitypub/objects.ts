import {
  isFetchedContentType,
  parseJson,
  readNote,
  sameOrigin,
  type FetchDocument,
  type JsonObject,
  type Note,
  type ObjectRef,
} from "@kith/activitypub";
import type { Comment, Comments } from "../../features/comments/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { Uris } from "./uris.ts";

export type ObjectsDeps = {
  readonly posts: Posts;
  readonly comments: Comments;
  readonly uris: Uris;
  readonly fetchDocument: FetchDocument;
};

/** Something known here that an object id names. */
export type Known =
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };

/** Looks up a post or comment, of ours or from elsewhere, by its object id. */
export async function findKnown(
  { posts, comments, uris }: ObjectsDeps,
  uri: string,
): Promise<Known | undefined> {
  const guid = uris.guidOfObject(uri) ?? uris.guidOfActivity(uri);
  if (uris.isLocal(uri) && guid === undefined) return undefined;
  const key = uris.isLocal(uri) && guid !== undefined ? { guid } : { uri };
  const post = await posts.find(key);
  if (post && (!uris.isLocal(uri) || post.uri === null))
    return { kind: "post", post };
  const comment = await comments.find(key);
  return comment && (!uris.isLocal(uri) || comment.uri === null)
    ? { kind: "comment", comment }
    : undefined;
}

/**
 * The object of an activity, as its author's server vouches for it: the embedded
 * copy where the sender is the author, else what answers under its id.
 */
export async function getObject(
  deps: ObjectsDeps,
  ref: ObjectRef,
  sender: Person,
): Promise<JsonObject | undefined> {
  const { id } = ref;
  const embedded = embeddedBy(ref, sender);
  if (embedded) return embedded;
  return id === undefined ? undefined : fetchObject(deps, id);
}

/** The copy in the activity, where its sender is the one to vouch for it. */
export function embeddedBy(
  { embedded }: ObjectRef,
  { addresses }: Person,
): JsonObject | undefined {
  return embedded && isBySender(embedded, addresses.actorUri ?? "")
    ? embedded
    : undefined;
}

function isBySender(object: JsonObject, actorUri: string): boolean {
  const { id } = object;
  if (typeof id !== "string" || !sameOrigin(id, actorUri)) return false;
  const by = object["attributedTo"];
  const first: unknown = Array.isArray(by) ? by[0] : by;
  const author =
    typeof first === "object" && first !== null
      ? (first as { id?: unknown }).id
      : first;
  return author === actorUri;
}

/** Fetches an object from its own id. What answers under another id is not believed. */
export async function fetchObject(
  { fetchDocument }: ObjectsDeps,
  uri: string,
): Promise<JsonObject | undefined> {
  const fetched = await fetchDocument(uri);
  if (fetched?.status !== 200 || !isFetchedContentType(fetched.contentType))
    return undefined;
  const object = parseJson(fetched.body);
  return object["id"] === uri && sameOrigin(fetched.finalUrl ?? uri, uri)
    ? object
    : undefined;
}

/** Reads a post-like object; undefined where it is none, or its author is of another origin. */
export function readOwnNote(object: JsonObject): Note | undefined {
  const note = readNote(object);
  return sameOrigin(note.id, note.attributedTo) ? note : undefined;
}

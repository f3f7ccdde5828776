import { createHash } from "node:crypto";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Comment } from "../../../features/comments/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { isGuid } from "../../../lib/guids.ts";

/** The ids of local objects, and of remote ones if they have any. */
export type Uris = ReturnType<typeof createUris>;

const USERNAME = "([A-Za-z0-9_]{1,30})";

export function createUris(baseUrl: string) {
  const root = `${baseUrl}/api/v1/ap`;
  const actorPattern = new RegExp(
    `^(?:/api/v1/ap/person/${USERNAME}(?:/actor)?|/api/v0/ap/user/${USERNAME}/actor|/u/${USERNAME})/?$`,
  );
  const actor = (username: string) => `${root}/person/${username}`;
  const object = (guid: string) => `${root}/object/${encodeGuid(guid)}`;
  /** The path below our own base, or undefined for a remote URI. */
  const localPath = (uri: string) =>
    uri.startsWith(`${baseUrl}/`) ? uri.slice(baseUrl.length) : undefined;
  const guidBelow = (prefix: string, uri: string): string | undefined => {
    const path = localPath(uri);
    if (!path?.startsWith(prefix)) return undefined;
    const guid = decodeGuid(path.slice(prefix.length));
    return guid !== undefined && isGuid(guid) ? guid : undefined;
  };
  return {
    baseUrl,
    instance: `${root}/instance`,
    sharedInbox: `${root}/inbox`,
    actor,
    /** Not below the actor's own URI: the interface fixes it so. */
    key: (username: string) => `${actor(username)}/actor#main-key`,
    /**
     * The same key. Friendica takes the part before the fragment as the signer,
     * and must find the actor there.
     */
    keyForFriendica: (username: string) => `${actor(username)}#main-key`,
    /** The key of integrity proofs: its URL serves the actor. */
    proofKey: (username: string) => `${actor(username)}#ed25519-key`,
    /** The collection of the posts that a person has pinned. */
    featured: (username: string) => `${actor(username)}/featured`,
    instanceKey: `${root}/instance#main-key`,
    object,
    activity: (guid: string) => `${root}/activity/${encodeGuid(guid)}`,
    context: (guid: string) => `${root}/context/${encodeGuid(guid)}`,
    page: (guid: string) => `${baseUrl}/posts/${encodeGuid(guid)}`,
    profilePage: (username: string) => `${baseUrl}/u/${username}`,
    isLocal: (uri: string) => localPath(uri) !== undefined || uri === baseUrl,
    /** The user of a local actor URI, in any of its forms. */
    usernameOf: (uri: string): string | undefined => {
      const path = localPath(uri);
      const match = path === undefined ? null : actorPattern.exec(path);
      return (match?.[1] ?? match?.[2] ?? match?.[3])?.toLowerCase();
    },
    guidOfObject: (uri: string) =>
      guidBelow("/api/v1/ap/object/", uri) ?? guidBelow("/posts/", uri),
    guidOfActivity: (uri: string) => guidBelow("/api/v1/ap/activity/", uri),
    /** null for a person without an actor. */
    ofPerson: (
      person: Pick<Person, "userId" | "handle" | "addresses">,
    ): string | null =>
      person.userId === null
        ? person.addresses.actorUri
        : actor(usernameOf(person)),
    /** null for an object received over diaspora* alone. */
    ofPost: (post: Post, author: Person): string | null =>
      author.userId === null ? post.uri : object(post.guid),
    ofComment: (comment: Comment, author: Person): string | null =>
      author.userId === null ? comment.uri : object(comment.guid),
  };
}

function encodeGuid(guid: string): string {
  return encodeURIComponent(guid);
}

function decodeGuid(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The guid of an activity about an object: the same at each rendering. */
export function derivedGuid(kind: string, guid: string): string {
  return createHash("sha256")
    .update(`${kind}:${guid}`)
    .digest("hex")
    .slice(0, 32);
}

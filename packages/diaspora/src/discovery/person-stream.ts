import { DiasporaError } from "../errors.ts";
import { isGuid } from "../identifiers.ts";

const MAX_CHARACTERS = 2 * 1024 * 1024;

/** The members of each post in a person's stream that a pod reads before it fetches the post itself. */
export interface StreamEntry {
  readonly guid: string;
  readonly authorGuid: string;
  readonly public: boolean;
}

/** The input of {@link buildPersonStream} for each post. */
export interface StreamPost {
  /** The server's own number of the post; peers ignore it. */
  readonly id: number;
  readonly guid: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly public: boolean;
  readonly type: "StatusMessage" | "Reshare";
  readonly text: string;
  readonly nsfw: boolean;
  readonly author: {
    readonly id: number;
    readonly guid: string;
    readonly name: string;
    readonly handle: string;
    readonly imageUrl: string;
    readonly imageUrlMedium: string;
    readonly imageUrlSmall: string;
  };
}

/**
 * Reads the list of a person's last posts. Malformed entries are dropped; the caller must check author and visibility.
 * @throws {DiasporaError} stage `discovery`: `malformed_document` or `too_large`
 * @see diaspora* federation protocol, Fetching
 */
export function parsePersonStream(json: string): StreamEntry[] {
  if (json.length > MAX_CHARACTERS) {
    throw fault("too_large", "The stream is larger than 2 MiB");
  }
  let entries: unknown;
  try {
    entries = JSON.parse(json);
  } catch {
    throw fault("malformed_document", "The stream is not JSON");
  }
  if (!Array.isArray(entries)) {
    throw fault("malformed_document", "The stream is no list");
  }
  return entries.flatMap(readEntry);
}

/**
 * Builds the list of a person's last public posts, newest first, which pods request after someone has found the person.
 * @see diaspora* federation protocol, Fetching
 */
export function buildPersonStream(posts: readonly StreamPost[]): string {
  return JSON.stringify(posts.map(writePost));
}

function readEntry(entry: unknown): StreamEntry[] {
  const post = asObject(entry);
  const guid = post["guid"];
  const authorGuid = asObject(post["author"])["guid"];
  if (typeof guid !== "string" || typeof authorGuid !== "string") return [];
  if (!isGuid(guid) || !isGuid(authorGuid)) return [];
  return [{ guid, authorGuid, public: post["public"] === true }];
}

function writePost(post: StreamPost): unknown {
  const { author } = post;
  return {
    id: post.id,
    guid: post.guid,
    created_at: post.createdAt,
    public: post.public,
    post_type: post.type,
    text: post.text,
    nsfw: post.nsfw,
    author: {
      id: author.id,
      guid: author.guid,
      name: author.name,
      diaspora_id: author.handle,
      avatar: {
        small: author.imageUrlSmall,
        medium: author.imageUrlMedium,
        large: author.imageUrl,
      },
    },
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function fault(
  code: "malformed_document" | "too_large",
  message: string,
): DiasporaError {
  return new DiasporaError("discovery", code, message);
}

import type { RemotePeople } from "./remote-people/remote-people.ts";
import type { Comment, Comments } from "../features/comments/index.ts";
import type { UserId } from "../features/ids.ts";
import type { People, Person } from "../features/people/index.ts";
import type { Post, Posts } from "../features/posts/index.ts";
import { withTimeout } from "../lib/time/timeout.ts";

/** A person, or an object of a person, by its URL. */
export type Addressed =
  | { readonly kind: "person"; readonly person: Person }
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };

/** A person, and the requested object if it was not the person. */
export type Found = {
  readonly person: Person;
  readonly thing?: { readonly type: "Post" | "Comment"; readonly guid: string };
};

/** Looks a URL up in one way. The caller checks visibility. */
type Look = (url: URL, userId: UserId) => Promise<Addressed | undefined>;

export type FindAddressDeps = {
  readonly people: People;
  readonly remotePeople: RemotePeople;
  readonly posts: Posts;
  readonly comments: Comments;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly isHostAllowed: (address: string) => Promise<boolean>;
  /** Local look-ups of each protocol. */
  readonly known: readonly Look[];
  /** Network look-ups, in this order. */
  readonly asked: readonly Look[];
};

type Seeker = { readonly userId: UserId; readonly personId: Person["id"] };

const MAX_URL = 2048;
const SEARCH_MS = 9_500;
const PAGE_HERE = /^\/(people|posts)\/([^/]+)\/?$/;

/** Is the text a URL, not a handle? */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

/**
 * Finds a person, a post or a comment by the URL of its page or by its id:
 * stored ones first, then on the network, where public ones are stored. A user
 * waits, at most 10 s.
 * @returns undefined also if the user may not see it
 */
export function createFindAddress(deps: FindAddressDeps) {
  return async (text: string, by: Seeker): Promise<Found | undefined> => {
    const url = readUrl(text);
    if (!url) return undefined;
    const addressed = await withTimeout(find(deps, url, by), SEARCH_MS);
    return addressed && show(deps, addressed, by);
  };
}

function readUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  const url = trimmed.length > MAX_URL ? null : URL.parse(trimmed);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}

async function find(
  deps: FindAddressDeps,
  url: URL,
  by: Seeker,
): Promise<Addressed | undefined> {
  const isHere = url.origin === new URL(deps.baseUrl).origin;
  if (!isHere && !(await deps.isHostAllowed(url.href))) return undefined;
  for (const look of deps.known) {
    const found = await look(url, by.userId);
    if (found) return found;
  }
  if (isHere) return findHere(deps, url);
  const found = (await findPerson(deps, url)) ?? (await findPost(deps, url));
  if (found) return found;
  for (const ask of deps.asked) {
    const answer = await ask(url, by.userId);
    if (answer) return answer;
  }
  return undefined;
}

/** Local pages show remote objects, too. */
async function findHere(
  { people, posts }: FindAddressDeps,
  { pathname }: URL,
): Promise<Addressed | undefined> {
  const [, kind, guid = ""] = PAGE_HERE.exec(pathname) ?? [];
  if (kind === "people") {
    const person = await people.find({ guid });
    return person && { kind: "person", person };
  }
  const post = kind === "posts" ? await posts.find({ guid }) : undefined;
  return post && { kind: "post", post };
}

async function findPerson(
  { remotePeople }: FindAddressDeps,
  { href }: URL,
): Promise<Addressed | undefined> {
  const person = await remotePeople.findByPage(href);
  return person && { kind: "person", person };
}

async function findPost(
  { posts }: FindAddressDeps,
  { href }: URL,
): Promise<Addressed | undefined> {
  const post = await posts.findByPage(href);
  return post && { kind: "post", post };
}

/** Checks visibility: a hidden object looks like one that does not exist. */
async function show(
  { people, posts, comments }: FindAddressDeps,
  addressed: Addressed,
  by: Seeker,
): Promise<Found | undefined> {
  switch (addressed.kind) {
    case "person":
      return ofActive(addressed.person);
    case "post": {
      const post = await posts.findVisible({ id: addressed.post.id }, by);
      const person = post && (await people.find({ id: post.personId }));
      return post && ofActive(person, { type: "Post", guid: post.guid });
    }
    case "comment": {
      const { id } = addressed.comment;
      const comment = await comments.findVisible({ id }, by);
      const person = comment && (await people.find({ id: comment.personId }));
      return (
        comment && ofActive(person, { type: "Comment", guid: comment.guid })
      );
    }
  }
}

function ofActive(
  person: Person | undefined,
  thing?: Found["thing"],
): Found | undefined {
  if (person?.state !== "active") return undefined;
  return thing ? { person, thing } : { person };
}

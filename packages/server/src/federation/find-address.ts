import type { Comment, Comments } from "../features/comments/index.ts";
import type { UserId } from "../features/ids.ts";
import type { People, Person } from "../features/people/index.ts";
import type { Post, Posts } from "../features/posts/index.ts";
import { withTimeout } from "../lib/time/timeout.ts";

/** Somebody, or something by somebody, as an address names it. */
export type Addressed =
  | { readonly kind: "person"; readonly person: Person }
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };

/** A person, and what of it was asked for where it was not the person itself. */
export type Found = {
  readonly person: Person;
  readonly thing?: { readonly type: "Post" | "Comment"; readonly guid: string };
};

/** Asks in one way. Whether the one who asks may see it is not its business. */
type Look = (url: URL, userId: UserId) => Promise<Addressed | undefined>;

export type FindAddressDeps = {
  readonly people: People;
  readonly posts: Posts;
  readonly comments: Comments;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly isHostAllowed: (address: string) => Promise<boolean>;
  /** What each protocol knows here by an address. */
  readonly known: readonly Look[];
  /** What each asks the network, in this order. */
  readonly asked: readonly Look[];
};

type Seeker = { readonly userId: UserId; readonly personId: Person["id"] };

const MAX_URL = 2048;
const SEARCH_MS = 9_500;
const PAGE_HERE = /^\/(people|posts)\/([^/]+)\/?$/;

/** Is it meant as the address of a page, not as a handle? */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

/**
 * Finds a person, a post or a comment by the address of its page or by its id: what is
 * known here first, then on the network, where what is public is kept. Somebody waits
 * for it, at most 10 s.
 * @returns undefined also where the user may not see it
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

/** Pages here show what came from elsewhere, too. */
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
  { people }: FindAddressDeps,
  { href }: URL,
): Promise<Addressed | undefined> {
  const person = await people.findByPage(href);
  return person && { kind: "person", person };
}

async function findPost(
  { posts }: FindAddressDeps,
  { href }: URL,
): Promise<Addressed | undefined> {
  const post = await posts.findByPage(href);
  return post && { kind: "post", post };
}

/** As far as the user may see it: what is hidden is answered like what is not there. */
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

import { DiasporaError, parseHcard } from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { findProvenSeedOrigin } from "../../remote-people/proven-origins.ts";
import type { Post } from "../../../features/posts/index.ts";
import { FetchRefused } from "../../../lib/http-client/guarded-fetch.ts";
import { isGuid } from "../../../lib/guids.ts";
import type { ReceiveContext } from "../authority/receive-context.ts";

export type FoundByPage =
  | { readonly kind: "person"; readonly person: Person }
  | { readonly kind: "post"; readonly post: Post };

type FindByPageContext = ReceiveContext & {
  /** Finds a person by handle while a user waits. */
  readonly search: (handle: string) => Promise<Person | undefined>;
};

/**
 * The URLs of pods' pages, to which their own links lead (protocol section 4).
 */
const PERSON_PAGE = /^\/people\/([^/]+)\/?$/;
const USER_PAGE = /^\/u\/([^/]+)\/?$/;
const POST_PAGE = /^\/(?:posts|p)\/([^/]+)\/?$/;
const MAX_HCARD_BYTES = 512 * 1024;

/** Finds the stored object of such a page. */
export async function findKnownByPage(
  { people, posts }: Pick<ReceiveContext, "people" | "posts">,
  page: URL,
): Promise<FoundByPage | undefined> {
  const personGuid = guidIn(PERSON_PAGE, page);
  if (personGuid !== undefined) {
    const person = await people.find({ guid: personGuid });
    return person && isAtHomeOn(person, page)
      ? { kind: "person", person }
      : undefined;
  }
  const guid = guidIn(POST_PAGE, page);
  const post = guid === undefined ? undefined : await posts.find({ guid });
  const author = post && (await people.find({ id: post.personId }));
  return author && isAtHomeOn(author, page)
    ? { kind: "post", post }
    : undefined;
}

/**
 * Asks the server of such a page for its person or post. A public post is
 * stored.
 */
export async function fetchByPage(
  context: FindByPageContext,
  page: URL,
  userId: UserId,
): Promise<FoundByPage | undefined> {
  const guid = guidIn(POST_PAGE, page);
  if (guid !== undefined) return fetchPost(context, page, guid, userId);
  const name =
    USER_PAGE.exec(page.pathname)?.[1] ?? (await findNickname(context, page));
  const person =
    name === undefined
      ? undefined
      : await context.search(`${name}@${page.host}`);
  if (!person) return undefined;
  const personGuid = guidIn(PERSON_PAGE, page);
  const isTheSame = personGuid === undefined || personGuid === person.guid;
  return isTheSame ? { kind: "person", person } : undefined;
}

async function fetchPost(
  { fetchShown, posts, people }: FindByPageContext,
  { origin }: URL,
  guid: string,
  userId: UserId,
): Promise<FoundByPage | undefined> {
  const cause = { userId, personId: null };
  const handle = await fetchShown({ origin, guid, cause });
  const post = handle === undefined ? undefined : await posts.find({ guid });
  const author = post && (await people.find({ id: post.personId }));
  return author?.handle === handle && post ? { kind: "post", post } : undefined;
}

/**
 * A page identifies its person by guid only; the hCard of that guid has the
 * nickname.
 */
async function findNickname(
  { fetch }: FindByPageContext,
  page: URL,
): Promise<string | undefined> {
  const guid = guidIn(PERSON_PAGE, page);
  if (guid === undefined) return undefined;
  try {
    const answer = await fetch.request({
      method: "GET",
      url: `${page.origin}/hcard/users/${guid}`,
      headers: { accept: "text/html" },
      maxBytes: MAX_HCARD_BYTES,
      accept2xxOnly: true,
    });
    if (answer.status !== 200) return undefined;
    return parseHcard(new TextDecoder().decode(answer.body)).nickname;
  } catch (error) {
    if (error instanceof FetchRefused || error instanceof DiasporaError)
      return undefined;
    throw error;
  }
}

function guidIn(pattern: RegExp, { pathname }: URL): string | undefined {
  const guid = pattern.exec(pathname)?.[1];
  return guid !== undefined && isGuid(guid) ? guid : undefined;
}

function isAtHomeOn(person: Person, { origin }: URL): boolean {
  return findProvenSeedOrigin(person) === origin;
}

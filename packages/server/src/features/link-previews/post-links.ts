import { randomInt } from "node:crypto";
import type { Tx } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PostLinks } from "../posts/index.ts";
import { guidOfPost, isHere, readWebUrl } from "./link-preview.ts";
import { hasOptedOut } from "./link-preview-queries.ts";
import { deletePostLink, insertPostLink } from "./link-preview-store.ts";

/**
 * A post that many servers receive at once would otherwise have all of them visit the page at
 * once.
 */
const SPREAD_MS = 60_000;

export type PostLinksDeps = {
  readonly clock: Clock;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly areEnabled: boolean;
};

/** The part of previews that `features/posts` needs. */
export function createPostLinks(deps: PostLinksDeps): PostLinks {
  const add: PostLinks["add"] = (tx, post, link) =>
    addLink(deps, tx, post, link);
  const addOwn: PostLinks["add"] = async (tx, post, link) => {
    if (link === undefined || (await hasOptedOut(tx, post.personId))) return;
    await add(tx, post, link);
  };
  const replacing =
    (addNew: PostLinks["add"]): PostLinks["add"] =>
    async (tx, post, link) => {
      await deletePostLink(tx, post.id);
      await addNew(tx, post, link);
    };
  return {
    ...{ add, addOwn },
    replace: replacing(add),
    replaceOwn: replacing(addOwn),
  };
}

/**
 * A link in a limited post is only for its recipients: no request may reveal it. Nothing here
 * waits for other posts with the same link; whether its page is known already is a question
 * for the job that reads pages.
 */
async function addLink(
  { clock, baseUrl, areEnabled }: PostLinksDeps,
  tx: Tx,
  post: Parameters<PostLinks["add"]>[1],
  link: string | undefined,
): Promise<void> {
  if (!areEnabled || !post.public || link === undefined) return;
  const url = readWebUrl(link);
  if (url === undefined) return;
  if (isHere(url, baseUrl)) {
    if (guidOfPost(url, baseUrl) !== undefined)
      await insertPostLink(tx, post.id, url, null);
    return;
  }
  const dueAt = timestamp(later(clock.now(), randomInt(SPREAD_MS)));
  await insertPostLink(tx, post.id, url, dueAt);
}

import type { Activity } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { Person, Recipient } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import { putInQueue } from "../../outbound/dispatch.ts";
import type { Order } from "../../outbound/outgoing.ts";
import { inboxesOf } from "../sending/inboxes-of.ts";
import { noteForwarded } from "./forwarded-store.ts";

export type ForwardDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
};

/** The readers of a local post or reshare, to whom its author forwards. */
export type Readers = {
  readonly post: Post;
  readonly postAuthor: Person;
  readonly to: readonly Recipient[];
};

/**
 * Sends the signed activity of a remote person below local posts, or about the root of local
 * reshares, to other servers, once. In one transaction with its record.
 */
export async function forward(
  deps: ForwardDeps,
  activity: Activity,
  document: string,
  readers: readonly Readers[],
): Promise<void> {
  const urls = new Set<string>();
  const sent = readers.map(({ post, postAuthor, to }) => {
    const all = inboxesOf(postAuthor, to);
    const deliveries = all.filter(({ url }) => !urls.has(url));
    for (const { url } of deliveries) urls.add(url);
    return { document, deliveries, order: orderOfForwarded(activity, post) };
  });
  await deps.db.transaction(async (tx) => {
    const now = timestamp(deps.clock.now());
    if (await noteForwarded(tx, activity.id ?? "", now))
      await putInQueue(deps, tx, sent);
  });
}

const ABOUT_OBJECT: ReadonlySet<string> = new Set([
  "Create",
  "Update",
  "Delete",
  "Undo",
]);

/** Creation, edits and deletion are delivered in order, after the post. */
function orderOfForwarded({ type, id, object }: Activity, post: Post): Order {
  const about = ABOUT_OBJECT.has(type) ? object?.id : id;
  return { about: about ?? `below:${post.guid}`, after: post.guid };
}

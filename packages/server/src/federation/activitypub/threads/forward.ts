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
 * Sends the signed activity of a remote person below a local post, or about a post that people
 * here reshare or quote, to other servers, once. In one transaction with its record.
 */
export async function forward(
  deps: ForwardDeps,
  activity: Activity,
  document: string,
  readers: readonly Readers[],
): Promise<void> {
  const [first] = readers;
  if (!first) return;
  const all = readers.flatMap(({ postAuthor, to }) =>
    inboxesOf(postAuthor, to),
  );
  const byUrl = new Map(all.map((delivery) => [delivery.url, delivery]));
  const deliveries = [...byUrl.values()];
  const order = orderOfForwarded(activity, first.post);
  await deps.db.transaction(async (tx) => {
    const now = timestamp(deps.clock.now());
    if (await noteForwarded(tx, nameOf(activity, document), now))
      await putInQueue(deps, tx, [{ document, deliveries, order }]);
  });
}

/** Friendica gives all edits of an object one id. */
function nameOf({ type, id = "" }: Activity, document: string): string {
  return type === "Update" ? `${id}\n${document}` : id;
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

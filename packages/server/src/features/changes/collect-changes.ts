import type { Db, Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { Notices } from "../../db/postgres/notices.ts";
import type { Fact } from "../facts.ts";
import type {
  AnnouncementId,
  NotificationId,
  PersonId,
  PostId,
  UserId,
} from "../ids.ts";
import type { Retractions } from "../retractions/index.ts";
import { isChange, splitPeople, splitRemoval, type Change } from "./change.ts";

/** @param changes undefined if some may have been missed */
export type OnChanges = (changes: readonly Change[] | undefined) => void;

/** Collects the changes of each transaction, and passes them on once it is committed. */
export type ChangeCollector = ReturnType<typeof createChangeCollector>;

export function createChangeCollector(deps: {
  readonly db: Db;
  readonly retractions: Pick<Retractions, "find">;
  readonly notices?: Notices | undefined;
}) {
  const { db, notices } = deps;
  const noted = new WeakMap<Tx, Change[]>();
  const listeners: OnChanges[] = [];
  const note = (tx: Tx, changes: readonly Change[]): void => {
    if (changes.length > 0)
      noted.set(tx, [...(noted.get(tx) ?? []), ...changes]);
  };
  const publish: OnChanges = (changes) => {
    for (const listener of listeners) listener(changes);
  };
  db.onCommit((tx) => {
    const changes = noted.get(tx);
    if (!changes) return;
    noted.delete(tx);
    for (const change of changes)
      notices?.notify("changes", JSON.stringify(change));
    publish(changes);
  });
  notices?.listen("changes", (value) => {
    if (value === undefined) return publish(undefined);
    const change: unknown = JSON.parse(value);
    // Another version of Kith may know of changes that this one does not.
    return publish(isChange(change) ? [change] : undefined);
  });
  return {
    /** Notes what the fact changes for viewers, in the transaction that records it. */
    noteFact: async (tx: Tx, fact: Fact): Promise<void> =>
      note(tx, await changesOf(deps, tx, fact)),
    noteNotification: (
      tx: Tx,
      userId: UserId,
      notificationId: NotificationId,
    ): void => note(tx, [{ kind: "notification", userId, notificationId }]),
    noteFilters: (tx: Tx, userId: UserId): void =>
      note(tx, [{ kind: "filters", userId }]),
    noteAnnouncementReaction: (
      tx: Tx,
      announcementId: AnnouncementId,
      emoji: string,
    ): void =>
      note(tx, [{ kind: "announcement reaction", announcementId, emoji }]),
    /** An announcement was published, or withdrawn. */
    noteAnnouncement: (
      tx: Tx,
      kind: "announcement" | "announcement removal",
      announcementId: AnnouncementId,
    ): void => note(tx, [{ kind, announcementId }]),
    /** A post shows something else now, though nobody edited it. */
    notePost: (tx: Tx, postId: PostId): void =>
      note(tx, [{ kind: "edit", postId }]),
    listen: (listener: OnChanges): void => void listeners.push(listener),
  };
}

type CollectDeps = { readonly retractions: Pick<Retractions, "find"> };

async function changesOf(
  deps: CollectDeps,
  tx: Tx,
  fact: Fact,
): Promise<Change[]> {
  switch (fact.type) {
    case "post.published":
      return [{ kind: "post", postId: fact.postId }];
    case "post.received": {
      const { postId, to } = fact;
      return to === undefined
        ? [{ kind: "post", postId }]
        : splitPeople(to).map((some) => ({ kind: "post", postId, to: some }));
    }
    case "post.changed":
      return [{ kind: "edit", postId: fact.postId }];
    case "comment.created":
      return [{ kind: "comment", commentId: fact.commentId }];
    case "comment.changed":
      return [{ kind: "comment edit", commentId: fact.commentId }];
    case "like.created":
      return [{ kind: "like", likeId: fact.likeId }];
    case "post.retracted":
      return removalOf(deps, tx, fact);
    case "comment.retracted":
    case "like.retracted":
      return removalBelow(deps, tx, fact);
    default:
      return [];
  }
}

async function removalOf(
  { retractions }: CollectDeps,
  tx: Tx,
  { guid, by, removed }: Extract<Fact, { type: "post.retracted" }>,
): Promise<Change[]> {
  const found = await retractions.find(
    { kind: "Post", guid, personId: by },
    tx,
  );
  if (found?.details.kind !== "Post" || removed === undefined) return [];
  const { details } = found;
  const root = details.rootPersonId;
  return splitRemoval({
    kind: "removal",
    postId: removed.postId,
    guid,
    authors: root === null ? [by] : [by, root],
    tags: removed.tags,
    isListed: details.public && details.unlisted !== true,
    to: details.public
      ? null
      : await listLocal(tx, [...details.recipients, by]),
  });
}

async function listLocal(
  reader: Reader,
  ids: readonly PersonId[],
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("people")
    .select("id")
    .where(isListed(reader, "people.id", JSON.stringify(ids)))
    .where("user_id", "is not", null)
    .execute();
  return rows.map((row) => row.id);
}

async function removalBelow(
  { retractions }: CollectDeps,
  tx: Tx,
  fact: Extract<Fact, { type: "comment.retracted" | "like.retracted" }>,
): Promise<Change[]> {
  const { guid, authorId: personId } = fact;
  const kind = fact.type === "comment.retracted" ? "Comment" : "Like";
  const found = await retractions.find({ kind, guid, personId }, tx);
  if (found?.details.kind !== "Comment" && found?.details.kind !== "Like")
    return [];
  const { postId } = found.details;
  return [{ kind: "removal below", postId, by: personId }];
}

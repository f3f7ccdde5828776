import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { AnnouncementId, UserId } from "../ids.ts";
import { findAnnouncement } from "./announcement-store.ts";
import {
  deleteAnnouncementReaction,
  insertAnnouncementReaction,
  listAnnouncementReactions,
} from "./reaction-store.ts";

export type ReactDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly collector: {
    /** Tells open streams, once it is committed. */
    noteAnnouncementReaction(tx: Tx, id: AnnouncementId, emoji: string): void;
    noteAnnouncement(
      tx: Tx,
      news: "announcement" | "announcement removal",
      id: AnnouncementId,
    ): void;
  };
};

/** Different emojis for one announcement, as many as Mastodon allows. */
const MAX_EMOJIS = 8;

/** One emoji that systems are expected to draw (Unicode Technical Standard 51). */
const EMOJI = /^\p{RGI_Emoji}$/v;

/**
 * Reacts to an announcement. A repetition changes nothing.
 * @throws {KithError} `not_found`; `invalid` for what is no emoji, and for one emoji too many
 */
export async function react(
  { db, clock, collector }: ReactDeps,
  userId: UserId,
  id: AnnouncementId,
  emoji: string,
): Promise<void> {
  if (!EMOJI.test(emoji))
    throw new KithError("invalid", "Name is not a recognized emoji.");
  const writing = db.transaction(async (tx) => {
    // So that the number holds.
    await lockKey(tx, db.dialect, `announcement-reactions:${id}`);
    if (!(await findAnnouncement(tx, id)))
      throw new KithError("not_found", "No such announcement.");
    const known =
      (await listAnnouncementReactions(tx, [id], userId)).get(id) ?? [];
    const isNew = known.every((it) => it.emoji !== emoji);
    if (isNew && known.length >= MAX_EMOJIS)
      throw new KithError(
        "invalid",
        "The limit of different reactions is reached.",
      );
    const now = timestamp(clock.now());
    if (await insertAnnouncementReaction(tx, userId, id, emoji, now))
      collector.noteAnnouncementReaction(tx, id, emoji);
  });
  await notFoundIfGone(writing);
}

/** Takes a reaction back. One that is not there stays away. @throws {KithError} `not_found` */
export async function unreact(
  { db, collector }: Pick<ReactDeps, "collector" | "db">,
  userId: UserId,
  id: AnnouncementId,
  emoji: string,
): Promise<void> {
  if (!(await findAnnouncement(db.read, id)))
    throw new KithError("not_found", "No such announcement.");
  await db.transaction(async (tx) => {
    if (await deleteAnnouncementReaction(tx, userId, id, emoji))
      collector.noteAnnouncementReaction(tx, id, emoji);
  });
}

import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import { parseDatetime } from "../../lib/time/datetime.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Audit, Doer } from "../audit/index.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { AnnouncementId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import {
  countAnnouncements,
  deleteAnnouncement,
  deleteDismissalsOf,
  findAnnouncement,
  insertAnnouncement,
  insertDismissal,
  listAnnouncements,
  listCurrent,
  type Announcement,
} from "./announcement-store.ts";

import {
  deleteAnnouncementReactionsOf,
  listAnnouncementReactions,
  type AnnouncementReaction,
} from "./reaction-store.ts";
import { react, unreact, type ReactDeps } from "./react.ts";

export type { AnnouncementReaction } from "./reaction-store.ts";
export type { Announcement, ShownAnnouncement } from "./announcement-store.ts";

/** In code points. */
export const MAX_ANNOUNCEMENT_LENGTH = 5_000;
const MAX_ANNOUNCEMENTS = 1_000;

/** An announcement as it is given: its times as in RFC 3339, or blank. */
export type NewAnnouncement = {
  readonly text: string;
  readonly startsAt?: string | undefined;
  readonly endsAt?: string | undefined;
};

export type AnnouncementsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "recordAct">;
} & ReactDeps;

/** Announcements by those who run the server, to everybody on it. */
export type Announcements = ReturnType<typeof createAnnouncements>;

export function createAnnouncements(deps: AnnouncementsDeps) {
  const { db, clock, audit, collector } = deps;
  return {
    /**
     * @throws {KithError} `empty_string` for a blank text; `bad_request` for one that is too long, an
     *   end before the beginning or now, and one announcement too many; `invalid_datetime`
     */
    publish: async (
      by: Doer,
      given: NewAnnouncement,
    ): Promise<Announcement> => {
      const now = timestamp(clock.now());
      const announcement = { ...readNew(given, now), createdAt: now };
      return db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, "announcements");
        if ((await countAnnouncements(tx)) >= MAX_ANNOUNCEMENTS)
          throw new KithError(
            "bad_request",
            "There are as many announcements as there can be: withdraw one first.",
          );
        const inserted = await insertAnnouncement(tx, announcement);
        await audit.recordAct(tx, {
          ...{ by, action: "announcement.publish" },
          ...{ target: String(inserted.id), details: inserted.text },
        });
        collector.noteAnnouncement(tx, "announcement", inserted.id);
        return inserted;
      });
    },
    /** @throws {KithError} `not_found` */
    withdraw: async (by: Doer, id: AnnouncementId): Promise<void> => {
      if (!(await findAnnouncement(db.read, id))) throw notFound();
      await db.transaction(async (tx) => {
        const deleted = await deleteAnnouncement(tx, id);
        if (!deleted) throw notFound();
        await audit.recordAct(tx, {
          ...{ by, action: "announcement.withdraw" },
          ...{ target: String(id), details: deleted.text },
        });
        collector.noteAnnouncement(tx, "announcement removal", id);
      });
    },
    /** All of them, newest first: for those who run the server. */
    list: (page: Page) => listAnnouncements(db.read, page),
    /** Those that have not ended, newest first. */
    listCurrent: (userId: UserId, page: Page) =>
      listCurrent(db.read, userId, timestamp(clock.now()), page),
    /** Puts one away. A repetition changes nothing. @throws {KithError} `not_found` */
    dismiss: async (userId: UserId, id: AnnouncementId): Promise<void> => {
      if (!(await findAnnouncement(db.read, id))) throw notFound();
      const writing = db.transaction((tx) =>
        insertDismissal(tx, userId, id, timestamp(clock.now())),
      );
      await notFoundIfGone(writing);
    },
    /**
     * Reacts with an emoji. A repetition changes nothing.
     * @throws {KithError} `not_found`; `invalid` for what is no emoji, and for more than eight
     *   different ones
     */
    react: (userId: UserId, id: AnnouncementId, emoji: string) =>
      react(deps, userId, id, emoji),
    /** @throws {KithError} `not_found` for an unknown announcement */
    unreact: (userId: UserId, id: AnnouncementId, emoji: string) =>
      unreact(deps, userId, id, emoji),
    /** The reactions to announcements, as this user sees them. */
    listReactions: (
      userId: UserId,
      ids: readonly AnnouncementId[],
    ): Promise<ReadonlyMap<AnnouncementId, readonly AnnouncementReaction[]>> =>
      listAnnouncementReactions(db.read, ids, userId),
    /** Forgets what a user who has left put away, and its reactions. @returns false: nothing remains */
    removeOf: (userId: UserId): Promise<boolean> =>
      db.transaction(async (tx) => {
        await deleteDismissalsOf(tx, userId);
        await deleteAnnouncementReactionsOf(tx, userId);
        return false;
      }),
  };
}

function readNew(
  given: NewAnnouncement,
  now: Timestamp,
): Omit<Announcement, "createdAt" | "id"> {
  const text = storableText(given.text).trim();
  if (text === "")
    throw new KithError("empty_string", "The text must not be blank.");
  if ([...text].length > MAX_ANNOUNCEMENT_LENGTH)
    throw new KithError(
      "bad_request",
      `The text must have at most ${MAX_ANNOUNCEMENT_LENGTH} characters.`,
    );
  const startsAt = readTime("starts_at", given.startsAt);
  const endsAt = readTime("ends_at", given.endsAt);
  const isOver = endsAt !== null && endsAt <= now;
  const isTurned = endsAt !== null && startsAt !== null && endsAt < startsAt;
  if (isOver || isTurned)
    throw new KithError(
      "bad_request",
      "The parameter ends_at must be in the future, and not before starts_at.",
    );
  return { text, startsAt, endsAt };
}

function readTime(name: string, given: string | undefined): Timestamp | null {
  const text = given?.trim() ?? "";
  if (text === "") return null;
  const time = parseDatetime(text);
  if (!time)
    throw new KithError(
      "invalid_datetime",
      `The parameter ${name} must be a date and time such as 2027-07-04T18:30:00Z.`,
    );
  return time.instant;
}

function notFound(): KithError {
  return new KithError("not_found", "No such announcement.");
}

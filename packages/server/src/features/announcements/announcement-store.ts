import { sql, type InferResult } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { AnnouncementId, UserId } from "../ids.ts";
import { fetchPage, hasKey, type Page } from "../page.ts";

/** An announcement by those who run the server, to everybody on it. */
export type Announcement = {
  readonly id: AnnouncementId;
  /** Markdown. */
  readonly text: string;
  /** When what it is about begins and ends, if it is about a time. */
  readonly startsAt: Timestamp | null;
  /** It is shown until then. */
  readonly endsAt: Timestamp | null;
  readonly createdAt: Timestamp;
};

/** With whether the user has put it away. */
export type ShownAnnouncement = Announcement & {
  readonly isDismissed: boolean;
};

export async function insertAnnouncement(
  tx: Tx,
  { text, startsAt, endsAt, createdAt }: Omit<Announcement, "id">,
): Promise<Announcement> {
  const row = await tx
    .insertInto("announcements")
    .values({
      ...{ text, starts_at: startsAt, ends_at: endsAt, created_at: createdAt },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toAnnouncement(row);
}

/** @returns what was deleted, or undefined if there is no such one */
export async function deleteAnnouncement(
  tx: Tx,
  id: AnnouncementId,
): Promise<Announcement | undefined> {
  const row = await tx
    .deleteFrom("announcements")
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toAnnouncement(row);
}

export async function findAnnouncement(
  reader: Reader,
  id: AnnouncementId,
): Promise<Announcement | undefined> {
  const row = await reader
    .selectFrom("announcements")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toAnnouncement(row);
}

/** All of them, newest first. */
export async function listAnnouncements(
  reader: Reader,
  page: Page,
): Promise<Announcement[]> {
  const query = reader.selectFrom("announcements").selectAll();
  return (await fetchPage(query, "announcements.id", page)).map(toAnnouncement);
}

const currentOf = (reader: Reader, userId: UserId, now: Timestamp) =>
  reader
    .selectFrom("announcements")
    .leftJoin("dismissed_announcements as dismissed", (join) =>
      join
        .onRef("dismissed.announcement_id", "=", "announcements.id")
        .on("dismissed.user_id", "=", userId),
    )
    .selectAll("announcements")
    .select("dismissed.id as dismissed_id")
    .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", now)]));

type Current = InferResult<ReturnType<typeof currentOf>>[number];
type CurrentOf = Pick<Page, "limit" | "offset"> & {
  readonly userId: UserId;
  readonly now: Timestamp;
};

/** The first page is on each home page. */
const FIRST_CURRENT = prepareQuery<CurrentOf, Current>((reader, value) =>
  currentOf(reader, value("userId"), value("now"))
    .orderBy("announcements.id", "desc")
    .limit(sql<number>`${value("limit")}`)
    .offset(sql<number>`${value("offset")}`)
    .compile(),
);

/** Those that have not ended, newest first. */
export async function listCurrent(
  reader: Reader,
  userId: UserId,
  now: Timestamp,
  page: Page,
): Promise<ShownAnnouncement[]> {
  const rows = hasKey(page)
    ? await fetchPage(currentOf(reader, userId, now), "announcements.id", page)
    : await FIRST_CURRENT(reader, { userId, now, ...page });
  return rows.map((row) => ({
    ...toAnnouncement(row),
    isDismissed: row.dismissed_id !== null,
  }));
}

export async function countAnnouncements(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom("announcements")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** A repetition changes nothing. */
export async function insertDismissal(
  tx: Tx,
  userId: UserId,
  id: AnnouncementId,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("dismissed_announcements")
    .values({ user_id: userId, announcement_id: id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes those of a user who has left. */
export async function deleteDismissalsOf(
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await tx
    .deleteFrom("dismissed_announcements")
    .where("user_id", "=", userId)
    .execute();
}

function toAnnouncement(row: {
  readonly id: AnnouncementId;
  readonly text: string;
  readonly starts_at: Timestamp | null;
  readonly ends_at: Timestamp | null;
  readonly created_at: Timestamp;
}): Announcement {
  return {
    ...{ id: row.id, text: row.text, createdAt: row.created_at },
    ...{ startsAt: row.starts_at, endsAt: row.ends_at },
  };
}

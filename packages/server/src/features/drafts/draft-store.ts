import type { DialectName, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { DraftId, PhotoId, UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type { Draft, DraftContent } from "./draft.ts";

type Saved = {
  readonly content: DraftContent;
  readonly publishAt: Timestamp | null;
};

export async function insertDraft(
  tx: Tx,
  userId: UserId,
  { content, publishAt }: Saved,
  now: Timestamp,
): Promise<Draft> {
  const row = await tx
    .insertInto("drafts")
    .values({
      user_id: userId,
      content: storeJson(content),
      publish_at: publishAt,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertPhotos(tx, row.id, content.photoIds);
  return toDraft(row);
}

/** A draft is not changed while it is published. */
export function lockDraft(
  tx: Tx,
  dialect: DialectName,
  id: DraftId,
): Promise<void> {
  return lockKey(tx, dialect, `draft:${id}`);
}

/** @returns undefined if the user has no such draft */
export async function updateDraft(
  tx: Tx,
  userId: UserId,
  id: DraftId,
  { content, publishAt }: Saved,
  now: Timestamp,
): Promise<Draft | undefined> {
  const row = await tx
    .updateTable("drafts")
    .set({
      content: storeJson(content),
      publish_at: publishAt,
      failed_reason: null,
      updated_at: now,
    })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await tx.deleteFrom("draft_photos").where("draft_id", "=", id).execute();
  await insertPhotos(tx, id, content.photoIds);
  return toDraft(row);
}

async function insertPhotos(
  tx: Tx,
  draftId: DraftId,
  photoIds: readonly PhotoId[],
): Promise<void> {
  const ids = [...new Set(photoIds)];
  if (ids.length === 0) return;
  await tx
    .insertInto("draft_photos")
    .values(ids.map((id) => ({ draft_id: draftId, photo_id: id })))
    .execute();
}

/**
 * Keeps a draft that could not be published.
 * @returns undefined if it was changed meanwhile
 */
export async function updateFailed(
  tx: Tx,
  id: DraftId,
  publishAt: Timestamp,
  reason: string,
): Promise<Draft | undefined> {
  const row = await tx
    .updateTable("drafts")
    .set({ publish_at: null, failed_reason: reason })
    .where("id", "=", id)
    .where("publish_at", "=", publishAt)
    .returningAll()
    .executeTakeFirst();
  return row && toDraft(row);
}

/** @returns what was deleted, if the user had such a draft */
export async function deleteDraft(
  tx: Tx,
  userId: UserId,
  id: DraftId,
): Promise<Draft | undefined> {
  const row = await tx
    .deleteFrom("drafts")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toDraft(row);
}

/**
 * Takes a draft whose time has come: of several workers that try, one gets it.
 * @returns undefined if there is none
 */
export async function deleteDue(
  tx: Tx,
  id: DraftId,
  now: Timestamp,
): Promise<Draft | undefined> {
  const row = await tx
    .deleteFrom("drafts")
    .where("id", "=", id)
    .where("publish_at", "<=", now)
    .returningAll()
    .executeTakeFirst();
  return row && toDraft(row);
}

export async function findPublishTime(
  reader: Reader,
  id: DraftId,
): Promise<Timestamp | null> {
  const row = await reader
    .selectFrom("drafts")
    .select("publish_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.publish_at ?? null;
}

export async function findDraft(
  reader: Reader,
  userId: UserId,
  id: DraftId,
): Promise<Draft | undefined> {
  const row = await reader
    .selectFrom("drafts")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toDraft(row);
}

/** One page of a user's drafts, newest first. */
export async function listDrafts(
  reader: Reader,
  userId: UserId,
  page: Page,
  scheduled?: boolean,
): Promise<Draft[]> {
  let query = reader
    .selectFrom("drafts")
    .selectAll()
    .where("user_id", "=", userId);
  if (scheduled !== undefined)
    query = query.where("publish_at", scheduled ? "is not" : "is", null);
  return (await fetchPage(query, "drafts.id", page)).map(toDraft);
}

/** Does a draft need this picture? */
export async function isPhotoOfDraft(
  reader: Reader,
  photoId: PhotoId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("draft_photos")
    .select("draft_id")
    .where("photo_id", "=", photoId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countDrafts(
  reader: Reader,
  userId: UserId,
): Promise<number> {
  const row = await reader
    .selectFrom("drafts")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** May the user write now? Neither the account nor its person is closed or suspended. */
export async function findActiveAuthor(reader: Reader, userId: UserId) {
  const row = await reader
    .selectFrom("users")
    .innerJoin("people", "people.user_id", "users.id")
    .select("people.id")
    .where("users.id", "=", userId)
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .executeTakeFirst();
  return row && { userId, personId: row.id };
}

/** Deletes drafts of a user who has left. @returns how many */
export async function deleteSomeDraftsOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("drafts")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("drafts as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function toDraft(row: {
  id: DraftId;
  user_id: UserId;
  content: JsonText<DraftContent>;
  publish_at: string | null;
  failed_reason: string | null;
  created_at: string;
  updated_at: string;
}): Draft {
  return {
    id: row.id,
    userId: row.user_id,
    content: loadJson(row.content),
    publishAt: row.publish_at,
    failedReason: row.failed_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

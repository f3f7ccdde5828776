import { sql } from "kysely";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import type { PageSummary } from "./link-preview.ts";

type NewLink = { postId: PostId; url: string; dueAt: Timestamp | null };

const insertLink = prepareQuery<NewLink, never>((reader, value) =>
  sql<never>`insert into post_links (post_id, url, due_at)
    values (${value("postId")}, ${value("url")}, ${value("dueAt")})
    on conflict do nothing`.compile(reader),
);

export async function insertPostLink(
  tx: Tx,
  postId: PostId,
  url: string,
  dueAt: Timestamp | null,
): Promise<void> {
  await insertLink(tx, { postId, url, dueAt });
}

export async function deletePostLink(tx: Tx, postId: PostId): Promise<void> {
  await tx.deleteFrom("post_links").where("post_id", "=", postId).execute();
}

/** @returns whether a post waited for one of these pages */
export async function clearDue(
  tx: Tx,
  urls: readonly string[],
): Promise<boolean> {
  if (urls.length === 0) return false;
  const { numUpdatedRows } = await tx
    .updateTable("post_links")
    .set({ due_at: null })
    .where("url", "in", urls)
    .where("due_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function postponeDue(
  tx: Tx,
  urls: readonly string[],
  dueAt: Timestamp,
): Promise<void> {
  if (urls.length === 0) return;
  await tx
    .updateTable("post_links")
    .set({ due_at: dueAt })
    .where("url", "in", urls)
    .where("due_at", "is not", null)
    .execute();
}

const NOTHING = {
  title: null,
  description: null,
  site_name: null,
  author_name: null,
  image_url: null,
};

/** @param summary null for a page that says nothing, or no longer exists */
export async function upsertPreview(
  tx: Tx,
  url: string,
  summary: PageSummary | null,
  expiresAt: Timestamp,
): Promise<void> {
  const columns = summary
    ? {
        title: summary.title,
        description: summary.description,
        site_name: summary.siteName,
        author_name: summary.authorName,
        image_url: summary.imageUrl,
      }
    : NOTHING;
  const row = { ...columns, expires_at: expiresAt };
  await tx
    .insertInto("link_previews")
    .values({ url, ...row })
    .onConflict((conflict) => conflict.column("url").doUpdateSet(row))
    .execute();
}

/** Remembers that a page could not be read. What was read before stays. */
export async function upsertFailure(
  tx: Tx,
  url: string,
  expiresAt: Timestamp,
): Promise<void> {
  await tx
    .insertInto("link_previews")
    .values({ url, ...NOTHING, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column("url").doUpdateSet({ expires_at: expiresAt }),
    )
    .execute();
}

/** Deletes those of the previews that no post uses. */
export async function deleteUnused(
  tx: Tx,
  urls: readonly string[],
): Promise<void> {
  if (urls.length === 0) return;
  await tx
    .deleteFrom("link_previews")
    .where("url", "in", urls)
    .where("url", "not in", (eb) =>
      eb.selectFrom("post_links").select("url").where("url", "in", urls),
    )
    .execute();
}

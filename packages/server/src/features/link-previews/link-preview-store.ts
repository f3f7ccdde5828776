import { sql } from "kysely";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import type { PageSummary } from "./link-preview.ts";

type NewLink = { postId: PostId; url: string; dueAt: Timestamp | null };

const insertLink = prepareQuery<NewLink, never>(
  (reader, value) =>
    sql<never>`insert into post_links (post_id, url, due_at)
    values (${value("postId")}, ${value("url")}, ${value("dueAt")})
    on conflict do nothing`.compile(reader),
  { types: { postId: "bigint", url: "text", dueAt: "text" } },
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

/** @returns those of the pages that a post waited for */
export async function clearDue(
  tx: Tx,
  urls: readonly string[],
): Promise<Set<string>> {
  if (urls.length === 0) return new Set();
  const rows = await tx
    .updateTable("post_links")
    .set({ due_at: null })
    .where("url", "in", urls)
    .where("due_at", "is not", null)
    .returning("url")
    .execute();
  return new Set(rows.map(({ url }) => url));
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

/** The words of a page about itself; null if it has none, or no longer exists. */
export type Preview = {
  readonly url: string;
  readonly summary: PageSummary | null;
  readonly expiresAt: Timestamp;
};

export async function upsertPreviews(
  tx: Tx,
  previews: readonly Preview[],
): Promise<void> {
  if (previews.length === 0) return;
  await tx
    .insertInto("link_previews")
    .values(previews.map(toRow))
    .onConflict((conflict) =>
      conflict.column("url").doUpdateSet((eb) => ({
        title: eb.ref("excluded.title"),
        description: eb.ref("excluded.description"),
        site_name: eb.ref("excluded.site_name"),
        author_name: eb.ref("excluded.author_name"),
        image_url: eb.ref("excluded.image_url"),
        expires_at: eb.ref("excluded.expires_at"),
      })),
    )
    .execute();
}

function toRow({ url, summary, expiresAt }: Preview) {
  return {
    url,
    title: summary?.title ?? null,
    description: summary?.description ?? null,
    site_name: summary?.siteName ?? null,
    author_name: summary?.authorName ?? null,
    image_url: summary?.imageUrl ?? null,
    expires_at: expiresAt,
  };
}

/** Remembers pages that could not be read. What was read before stays. */
export async function upsertFailures(
  tx: Tx,
  urls: readonly string[],
  expiresAt: Timestamp,
): Promise<void> {
  if (urls.length === 0) return;
  await tx
    .insertInto("link_previews")
    .values(urls.map((url) => toRow({ url, summary: null, expiresAt })))
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

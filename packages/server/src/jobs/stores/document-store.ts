import type { Db, Reader, Tx } from "../../db/db.ts";
import type { PostId } from "../../db/schema/ids.ts";
import { forUpdate } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";

export async function insertDocument(
  tx: Tx,
  body: string,
  now: Date,
  postId?: PostId,
): Promise<number> {
  const { id } = await tx
    .insertInto("job_documents")
    .values({ body, created_at: now.toISOString(), post_id: postId ?? null })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function getDocument(
  reader: Reader,
  id: number,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("job_documents")
    .select("body")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.body;
}

/** Deletes a document with the last job that needed it. */
export async function deleteUnneededDocument(
  db: Db,
  tx: Tx,
  id: number,
): Promise<void> {
  // When the last two jobs end concurrently, each would still see the other.
  if (db.dialect === "postgres")
    await tx
      .selectFrom("job_documents")
      .select("id")
      .where("id", "=", id)
      .modifyEnd(forUpdate(db.dialect))
      .execute();
  await deleteUnneeded(tx, { id });
}

const deleteUnneeded = prepareQuery<{ id: number }, unknown>((reader, value) =>
  reader
    .deleteFrom("job_documents")
    .where("id", "=", value("id"))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("jobs")
            .select("jobs.id")
            .where("jobs.document_id", "=", value("id")),
        ),
      ),
    )
    .compile(),
);

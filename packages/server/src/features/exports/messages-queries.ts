import type { Reader } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { PostId } from "../ids.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Private conversations with their first messages, by whomever. */
export async function listExportedConversations(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("conversation_readers")
    .innerJoin("posts", "posts.id", "conversation_readers.post_id")
    .innerJoin("people as starter", "starter.id", "posts.person_id")
    .select([
      "posts.id",
      "posts.guid",
      "posts.warning",
      "posts.text",
      "posts.created_at",
      "starter.handle",
      "conversation_readers.state",
    ])
    .where("conversation_readers.user_id", "=", userId)
    .$call(pageAfter("posts.id", afterId, limit))
    .execute();
  const others = await listParticipants(
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      subject: row.warning,
      author: row.handle,
      participants: [row.handle, ...(others.get(row.id) ?? [])],
      text: row.text,
      state: row.state,
      createdAt: row.created_at,
    },
  }));
}

async function listParticipants(
  reader: Reader,
  ids: readonly PostId[],
): Promise<Map<PostId, string[]>> {
  const rows = await reader
    .selectFrom("post_recipients")
    .innerJoin("people", "people.id", "post_recipients.person_id")
    .select(["post_recipients.post_id", "people.handle"])
    .where(isListed(reader, "post_recipients.post_id", JSON.stringify(ids)))
    .orderBy("people.id")
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.post_id)].map(([id, group]) => [
      id,
      group.map(({ handle }) => handle),
    ]),
  );
}

/** The later messages in these conversations, by whomever. */
export async function listExportedMessages(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("conversation_readers")
    .innerJoin("posts", "posts.id", "conversation_readers.post_id")
    .innerJoin("comments", "comments.post_id", "posts.id")
    .innerJoin("people as author", "author.id", "comments.person_id")
    .select([
      "comments.id",
      "comments.guid",
      "comments.text",
      "comments.created_at",
      "posts.guid as conversation_guid",
      "author.handle",
    ])
    .where("conversation_readers.user_id", "=", userId)
    .$call(pageAfter("comments.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      conversationGuid: row.conversation_guid,
      author: row.handle,
      text: row.text,
      createdAt: row.created_at,
    },
  }));
}

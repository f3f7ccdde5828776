import { sql } from "kysely";
import type { KithServer } from "./kith-server.ts";

const BY_PERSON = {
  aspect_memberships: ["person_id"],
  contacts: ["person_id"],
  blocks: ["person_id", "blocked_person_id"],
  ignores: ["person_id", "ignored_person_id"],
  posts: ["person_id"],
  post_recipients: ["person_id"],
  post_subscribers: ["person_id"],
  comments: ["person_id"],
  likes: ["person_id"],
  notifications: ["person_id"],
} as const;

const BY_USER = [
  "aspects",
  "contacts",
  "hidden_posts",
  "notifications",
  "sessions",
  "access_tokens",
];

/** The tables in which something still names a person or its user. */
export async function tracesOf(
  { db }: KithServer,
  personId: number,
  userId: number | null,
): Promise<string[]> {
  const found: string[] = [];
  const look = async (table: string, column: string, id: number) => {
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
        db.read,
      );
    if (rows.length > 0) found.push(`${table}.${column}: ${rows.length}`);
  };
  for (const [table, columns] of Object.entries(BY_PERSON))
    for (const column of columns) await look(table, column, personId);
  if (userId !== null)
    for (const table of BY_USER) await look(table, "user_id", userId);
  return found;
}

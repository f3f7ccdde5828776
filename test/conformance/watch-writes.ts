import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import type { KithServer } from "../../packages/server/test/support/server/kith-server.ts";

/**
 * A cheap check that nothing was written: the returned number is constant as long as
 * no transaction has written anything. A snapshot of all tables after each of thousands
 * of calls would take too long.
 */
export async function watchWrites({
  db,
}: KithServer): Promise<() => Promise<number>> {
  if (db.dialect === "postgres") {
    let commits = 0;
    db.onCommit(() => (commits += 1));
    return async () => commits;
  }
  // SQLite commits in groups, including empty ones; but another connection sees a change only after a write.
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(
    db.read,
  );
  const file = rows[0]?.file;
  assert.ok(file, "the database is a file");
  const other = new DatabaseSync(file, { readOnly: true });
  const query = other.prepare("pragma data_version");
  const read = () => Number(query.get()?.["data_version"]);
  let last: number | undefined;
  return async () => {
    if (read() === last) return last;
    // A checkpoint may still write to the header of the file. The next transaction waits for it.
    await db.transaction(async () => {});
    return (last = read());
  };
}

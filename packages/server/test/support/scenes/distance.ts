import { sql } from "kysely";
import type { Db } from "../../../src/db/db.ts";

const AT = "2026-01-02T03:04:05.678Z";

/** One person blocks another. */
export async function block(db: Db, by: number, whom: number): Promise<void> {
  await db.transaction((tx) =>
    sql`insert into blocks (person_id, blocked_person_id, created_at)
      values (${by}, ${whom}, ${AT})`.execute(tx),
  );
}

/** One person ignores another. */
export async function ignore(db: Db, by: number, whom: number): Promise<void> {
  await db.transaction((tx) =>
    sql`insert into ignores (person_id, ignored_person_id, created_at)
      values (${by}, ${whom}, ${AT})`.execute(tx),
  );
}

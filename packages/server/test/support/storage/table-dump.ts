import { sql } from "kysely";
import type { Db } from "../../../src/db/db.ts";
import { PARTS_OF_INDEX } from "../server/snapshot.ts";

/** All rows of each table, as sorted lines. */
export type Dump = ReadonlyMap<string, readonly string[]>;

export async function dumpTables({ read }: Db): Promise<Dump> {
  const dump = new Map<string, readonly string[]>();
  for (const { name } of await read.introspection.getTables()) {
    if (PARTS_OF_INDEX.test(name)) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(read);
    dump.set(name, rows.map((row) => JSON.stringify(row)).sort());
  }
  return dump;
}

/** The tables that differ, with the rows that only one of the dumps has. */
export function compareDumps(
  before: Dump,
  after: Dump,
): Map<string, { readonly gone: string[]; readonly added: string[] }> {
  const found = new Map<string, { gone: string[]; added: string[] }>();
  for (const [name, rows] of before) {
    const [old, now] = [new Set(rows), new Set(after.get(name))];
    const gone = rows.filter((row) => !now.has(row));
    const added = [...now].filter((row) => !old.has(row));
    if (gone.length + added.length > 0) found.set(name, { gone, added });
  }
  return found;
}

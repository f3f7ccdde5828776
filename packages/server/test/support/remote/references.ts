import { sql } from "kysely";
import type { KithServer } from "../server/kith-server.ts";

/** A column that refers to a row's owner, or to its subject. */
export type Reference = {
  readonly table: string;
  readonly column: string;
  readonly to: "people" | "users";
};

/** Such as `posts.person_id`. */
export function nameOf({ table, column }: Reference): string {
  return `${table}.${column}`;
}

/**
 * Every column of the schema that refers to a person or a user, by its name or
 * by a foreign key: so a table that is added later is looked at, too.
 */
export async function listReferences({ db }: KithServer): Promise<Reference[]> {
  const found = new Map<string, Reference>();
  const add = (reference: Reference) => {
    found.set(nameOf(reference), reference);
  };
  const tables = await db.read.introspection.getTables();
  for (const { name: table, columns } of tables)
    for (const { name: column } of columns) {
      const kind = /(?:^|_)(person|user)_id$/.exec(column)?.[1];
      if (kind !== undefined)
        add({ table, column, to: kind === "person" ? "people" : "users" });
    }
  for (const key of await listForeignKeys(db)) add(key);
  return [...found.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function listForeignKeys(db: KithServer["db"]): Promise<Reference[]> {
  const query =
    db.dialect === "sqlite"
      ? sql<Reference>`select tables.name as "table", keys."from" as "column", keys."table" as "to"
          from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
          where tables.type = 'table' and keys."table" in ('people', 'users')`
      : sql<Reference>`select owner.relname as "table", columns.attname as "column", target.relname as "to"
          from pg_constraint as keys
          join pg_class as owner on owner.oid = keys.conrelid
          join pg_class as target on target.oid = keys.confrelid
          join pg_attribute as columns
            on columns.attrelid = owner.oid and columns.attnum = any(keys.conkey)
          where keys.contype = 'f' and target.relname in ('people', 'users')
            and owner.relnamespace = current_schema()::regnamespace`;
  return (await query.execute(db.read)).rows;
}

/** The number of rows that refer to a person, by the name of the reference. */
export async function countReferences(
  kith: KithServer,
  personId: number,
  userId: number | null,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const reference of await listReferences(kith)) {
    const { table, column, to } = reference;
    const id = to === "people" ? personId : userId;
    if (id === null) continue;
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
        kith.db.read,
      );
    counts.set(nameOf(reference), rows.length);
  }
  return counts;
}

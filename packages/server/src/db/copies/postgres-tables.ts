import type { Client } from "pg";
import {
  SAMPLED_ROWS,
  type CopiedSequence,
  type CopiedTable,
} from "./database-copy.ts";
import { digestOfRows, quoteName } from "./sample-rows.ts";

export type TableColumns = {
  readonly name: string;
  /** Without those that the database computes. */
  readonly columns: readonly string[];
  /** Of the primary key. */
  readonly keys: readonly string[];
};

/** Lists the tables in the schema of this connection, by name. */
export async function listTables(client: Client): Promise<TableColumns[]> {
  const { rows } = await client.query<{
    name: string;
    columns: string[];
    keys: string[];
  }>(
    `select c.relname::text as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = '' order by a.attnum) as columns,
       array(select a.attname::text
         from pg_index i, unnest(i.indkey) with ordinality as k(number, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
         where i.indrelid = c.oid and i.indisprimary order by k.place) as keys
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = current_schema()
     order by c.relname`,
  );
  return rows;
}

/** Counts and samples one table. */
export async function describeTable(
  client: Client,
  { name, columns, keys }: TableColumns,
): Promise<CopiedTable> {
  const table = quoteName(name);
  const counted = await client.query<{ rows: string }>(
    `select count(*)::text as rows from ${table}`,
  );
  const rows = Number(counted.rows[0]?.rows);
  if (keys.length === 0) return { name, rows, sample: null, columns };
  const order = keys.map((key) => `${quoteName(key)} desc`).join(", ");
  // Columns by name: a later migration may have added them in another order.
  const list = columns.toSorted().map(quoteName).join(", ");
  const last = await client.query<{ row: string }>(
    `select row(${list})::text as row from ${table} order by ${order} limit ${SAMPLED_ROWS}`,
  );
  const sample = digestOfRows(last.rows.map(({ row }) => row));
  return { name, rows, sample, columns };
}

/** Lists the identity columns in the schema of this connection. */
export async function listSequences(client: Client): Promise<CopiedSequence[]> {
  const { rows } = await client.query<{
    table: string;
    column: string;
    sequence: string;
  }>(
    `select c.relname::text as table, a.attname::text as column,
       pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind = 'r'
       and a.attidentity <> '' and not a.attisdropped
     order by 1, 2`,
  );
  const found: CopiedSequence[] = [];
  for (const { table, column, sequence } of rows) {
    const state = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${sequence}`,
    );
    const [row] = state.rows;
    if (row) found.push({ table, column, ...row });
  }
  return found;
}

import { sql, type RawBuilder } from "kysely";

/** The right side of a comparison with any of these columns. */
export function inColumns(columns: readonly string[]): RawBuilder<unknown> {
  return sql`in (${sql.join(columns.map((column) => sql.ref(column)))})`;
}

import { sql, type SelectQueryBuilder } from "kysely";
import { isAfter } from "../../db/prepared-query.ts";

/** Reads the part of a list that follows the record with this id, in the order of ids. */
export function pageAfter(column: string, afterId: number, limit: number) {
  return <DB, Tables extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Tables, Row>,
  ) =>
    query.where(isAfter(column, afterId)).orderBy(sql.ref(column)).limit(limit);
}

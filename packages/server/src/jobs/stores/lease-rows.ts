import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { DialectName } from "../../db/db.ts";

/**
 * One lease of a job. Each has its own number, so that only the newest can be
 * settled.
 */
export type Lease = { readonly id: number; readonly lease: number };

/** A lease of any worker, as it is stored. */
export type ObservedLease = Lease & {
  /**
   * Changes with each renewal. It is compared with its own former value only,
   * never with a clock.
   */
  readonly until: string | null;
};

/** Serializes leases into one parameter. */
export function serializeLeases(leases: readonly Lease[]): string {
  return JSON.stringify(leases.map(({ id, lease }) => [id, lease]));
}

/**
 * Is the row of `jobs` still under its lease in the list, from
 * `serializeLeases`?
 */
export function isUnder(
  dialect: DialectName,
  leases: string,
): RawBuilder<SqlBool> {
  if (dialect === "sqlite")
    return sql`(id, lease_number) in (
      select value ->> 0, value ->> 1 from json_each(${leases}))`;
  // By their ids first: PostgreSQL would read all jobs to join them with the
  // pairs.
  const given = sql`jsonb_array_elements(${leases}::jsonb) as given(value)`;
  return sql`(id = any(array(select (value ->> 0)::bigint from ${given}))
    and (id, lease_number) in (
      select (value ->> 0)::bigint, (value ->> 1)::bigint from ${given}))`;
}

/** The same for a single lease. */
export function isUnderLease({ id, lease }: Lease): RawBuilder<SqlBool> {
  return sql`(id = ${id} and lease_number = ${lease})`;
}

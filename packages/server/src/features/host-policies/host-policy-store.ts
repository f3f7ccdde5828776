import type { Selectable } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { HostPolicy } from "./host-policy.ts";

/** All policies, by host: some thousands, where lists were imported. */
export async function listPolicies(reader: Reader): Promise<HostPolicy[]> {
  const rows = await selectPolicies(reader).orderBy("host").execute();
  return rows.map(toPolicy);
}

/** The policies of the named hosts. */
export async function listPoliciesOf(
  reader: Reader,
  hosts: readonly string[],
): Promise<HostPolicy[]> {
  if (hosts.length === 0) return [];
  const rows = await selectPolicies(reader)
    .where("host", "in", hosts)
    .execute();
  return rows.map(toPolicy);
}

const selectPolicies = (reader: Reader) =>
  reader.selectFrom("host_policies").selectAll();

function toPolicy(row: Selectable<Database["host_policies"]>): HostPolicy {
  return {
    host: row.host,
    blocked: Boolean(row.blocked),
    silenced: Boolean(row.silenced),
    mediaRejected: Boolean(row.media_rejected),
    allowed: Boolean(row.allowed),
    reason: row.reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A change of a host's policy; absent fields keep their value. */
export type PolicyChange = {
  readonly blocked?: boolean;
  readonly silenced?: boolean;
  readonly mediaRejected?: boolean;
  readonly allowed?: boolean;
  /** Absent: unchanged. */
  readonly reason?: string;
};

export async function savePolicy(
  tx: Tx,
  host: string,
  change: PolicyChange,
  now: Timestamp,
): Promise<void> {
  const { blocked, silenced, mediaRejected, allowed, reason } = change;
  await tx
    .insertInto("host_policies")
    .values({
      host,
      blocked: blocked ?? false,
      silenced: silenced ?? false,
      media_rejected: mediaRejected ?? false,
      allowed: allowed ?? false,
      reason: reason ?? "",
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      // Kysely omits undefined values, so that absent means unchanged.
      conflict.column("host").doUpdateSet({
        blocked,
        silenced,
        media_rejected: mediaRejected,
        allowed,
        reason,
        updated_at: now,
      }),
    )
    .execute();
}

/** @returns false if there was none */
export async function deletePolicy(tx: Tx, host: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("host_policies")
    .where("host", "=", host)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

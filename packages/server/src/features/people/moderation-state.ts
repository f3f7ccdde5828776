import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { PersonId } from "../ids.ts";
import { updateModerationState } from "./person-store.ts";
import {
  hostsOf,
  UNMODERATED,
  type Person,
  type ModerationState,
} from "./person.ts";

/**
 * Returns the moderation state of these hosts, or of the hosts of these URLs.
 * @param tx the transaction that writes it down: reads the current state, bypassing any
 *   cache
 */
export type ModerationStateOn = (
  hosts: readonly string[],
  tx?: Tx,
) => Promise<ModerationState>;

export type ModerationStateDeps = {
  readonly db: Pick<Db, "dialect">;
  readonly standingOn: ModerationStateOn;
};

/**
 * Locks the moderation state so that concurrent decisions on a host and on a person do not
 * overwrite each other: read the other decisions only after taking this lock.
 */
export function lockModerationState(
  { db }: Pick<ModerationStateDeps, "db">,
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  return lockKey(tx, db.dialect, `standing:${personId}`);
}

/**
 * Saves the moderation state that now follows from the decisions on a person's hosts and
 * on the person.
 */
export async function renewModerationState(
  deps: ModerationStateDeps,
  tx: Tx,
  person: Pick<Person, "id" | "userId"> & Parameters<typeof hostsOf>[0],
): Promise<void> {
  await lockModerationState(deps, tx, person.id);
  // This server itself is never moderated.
  const ofHost =
    person.userId === null
      ? await deps.standingOn(hostsOf(person), tx)
      : UNMODERATED;
  await updateModerationState(tx, person.id, ofHost);
}

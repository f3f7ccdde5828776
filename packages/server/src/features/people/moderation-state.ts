import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { PersonId } from "../ids.ts";
import { updateModerationState } from "./person-store.ts";
import { hostsOf, type Person, type ModerationState } from "./person.ts";

/**
 * What was decided of these hosts, or of the hosts of these URLs.
 * @param tx where it is written down: what holds there, whatever is kept in memory
 */
export type ModerationStateOn = (
  hosts: readonly string[],
  tx?: Tx,
) => Promise<ModerationState>;

export type ModerationStateDeps = {
  readonly db: Pick<Db, "dialect">;
  readonly standingOn: ModerationStateOn;
};

/** Of this server nothing is ever decided. */
const OF_HERE: ModerationState = {
  shutOut: false,
  silenced: false,
  mediaRejected: false,
};

/** What is decided of a host and of a person at the same time must not overtake each other: whoever writes a standing first reads what else was decided. */
export function lockModerationState(
  { db }: Pick<ModerationStateDeps, "db">,
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  return lockKey(tx, db.dialect, `standing:${personId}`);
}

/** Writes down what was decided of the hosts of somebody, and of the person itself, as it holds now. */
export async function renewModerationState(
  deps: ModerationStateDeps,
  tx: Tx,
  person: Pick<Person, "id" | "userId"> & Parameters<typeof hostsOf>[0],
): Promise<void> {
  await lockModerationState(deps, tx, person.id);
  const ofHost =
    person.userId === null
      ? await deps.standingOn(hostsOf(person), tx)
      : OF_HERE;
  await updateModerationState(tx, person.id, ofHost);
}

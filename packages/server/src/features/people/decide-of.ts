import type { Db, Tx } from "../../db/db.ts";
import {
  findDecision,
  saveDecision,
  type PersonDecision,
} from "./decision-store.ts";
import { lockStanding } from "./lock-standing.ts";
import { updateStanding } from "./person-store.ts";
import { hostsOf, type Person, type Standing } from "./person.ts";

type DecideDeps = {
  readonly db: Db;
  /** What was decided of these hosts. */
  readonly standingOn: (hosts: readonly string[]) => Promise<Standing>;
};

/** Of this server nothing is ever decided. */
const OF_HERE: Standing = {
  shutOut: false,
  silenced: false,
  mediaRejected: false,
};

/** Changes what was decided of one person, with all that follows for it at once. */
export async function decideOf(
  { db, standingOn }: DecideDeps,
  tx: Tx,
  person: Person,
  change: (before: PersonDecision) => PersonDecision,
): Promise<{
  readonly before: PersonDecision;
  readonly after: PersonDecision;
}> {
  await lockStanding(tx, db.dialect, person.id);
  const before = await findDecision(tx, person.id);
  const after = change(before);
  await saveDecision(tx, person.id, after);
  const ofHost =
    person.userId === null ? await standingOn(hostsOf(person)) : OF_HERE;
  await updateStanding(tx, person.id, ofHost);
  return { before, after };
}

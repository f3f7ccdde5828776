import type { Tx } from "../../db/db.ts";
import {
  findDecision,
  saveDecision,
  type PersonDecision,
} from "./decision-store.ts";
import { lockStanding, renewStanding, type StandingDeps } from "./standing.ts";
import type { Person } from "./person.ts";

/** Changes what was decided of one person, with all that follows for it at once. */
export async function decideOf(
  deps: StandingDeps,
  tx: Tx,
  person: Person,
  change: (before: PersonDecision) => PersonDecision,
): Promise<{
  readonly before: PersonDecision;
  readonly after: PersonDecision;
}> {
  await lockStanding(deps, tx, person.id);
  const before = await findDecision(tx, person.id);
  const after = change(before);
  await saveDecision(tx, person.id, after);
  await renewStanding(deps, tx, person);
  return { before, after };
}

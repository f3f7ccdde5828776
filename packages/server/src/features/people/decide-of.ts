import type { Tx } from "../../db/db.ts";
import {
  findDecision,
  saveDecision,
  type PersonDecision,
} from "./decision-store.ts";
import {
  lockModerationState,
  renewModerationState,
  type ModerationStateDeps,
} from "./moderation-state.ts";
import type { Person } from "./person.ts";

/** Changes a moderation decision on one person and applies all its consequences at once. */
export async function decideOf(
  deps: ModerationStateDeps,
  tx: Tx,
  person: Person,
  change: (before: PersonDecision) => PersonDecision,
): Promise<{
  readonly before: PersonDecision;
  readonly after: PersonDecision;
}> {
  await lockModerationState(deps, tx, person.id);
  const before = await findDecision(tx, person.id);
  const after = change(before);
  await saveDecision(tx, person.id, after);
  await renewModerationState(deps, tx, person);
  return { before, after };
}

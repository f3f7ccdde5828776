import type { Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { PersonId } from "../ids.ts";
import type { HeldText } from "../spam-rules/index.ts";
import type { HeldTextsDeps } from "./held-texts.ts";

/**
 * Deletes a held text, as if its author had: a remote one cannot come back.
 * @returns false if it is no longer held
 */
export function removeHeld(
  { events, comments }: HeldTextsDeps,
  tx: Tx,
  { kind, guid, personId, postId }: HeldText,
): Promise<boolean> {
  return kind === "post"
    ? events.receivePostRetraction({ id: postId }, personId, tx)
    : comments.receiveRetraction({ guid }, personId, tx);
}

export async function withdrawHeld(
  deps: HeldTextsDeps,
  personId: PersonId,
  id: number,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const held = await deps.spamRules.held.find(tx, { id });
    const isGone =
      held?.personId === personId && (await removeHeld(deps, tx, held));
    if (!isGone)
      throw new KithError("not_found", "No such text of yours is held.");
  });
}

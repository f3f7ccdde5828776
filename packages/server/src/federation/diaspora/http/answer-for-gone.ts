import type { Entity } from "@kith/diaspora";
import type { UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Dispatcher } from "../../outbound/dispatch.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import type { DiasporaDeps } from "../deps.ts";
import { dispatchDocument, sealEntity } from "../records/envelopes.ts";
import { renderAccountDeletion } from "../render/render-person.ts";

export type AnswerForGoneDeps = Pick<DiasporaDeps, "accounts" | "moves"> & {
  readonly dispatch: Dispatcher;
};

/** Two servers must not notify each other of departures for ever. */
const FAREWELLS: ReadonlySet<Entity["type"]> = new Set([
  "account_migration",
  "account_deletion",
]);

/**
 * Repeats the notice of departure to a remote person who writes to a person no
 * longer here.
 * @see protocol section 7
 */
export async function answerForGone(
  deps: AnswerForGoneDeps,
  gone: Person & { readonly userId: UserId },
  sender: Person,
  entityType: Entity["type"],
): Promise<InboundResult> {
  if (FAREWELLS.has(entityType)) return done("the recipient is gone");
  const signer = { person: gone, userId: gone.userId };
  const moved = await deps.moves.findDocument(gone.id);
  const text =
    moved?.text ??
    (await sealEntity(deps, renderAccountDeletion(gone), signer));
  const to = { recipients: [sender], isPublic: moved?.public ?? true };
  const dispatches = [dispatchDocument(text, signer, to)];
  // Friendica accepts a move only at the person's own endpoint.
  if (moved?.public)
    dispatches.push(dispatchDocument(text, signer, { ...to, isPublic: false }));
  const order = { about: `person:${gone.id}` };
  await deps.dispatch(dispatches.map((one) => ({ ...one, order })));
  return done("the recipient is gone, and the sender is told");
}

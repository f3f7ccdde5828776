import { readMove, type Activity } from "@kith/activitypub";
import type { Moves } from "../../../features/moves/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { askActor, type AliasesDeps } from "../authority/aliases.ts";
import { findLocal } from "../records/find-local.ts";

export type ReceiveMoveDeps = AliasesDeps & {
  readonly moves: Moves;
  readonly discoverActor: (uri: string) => Promise<Person | undefined>;
};

/**
 * The sender moves to another actor. This is believed where that actor's own document, fetched now,
 * names the sender in `alsoKnownAs`; local followers then follow the new one instead. The old
 * actor's posts stay its own.
 * @throws {ActivityPubError} where another actor is moved
 */
export async function receiveMove(
  deps: ReceiveMoveDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const { from, to } = readMove(activity);
  if (from !== sender.addresses.actorUri) return done("a move of another");
  const word = await askActor(deps, to);
  if (!word) return { kind: "wait", reason: "The new actor cannot be had" };
  if (!word.alsoKnownAs.includes(from))
    return done("ignored: the new actor does not name the old one");
  if (word.movedTo !== undefined) return done("ignored: it has moved on");
  const target = deps.uris.isLocal(to)
    ? await findLocal(deps, to)
    : await deps.discoverActor(to);
  if (!target) return { kind: "wait", reason: "The new actor is not found" };
  const outcome = await deps.moves.start({
    from: sender.id,
    to: target.id,
    // A local person who has moved is in no other server's document.
    hasReturned: target.userId === null,
  });
  return done(
    outcome.kind === "refused" ? `refused: ${outcome.reason}` : outcome.kind,
  );
}

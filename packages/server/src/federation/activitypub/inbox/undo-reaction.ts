import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { findKnown } from "../records/objects.ts";
import {
  retractEarly,
  toTarget,
  type ReceiveReactionDeps,
} from "./receive-reaction.ts";

/** The id of what is undone, and the copy of it in the Undo. */
type Undone = {
  readonly uri: string | undefined;
  readonly inner: Activity | undefined;
  /** Did a group that is followed here pass it on? */
  readonly isOfGroup: boolean;
};

/** The Undo of a Like, Dislike or Announce: the stored one of this actor. */
export async function receiveUndoReaction(
  deps: ReceiveReactionDeps,
  undone: Undone,
  sender: Person,
): Promise<InboundResult> {
  const { uri } = undone;
  const outcome = await undoByName(deps, undone, sender);
  if (outcome !== undefined) return done(outcome);
  const said = await undoByObject(deps, undone, sender);
  if (uri === undefined) return done(said ?? "an undo of nothing known");
  const isStillUnknown = await retractEarly(deps, uri, sender, async (tx) =>
    Boolean(
      (await deps.likes.find({ uri }, tx)) ??
      (await deps.posts.find({ uri }, tx)) ??
      (await deps.reactions.has(tx, uri, sender.id)),
    ),
  );
  if (isStillUnknown) return done(said ?? "undo of something unknown");
  // It has arrived meanwhile, or is another actor's.
  const late = await undoByName(deps, undone, sender);
  return done(late ?? "an undo of somebody else's");
}

/** @returns the outcome; undefined if this actor has nothing of that id or Guid */
async function undoByName(
  deps: ReceiveReactionDeps,
  { uri, inner }: Undone,
  sender: Person,
): Promise<string | undefined> {
  const { id: by } = sender;
  const wasReaction =
    uri !== undefined && (await deps.reactions.receiveRetraction(uri, by));
  const guid = inner?.guid;
  const keys = [
    ...(uri === undefined ? [] : [{ uri }]),
    ...(guid === undefined ? [] : [{ guid }]),
  ];
  for (const key of keys) {
    if (await deps.likes.receiveRetraction(key, by)) return "like undone";
    if (await deps.posts.receiveRetraction(key, by)) return "reshare undone";
  }
  return wasReaction ? "reaction undone" : undefined;
}

/**
 * An actor likes and shares an object once, whatever the ids: Lemmy undoes a vote under an id made
 * for that, as a Like whichever it was, and some servers name no id at all. Under an id of its own
 * the Undo may be that of an earlier reaction, and come late.
 */
async function undoByObject(
  deps: ReceiveReactionDeps,
  { uri, inner, isOfGroup }: Undone,
  { id: personId }: Person,
): Promise<string | undefined> {
  if (uri !== undefined && !isOfGroup) return undefined;
  const object = inner?.object?.id;
  const known =
    object === undefined ? undefined : await findKnown(deps, object);
  if (!inner || !known) return undefined;
  const isShare = inner.type === "Announce";
  const kind = isShare ? "Post" : "Like";
  const past = { kind, guid: null, uri: uri ?? null, personId } as const;
  if (await deps.retractions.isRetracted(deps.db.read, past)) return undefined;
  if (inner.type === "Like" || inner.type === "Dislike") {
    const isDone = await deps.likes.receiveRetraction(
      toTarget(known),
      personId,
    );
    return isDone ? "like undone" : undefined;
  }
  if (!isShare || known.kind !== "post") return undefined;
  const share = await deps.posts.findReshareOf(known.post.guid, personId);
  const isDone =
    share && (await deps.posts.receiveRetraction({ id: share.id }, personId));
  return isDone === true ? "reshare undone" : undefined;
}

import { readActivity, type Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isOfServer } from "../authority/origins.ts";
import {
  receiveBlockActivity,
  receiveUndoFollow,
  receiveUndoFollowById,
} from "./receive-follow.ts";
import {
  receiveUndoAnswer,
  type ReceiveParticipationDeps,
} from "./receive-participation.ts";
import type { ReceiveReactionDeps } from "./receive-reaction.ts";
import { receiveUndoReaction } from "./undo-reaction.ts";

/** @param isOfGroup a group that is followed here passed it on */
export async function receiveUndo(
  deps: ReceiveReactionDeps & ReceiveParticipationDeps,
  { object }: Activity,
  sender: Person,
  isOfGroup = false,
): Promise<InboundResult> {
  if (object?.id === undefined && !object?.embedded)
    return done("an undo of nothing");
  const actorUri = sender.addresses.actorUri ?? "";
  const inner =
    object.embedded && readActivity({ actor: actorUri, ...object.embedded });
  if (inner && inner.actor !== actorUri)
    return done("an undo of somebody else's");
  if (inner?.type === "Follow") return receiveUndoFollow(deps, inner, sender);
  if (inner?.type === "Block")
    return receiveBlockActivity(deps, inner, sender, false);
  const answer = { uri: object.id ?? inner?.id, ...(inner && { inner }) };
  const undone = await receiveUndoAnswer(deps, answer, sender);
  if (undone) return undone;
  const uri = object.id ?? inner?.id;
  if (uri !== undefined && !isOfServer(uri, actorUri))
    return done("an undo of somebody else's");
  const isFollow =
    !inner &&
    uri !== undefined &&
    (await receiveUndoFollowById(deps, uri, sender));
  if (isFollow) return done("follow undone");
  return receiveUndoReaction(deps, { uri, inner, isOfGroup }, sender);
}

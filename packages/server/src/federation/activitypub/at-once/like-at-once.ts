import {
  ActivityPubError,
  readActivity,
  readReaction,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import { lockOf, type Likes } from "../../../features/likes/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Reactions } from "../../../features/reactions/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import { isOfServer } from "../authority/origins.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";
import { findElsewhere, isElsewhere } from "./find-elsewhere.ts";
import { readLike, toTarget } from "../inbox/receive-reaction.ts";

export type LikeAtOnceDeps = ReceiveNoteDeps & {
  readonly likes: Likes;
  readonly reactions: Pick<Reactions, "has">;
};

/** Reads a Like or Dislike of something below a post of another server, sent by its author. */
export async function readImmediateLike(
  deps: LikeAtOnceDeps,
  activity: Activity,
  sender: Person,
): Promise<Immediate | undefined> {
  const uri = activity.object?.id;
  // One with an emoji is a reaction besides.
  if (uri === undefined || readReaction(activity).emoji !== undefined)
    return undefined;
  const found = await findElsewhere(deps, uri, sender);
  if (!found) return undefined;
  const target = toTarget(found.known);
  const like = await readLike(deps, activity, sender, target);
  const admit = deps.strangers.admitOnce(sender);
  return {
    senderId: sender.id,
    names: [like.guid, like.uri],
    keys: [lockOf(like, sender.id)],
    execute: (tx, { isFollowed }) =>
      admit(isFollowed, async () => {
        const { kind } = await deps.likes.receive(like, true, tx);
        return kind === "stored";
      }),
  };
}

/** Reads the Undo of such a like. */
export async function readImmediateUndo(
  deps: LikeAtOnceDeps,
  { object }: Activity,
  sender: Person,
): Promise<Immediate | undefined> {
  const inner = object?.embedded && readInner(object.embedded);
  const uri = object?.id ?? inner?.id;
  const actorUri = sender.addresses.actorUri ?? "";
  if (!inner || uri === undefined || inner.actor !== actorUri) return undefined;
  if (inner.type !== "Like" && inner.type !== "Dislike") return undefined;
  if (!isOfServer(uri, actorUri)) return undefined;
  const like = await deps.likes.find({ uri });
  if (like?.personId !== sender.id) return undefined;
  const post = await deps.posts.find({ id: like.postId });
  if (!post || !(await isElsewhere(deps, post))) return undefined;
  if (await deps.reactions.has(deps.db.read, uri, sender.id)) return undefined;
  return {
    senderId: sender.id,
    names: [like.guid, uri],
    keys: [lockOf(like, sender.id)],
    execute: (tx) => deps.likes.receiveRetraction({ uri }, sender.id, tx),
  };
}

function readInner(embedded: JsonObject): Activity | undefined {
  try {
    return readActivity(embedded);
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

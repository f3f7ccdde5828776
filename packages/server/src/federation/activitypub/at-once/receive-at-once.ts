import {
  ActivityPubError,
  readVotesOf,
  type Activity,
  type Note,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import { embeddedBy, readWritten } from "../authority/vouched.ts";
import { readPost } from "../notes/read-post.ts";
import {
  findAudience,
  isForNobodyHere,
  isRelevant,
} from "../notes/read-recipients.ts";
import {
  isForFew,
  readAsComment,
  type ReceiveNoteDeps,
} from "../notes/receive-note.ts";
import { readImmediateShare, type ShareAtOnceDeps } from "./share-at-once.ts";
import { readImmediateDelete } from "./delete-at-once.ts";
import { findElsewhere } from "./find-elsewhere.ts";
import {
  readImmediateLike,
  readImmediateUndo,
  type LikeAtOnceDeps,
} from "./like-at-once.ts";

/**
 * The write that an activity asks for, where storing it needs nothing that is not here already: of
 * a new post or its deletion, or of a reply, a like or a reshare below a post of another server,
 * which is passed on to nobody.
 * @param sender verified
 * @returns undefined where the worker must process it, also to give the reason for a refusal
 */
export async function readImmediateActivity(
  deps: LikeAtOnceDeps & ShareAtOnceDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<Immediate | undefined> {
  const { type } = activity;
  if (type === "Like" || type === "Dislike")
    return readImmediateLike(deps, activity, sender);
  if (type === "Announce")
    return readImmediateShare(deps, activity, sender, recipient);
  if (type === "Delete") return readImmediateDelete(deps, activity, sender);
  if (type === "Undo") return readImmediateUndo(deps, activity, sender);
  const note = readNewNote(activity, sender);
  if (!note) return undefined;
  return note.inReplyTo === undefined
    ? readNewPost(deps, note, sender, recipient)
    : readReply(deps, note, note.inReplyTo, sender, recipient);
}

async function readNewPost(
  deps: ReceiveNoteDeps,
  note: Note,
  sender: Person,
  recipient: Person | null,
): Promise<Immediate | undefined> {
  const audience = await findAudience(deps, note, sender, recipient);
  if (isForNobodyHere(audience)) return undefined;
  const post = await readPost(deps, note, sender, audience);
  // The worker also looks up the other participants.
  if (post.participants != null) return undefined;
  const { posts, strangers } = deps;
  const admit = strangers.admitOnce(sender);
  return {
    senderId: sender.id,
    names: [post.guid, post.uri],
    execute: async (tx, { isFollowed }) => {
      const isWanted =
        isFollowed || (await isRelevant(deps, sender, audience, tx));
      if (!isWanted) return false;
      return admit(isFollowed, async () => {
        const { kind } = await posts.receive(post, tx);
        return kind === "stored";
      });
    },
  };
}

/** A reply that everyone may read who may read what it answers. */
async function readReply(
  deps: ReceiveNoteDeps,
  note: Note,
  inReplyTo: string,
  sender: Person,
  recipient: Person | null,
): Promise<Immediate | undefined> {
  const found = await findElsewhere(deps, inReplyTo, sender);
  if (!found) return undefined;
  const { known, post } = found;
  const audience = await findAudience(deps, note, sender, recipient);
  if (post.public && isForFew(note, audience)) return undefined;
  const comment = await readAsComment(deps, note, sender, known);
  if (!comment) return undefined;
  const admit = deps.strangers.admitOnce(sender);
  return {
    senderId: sender.id,
    names: [comment.guid, comment.uri],
    execute: (tx, { isFollowed }) =>
      admit(isFollowed, async () => {
        const { kind } = await deps.comments.receive(comment, tx);
        return kind === "stored";
      }),
  };
}

function readNewNote(activity: Activity, sender: Person): Note | undefined {
  const { type, object, raw } = activity;
  const embedded = type === "Create" && object && embeddedBy(object, sender);
  if (!embedded || embedded["type"] !== "Note") return undefined;
  if (readVotesOf(activity).length > 0) return undefined;
  try {
    const read = readWritten(raw, embedded, sender);
    return "note" in read ? read.note : undefined;
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

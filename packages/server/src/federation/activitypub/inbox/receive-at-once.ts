import { ActivityPubError, type Activity, type Note } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import { embeddedBy, readWritten } from "../authority/vouched.ts";
import { readPost } from "../notes/read-post.ts";
import { isRelevant, findAudience } from "../notes/read-recipients.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";

/**
 * The write that an activity asks for, where it contains a new post that is not a reply: storing it
 * needs nothing that is not here already.
 * @param sender verified
 * @returns undefined where the worker must process it, also to give the reason for a refusal
 */
export async function readImmediateActivity(
  deps: ReceiveNoteDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<Immediate | undefined> {
  const note = readNewNote(activity, sender);
  if (!note || note.inReplyTo !== undefined) return undefined;
  const audience = await findAudience(deps, note, sender, recipient);
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

function readNewNote(
  { type, object, raw }: Activity,
  sender: Person,
): Note | undefined {
  const embedded = type === "Create" && object && embeddedBy(object, sender);
  if (!embedded || embedded["type"] !== "Note") return undefined;
  try {
    const read = readWritten(raw, embedded, sender);
    return "note" in read ? read.note : undefined;
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

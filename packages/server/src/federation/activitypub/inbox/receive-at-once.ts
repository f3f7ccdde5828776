import { ActivityPubError, type Activity, type Note } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import { embeddedBy, readWritten } from "../authority/vouched.ts";
import { readPost } from "./reading/read-post.ts";
import { isRelevant, findAudience } from "./reading/read-recipients.ts";
import type { ReceiveNoteDeps } from "./receive-note.ts";

/**
 * What an activity asks for, where that is a new post that comes with it and
 * answers nothing: storing it needs nothing that is not here.
 * @param sender verified
 * @returns undefined where the worker is to look at it, also to say why it is refused
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
  const { posts, strangers } = deps;
  return {
    senderId: sender.id,
    execute: async (tx) => {
      const store = async () =>
        (await posts.receive(post, tx)).kind === "stored";
      return (
        (await isRelevant(deps, sender, audience, tx)) &&
        strangers.admitNew(sender, store, tx)
      );
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

import { ActivityPubError, type Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import { embeddedBy, readOwnNote } from "../authority/vouched.ts";
import { withContextOf } from "./receive-attachment.ts";
import {
  readRootPost,
  type ReceiveNoteDeps,
  type RootPost,
} from "./receive-note.ts";

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
  const read = await readNewPost(deps, activity, sender, recipient);
  if (!read) return undefined;
  const { post, isAddressed } = read;
  const { posts, contacts, strangers } = deps;
  return {
    senderId: sender.id,
    execute: async (tx) => {
      const isRelevant =
        isAddressed || (await contacts.isRelatedToAnybody(sender.id, tx));
      const store = async () =>
        (await posts.receive(post, tx)).kind === "stored";
      return isRelevant && strangers.admitNew(sender, store, tx);
    },
  };
}

async function readNewPost(
  deps: ReceiveNoteDeps,
  { type, object, raw }: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<RootPost | undefined> {
  const embedded = type === "Create" && object && embeddedBy(object, sender);
  if (!embedded || embedded["type"] !== "Note") return undefined;
  try {
    const note = readOwnNote(withContextOf(raw, embedded));
    return note?.attributedTo === sender.addresses.actorUri
      ? await readRootPost(deps, note, sender, recipient)
      : undefined;
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

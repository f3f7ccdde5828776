import type { Activity } from "@kith/activitypub";
import { reshareLockOf } from "../../../features/posts/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";
import { findKnown } from "../records/objects.ts";
import type { Relays } from "../relays/relay-list.ts";
import { readShare, readSharedWith } from "../inbox/receive-reaction.ts";

export type ShareAtOnceDeps = ReceiveNoteDeps & {
  readonly relays: Pick<Relays, "isSubscribed">;
};

/** Reads the Announce of a known public post, by somebody whom a local person follows. */
export async function readImmediateShare(
  deps: ShareAtOnceDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<Immediate | undefined> {
  const { object, actor } = activity;
  // A group passes on the activities of its members, a relay posts.
  if (object?.id === undefined || object.embedded) return undefined;
  if (await deps.relays.isSubscribed(actor)) return undefined;
  if (!(await deps.contacts.hasFollowersHere(sender.id))) return undefined;
  const known = await findKnown(deps, object.id);
  if (known?.kind !== "post" || !known.post.public) return undefined;
  const audience = await readSharedWith(deps, activity, sender, recipient);
  if (!audience.public && audience.people.length === 0) return undefined;
  const about = { root: known.post, audience };
  const share = await readShare(deps, activity, sender, about);
  return {
    senderId: sender.id,
    names: [share.guid, share.uri],
    keys: reshareLockOf(share),
    execute: async (tx) => {
      const { kind } = await deps.posts.receive(share, tx);
      return kind === "stored";
    },
  };
}

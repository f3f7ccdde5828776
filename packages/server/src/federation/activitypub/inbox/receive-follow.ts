import type { Activity } from "@kith/activitypub";
import type { Blocks } from "../../../features/blocks/index.ts";
import type { Contact, Contacts } from "../../../features/contacts/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { findByUsername } from "../records/find-local.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";
import { sendAnswer, type SendAnswerDeps } from "../sending/send-answer.ts";

export type ReceiveFollowDeps = Pick<
  ReceiveNoteDeps,
  "people" | "uris" | "handleHost"
> &
  SendAnswerDeps & {
    readonly contacts: Contacts;
    readonly blocks: Blocks;
  };

/**
 * A Follow means that its actor shares with the local person. It is answered at once, unless
 * the person approves followers: then the person's decision is the answer.
 */
export async function receiveFollow(
  deps: ReceiveFollowDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const followed = await findFollowed(deps, activity);
  if (followed?.userId == null) return done("nobody here of that name");
  const outcome = await deps.contacts.receiveSharing(
    followed.userId,
    sender.id,
    true,
    activity.id,
  );
  if (outcome === "pending") return done("follow requested");
  const type = outcome === "taken" ? "Accept" : "Reject";
  await sendAnswer(deps, activity, sender, {
    type,
    by: followed,
    about: followed.guid,
  });
  return done(outcome === "taken" ? "follow" : "follow refused");
}

/** The sender blocks a local person, or ends that block. */
export async function receiveBlockActivity(
  deps: ReceiveFollowDeps,
  block: Pick<Activity, "object">,
  sender: Person,
  isBlocking: boolean,
): Promise<InboundResult> {
  const blocked = await findFollowed(deps, block);
  if (blocked?.userId == null) return done("nobody here of that name");
  const { id: personId, userId } = blocked;
  await deps.blocks.receive(sender, { userId, personId }, isBlocking);
  return done(isBlocking ? "block" : "block undone");
}

export async function receiveUndoFollow(
  deps: ReceiveFollowDeps,
  follow: Pick<Activity, "object">,
  sender: Person,
): Promise<InboundResult> {
  const followed = await findFollowed(deps, follow);
  if (followed?.userId == null) return done("nobody here of that name");
  await deps.contacts.receiveSharing(followed.userId, sender.id, false);
  return done("follow undone");
}

/** One Follow names one person; several under one id from the same sender can still be undone. */
const MAX_UNDONE = 100;

/**
 * An Undo that names the Follow by its id alone, which is stored with the contact.
 * @returns false where the actor follows no local person by it
 */
export async function receiveUndoFollowById(
  deps: ReceiveFollowDeps,
  uri: string,
  sender: Person,
): Promise<boolean> {
  const { contacts } = deps;
  const users = await contacts.findUsersSharedWithBy(
    sender.id,
    uri,
    MAX_UNDONE,
  );
  for (const userId of users)
    await contacts.receiveSharing(userId, sender.id, false);
  return users.length > 0;
}

/** The answer to a local person's Follow. Only the followed actor can give it. */
export async function receiveFollowAnswer(
  deps: ReceiveFollowDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  const { object } = activity;
  const guid =
    object?.id === undefined ? undefined : deps.uris.guidOfActivity(object.id);
  const follower =
    (await findFollower(deps, object?.embedded?.["actor"])) ?? recipient;
  const contact = await findAnswered(deps, follower, sender, guid);
  if (
    !contact?.following ||
    contact.personId !== sender.id ||
    (guid !== undefined && contact.requestGuid !== guid)
  )
    return done("the answer to nothing");
  const accepted = activity.type === "Accept";
  await deps.contacts.receiveAnswer(contact.userId, sender.id, accepted);
  return done(accepted ? "follow accepted" : "follow rejected");
}

/** Some answers name our Follow by its id alone, in the shared inbox (Mitra). */
async function findAnswered(
  { contacts }: ReceiveFollowDeps,
  follower: Person | null,
  sender: Person,
  guid: string | undefined,
): Promise<Contact | undefined> {
  if (follower !== null)
    return follower.userId === null
      ? undefined
      : contacts.find(follower.userId, sender.id);
  return guid === undefined ? undefined : contacts.findByRequest(guid);
}

async function findFollowed(
  deps: ReceiveFollowDeps,
  { object }: Pick<Activity, "object">,
): Promise<Person | undefined> {
  const username =
    object?.id === undefined ? undefined : deps.uris.usernameOf(object.id);
  return username === undefined ? undefined : findByUsername(deps, username);
}

async function findFollower(
  deps: ReceiveFollowDeps,
  actor: unknown,
): Promise<Person | undefined> {
  const username =
    typeof actor === "string" ? deps.uris.usernameOf(actor) : undefined;
  return username === undefined ? undefined : findByUsername(deps, username);
}

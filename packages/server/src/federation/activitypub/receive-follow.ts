import {
  buildActivity,
  parseJson,
  readActivity,
  serialize,
  withContext,
  type Activity,
} from "@kith/activitypub";
import type { Db } from "../../db/db.ts";
import type { Blocks } from "../../features/blocks/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import { usernameOf, type Person } from "../../features/people/index.ts";
import { timestamp, type Clock } from "../../lib/clock.ts";
import type { Dispatcher } from "../dispatch.ts";
import { orderOfRelation } from "../order.ts";
import type { Order } from "../outgoing.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { findByUsername } from "./find-local.ts";
import type { ReceiveNoteDeps } from "./receive-note.ts";
import { findSentActivity, insertSentActivity } from "./sent-activity-store.ts";
import { derivedGuid } from "./uris.ts";

export type ReceiveFollowDeps = Pick<
  ReceiveNoteDeps,
  "people" | "uris" | "handleHost"
> & {
  readonly db: Db;
  readonly clock: Clock;
  readonly contacts: Contacts;
  readonly blocks: Blocks;
  readonly dispatch: Dispatcher;
};

/** A Follow means that its actor shares with the person here. It is answered at once. */
export async function receiveFollow(
  deps: ReceiveFollowDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const followed = await findFollowed(deps, activity);
  if (followed?.userId == null) return done("nobody here of that name");
  const isTaken = await deps.contacts.receiveSharing(
    followed.userId,
    sender.id,
    true,
  );
  const answer = isTaken ? "Accept" : "Reject";
  await sendAnswer(deps, activity, sender, followed, answer);
  return done(isTaken ? "follow" : "blocked by the person");
}

/** The sender wants nothing to do any more with somebody here, or no longer says so. */
export async function receiveBlock(
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

/**
 * An Undo that names the Follow by its id alone: the Accept that we gave holds it.
 * @returns false where this actor never sent such a Follow
 */
export async function receiveUndoFollowById(
  deps: ReceiveFollowDeps,
  uri: string,
  sender: Person,
): Promise<boolean> {
  const guid = derivedGuid("accept", uri);
  const accept = await findSentActivity(deps.db.read, guid);
  if (!accept?.addressees.includes(sender.addresses.actorUri ?? ""))
    return false;
  const follow = readActivity(
    readActivity(parseJson(Buffer.from(accept.document))).object?.embedded ??
      {},
  );
  await receiveUndoFollow(deps, follow, sender);
  return true;
}

/** The answer to a Follow of ours. Only the one who was followed can give it. */
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
  if (follower?.userId == null) return done("the answer to nothing");
  const contact = await deps.contacts.find(follower.userId, sender.id);
  if (
    !contact?.following ||
    (guid !== undefined && contact.followGuid !== guid)
  )
    return done("the answer to nothing");
  const accepted = activity.type === "Accept";
  await deps.contacts.receiveFollowAnswer(follower.userId, sender.id, accepted);
  return done(accepted ? "follow accepted" : "follow rejected");
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

/** The Follow, Join or QuoteRequest goes back just as it came: some servers recognise it only so. */
export async function sendAnswer(
  { db, clock, uris, dispatch }: ReceiveFollowDeps,
  activity: Activity,
  follower: Person,
  followed: Person,
  type: "Accept" | "Reject",
  more: { readonly result?: string } = {},
): Promise<void> {
  const { inboxUri } = follower.addresses;
  if (inboxUri === null || followed.userId === null) return;
  const guid = derivedGuid(type.toLowerCase(), activity.id ?? activity.actor);
  const answer = buildActivity({
    id: uris.activity(guid),
    type,
    actor: uris.actor(usernameOf(followed)),
    object: activity.raw,
    to: [activity.actor],
    guid,
    ...more,
  });
  const document = serialize(withContext(answer));
  const record = {
    guid,
    personId: followed.id,
    public: false,
    addressees: [activity.actor],
    document,
  };
  await db.transaction((tx) =>
    insertSentActivity(tx, record, timestamp(clock.now())),
  );
  const order = orderOfAnswer(activity, follower, followed);
  await dispatch([
    {
      document,
      order,
      deliveries: [
        {
          protocol: "activitypub",
          url: inboxUri,
          // Beside what else is told of the two to the server.
          place: follower.addresses.sharedInboxUri ?? inboxUri,
          senderUserId: followed.userId,
          recipientId: null,
        },
      ],
    },
  ]);
}

/** Peers drop what somebody posts until they know that the follow was accepted. */
function orderOfAnswer(
  { type, id, actor }: Activity,
  follower: Person,
  followed: Person,
): Order {
  if (type === "Follow") return orderOfRelation(followed, follower);
  return { about: `answer:${id ?? actor}` };
}

import type { Retraction } from "@kith/diaspora";
import type { Reader } from "../../../db/db.ts";
import type { PersonId, PostId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { guidAtHome } from "../../remote-people/proven-origins.ts";
import type { RetractedKind } from "../../../features/retractions/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import {
  refused,
  unlessClaimed,
  wait,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { deleteSignatures } from "../records/relayable-store.ts";
import { refuseRetraction } from "../authority/sender-rules.ts";

/** The names of protocol section 10.14, with Friendica's for posts. */
const KINDS: ReadonlyMap<string, RetractedKind> = new Map([
  ["Comment", "Comment"],
  ["EventParticipation", "Attendance"],
  ["Like", "Like"],
  ["Photo", "Photo"],
  ["PollParticipation", "Vote"],
  ["Post", "Post"],
  ["Reshare", "Post"],
  ["StatusMessage", "Post"],
]);

/** Retracts an object, if the sender is authorized. */
export async function receiveRetraction(
  context: ReceiveContext,
  { targetType, targetGuid }: Retraction,
  arrival: Arrival,
): Promise<InboundResult> {
  if (targetType === "Person") return stopSharing(context, targetGuid, arrival);
  const kind = KINDS.get(targetType);
  return kind === undefined
    ? done("ignored: retraction")
    : retract(context, kind, targetGuid, arrival);
}

async function retract(
  context: ReceiveContext,
  kind: RetractedKind,
  guid: string,
  { sender }: Arrival,
): Promise<InboundResult> {
  const { events, comments, likes, photos, polls, participations } = context;
  const parties = await findParties(context, kind, guid);
  // A comment that waits for a moderator.
  if (!parties && kind === "Comment")
    if (await comments.receiveRetraction({ guid }, sender.id))
      return done("retracted");
  if (!parties)
    return (await isTakenBackBy(context, kind, guid, sender))
      ? done("known")
      : wait("Its target is not here", {
          name: guid,
          isHere: async (reader) =>
            (await findTarget(context, kind, guid, reader)) !== undefined,
        });
  const refusal = refuseRetraction(parties, sender.handle);
  if (refusal !== undefined) return refused(refusal);
  const doors = {
    Post: { receiveRetraction: events.receivePostRetraction },
    Photo: photos,
    Comment: comments,
    Like: likes,
    Vote: polls,
    Attendance: participations,
  };
  const isDone = await doors[kind].receiveRetraction({ guid }, sender.id);
  if (!isDone) return refused("not the sender's to retract");
  // Other servers do not accept a relayed retraction of an answer.
  if (kind === "Attendance")
    await deleteSignatures(context.db, "EventParticipation", [guid]);
  return done("retracted");
}

/**
 * How many posts with the same guid are looked up. Beyond them, the message
 * does not wait.
 */
const MAX_NAMESAKES = 20;

/**
 * A retraction by another author of the same guid referred to another object,
 * unless that was below a post of the sender's.
 */
async function isTakenBackBy(
  { retractions, posts }: ReceiveContext,
  kind: RetractedKind,
  guid: string,
  { id: personId }: Person,
): Promise<boolean> {
  if (await retractions.find({ kind, guid, personId })) return true;
  for (const { details } of await retractions.list(kind, guid, MAX_NAMESAKES)) {
    const postId = "postId" in details ? details.postId : null;
    const post = postId === null ? undefined : await posts.find({ id: postId });
    if (post?.personId === personId) return true;
  }
  return false;
}

type Parties = { readonly author: string; readonly rootAuthor: string | null };

/**
 * The stored authors of the object and of its post, whatever the message says.
 */
async function findParties(
  context: ReceiveContext,
  kind: RetractedKind,
  guid: string,
): Promise<Parties | undefined> {
  const found = await findTarget(context, kind, guid);
  const author = found && (await findHandle(context, found.personId));
  if (author === undefined) return undefined;
  const { postId } = found ?? {};
  if (postId === undefined) return { author, rootAuthor: null };
  const post = await context.posts.find({ id: postId });
  const rootAuthor = post && (await findHandle(context, post.personId));
  return { author, rootAuthor: rootAuthor ?? null };
}

/** An object that only its author may retract is found without its post. */
async function findTarget(
  context: ReceiveContext,
  kind: RetractedKind,
  guid: string,
  reader?: Reader,
): Promise<{ personId: PersonId; postId?: PostId } | undefined> {
  const { comments, likes, photos, participations, polls, posts } = context;
  const authorOf = (thing: { personId: PersonId } | undefined) =>
    thing && { personId: thing.personId };
  switch (kind) {
    case "Post":
      return authorOf(
        await unlessClaimed(
          context,
          await posts.find({ guid }, reader),
          reader,
        ),
      );
    case "Photo":
      return authorOf(await photos.find({ guid }, reader));
    case "Attendance":
      return authorOf(await participations.find({ guid }, reader));
    case "Comment":
      return comments.find({ guid }, reader);
    case "Like":
      return likes.find({ guid }, reader);
    case "Vote": {
      const vote = await polls.findVote({ guid }, reader);
      const poll = vote && (await polls.find({ id: vote.pollId }, reader));
      return vote && poll && { personId: vote.personId, postId: poll.postId };
    }
  }
}

async function findHandle(
  { people }: ReceiveContext,
  id: PersonId,
): Promise<string | undefined> {
  return (await people.find({ id }))?.handle;
}

/** The old way to stop sharing: retracting oneself. */
async function stopSharing(
  { contacts }: ReceiveContext,
  guid: string,
  { sender, owner }: Arrival,
): Promise<InboundResult> {
  if (guid !== guidAtHome(sender)) return refused("not the sender");
  if (owner === null || owner.userId === null) return refused("not encrypted");
  await contacts.receiveSharing(owner.userId, sender.id, false);
  return done("stopped sharing");
}

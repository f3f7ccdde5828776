import type { Retraction } from "@kith/diaspora";
import type { PersonId, PostId } from "../../features/ids.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import {
  refused,
  wait,
  type Arrival,
  type ReceiveContext,
} from "./receive-context.ts";
import { refuseRetraction } from "./sender-rules.ts";

type RetractedKind = "Post" | "Comment" | "Like";

/** Takes back what the sender may take back. */
export async function receiveRetraction(
  context: ReceiveContext,
  entity: Retraction,
  arrival: Arrival,
): Promise<InboundResult> {
  switch (entity.targetType) {
    case "Post":
    case "Reshare":
    case "StatusMessage":
      return retract(context, "Post", entity.targetGuid, arrival);
    case "Comment":
      return retract(context, "Comment", entity.targetGuid, arrival);
    case "Like":
      return retract(context, "Like", entity.targetGuid, arrival);
    case "Photo":
      return retractPhoto(context, entity.targetGuid, arrival);
    case "Person":
      return stopSharing(context, entity.targetGuid, arrival);
    default:
      return done("ignored: retraction");
  }
}

async function retract(
  context: ReceiveContext,
  kind: RetractedKind,
  guid: string,
  { sender }: Arrival,
): Promise<InboundResult> {
  const { events, comments, likes, retractions } = context;
  const parties = await findParties(context, kind, guid);
  if (!parties)
    return (await retractions.find(kind, guid))
      ? done("known")
      : wait("What it takes back is not here");
  const refusal = refuseRetraction(parties, sender.handle);
  if (refusal !== undefined) return refused(refusal);
  const carriers = { receiveRetraction: events.receivePostRetraction };
  const doors = { Post: carriers, Comment: comments, Like: likes };
  const isDone = await doors[kind].receiveRetraction({ guid }, sender.id);
  return isDone ? done("retracted") : refused("not the sender's to retract");
}

/** Of a picture only its author is heard; others have none of that Guid. */
async function retractPhoto(
  { photos }: ReceiveContext,
  guid: string,
  { sender }: Arrival,
): Promise<InboundResult> {
  const isDone = await photos.receiveRetraction({ guid }, sender.id);
  return isDone ? done("retracted") : wait("What it takes back is not here");
}

/** Who made it and who made the post that it hangs on: as we stored it, whatever the message says. */
async function findParties(
  { posts, comments, likes, people }: ReceiveContext,
  kind: RetractedKind,
  guid: string,
): Promise<{ author: string; rootAuthor: string | null } | undefined> {
  const handleOf = async (id: PersonId) => (await people.find({ id }))?.handle;
  if (kind === "Post") {
    const post = await posts.find({ guid });
    const author = post && (await handleOf(post.personId));
    return author === undefined ? undefined : { author, rootAuthor: null };
  }
  const thing: { personId: PersonId; postId: PostId } | undefined =
    kind === "Comment"
      ? await comments.find({ guid })
      : await likes.find({ guid });
  const author = thing && (await handleOf(thing.personId));
  if (!thing || author === undefined) return undefined;
  const post = await posts.find({ id: thing.postId });
  const rootAuthor = post && (await handleOf(post.personId));
  return { author, rootAuthor: rootAuthor ?? null };
}

/** The old way to stop sharing: the sender takes back itself. */
async function stopSharing(
  { contacts }: ReceiveContext,
  guid: string,
  { sender, owner }: Arrival,
): Promise<InboundResult> {
  if (guid !== sender.guid) return refused("not the sender");
  if (owner === null || owner.userId === null) return refused("not encrypted");
  await contacts.receiveSharing(owner.userId, sender.id, false);
  return done("stopped sharing");
}

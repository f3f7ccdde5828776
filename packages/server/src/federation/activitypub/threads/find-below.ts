import {
  readActivity,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { PostId } from "../../../features/ids.ts";
import type {
  Participation,
  Participations,
} from "../../../features/participations/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { embeddedBy, readOwnNote } from "../authority/vouched.ts";
import { findPostOfRetracted } from "./forward-queries.ts";
import { findKnown } from "../records/objects.ts";
import type { ProvedOf } from "../records/proved-store.ts";
import { readNoteText } from "../notes/read-note-text.ts";
import type { ReceiveReactionDeps } from "../inbox/receive-reaction.ts";

/** The post whose thread an activity changed. */
export type Below = {
  readonly postId: PostId;
  /** The object that the activity stored. */
  readonly said?: ProvedOf | undefined;
  /** Is it an answer to the post's event? */
  readonly isAnswer?: boolean;
  /** Does the organizer alone know of the answer? It has not confirmed the guest. */
  readonly isWithheld?: boolean;
};

export type FindBelowDeps = ReceiveReactionDeps & {
  readonly participations: Participations;
};

/**
 * Reads the stored state after the activity was applied, so it is idempotent.
 */
export async function findBelow(
  deps: FindBelowDeps,
  activity: Activity,
  sender: Person,
): Promise<Below | undefined> {
  const { type, id } = activity;
  switch (type) {
    case "Create":
    case "Update":
      return findCommentBelow(deps, activity, sender);
    case "Like":
    case "Dislike": {
      const like =
        id === undefined ? undefined : await deps.likes.find({ uri: id });
      return like?.personId === sender.id
        ? { postId: like.postId, said: { likeId: like.id } }
        : undefined;
    }
    case "Accept":
    case "Join":
    case "Leave":
    case "Reject":
    case "TentativeAccept":
    case "TentativeReject":
      return findAnswerBelow(deps, activity, sender);
    case "Delete":
    case "Undo":
      return findUndoneBelow(deps, activity, sender);
    default:
      return undefined;
  }
}

async function findCommentBelow(
  deps: FindBelowDeps,
  { object }: Activity,
  sender: Person,
): Promise<Below | undefined> {
  const uri = object?.id;
  const known = uri === undefined ? undefined : await findKnown(deps, uri);
  if (known?.kind !== "comment" || known.comment.personId !== sender.id)
    return undefined;
  const { id, postId, text } = known.comment;
  const embedded = object && embeddedBy(object, sender);
  const note = embedded && readOwnNote(embedded);
  // An older text than the stored one is obsolete.
  const isCurrent = note !== undefined && readNoteText(note) === text;
  return { postId, said: isCurrent ? { commentId: id } : undefined };
}

/** Finds the answer to an event. One that was not kept, as where all places are taken, is none. */
async function findAnswerBelow(
  deps: FindBelowDeps,
  { id, object, type }: Partial<Pick<Activity, "id" | "object" | "type">>,
  sender: Person,
): Promise<Below | undefined> {
  const uri = object?.id;
  const known = uri === undefined ? undefined : await findKnown(deps, uri);
  if (known?.kind !== "post" || known.post.eventId === null) return undefined;
  const { id: postId, eventId } = known.post;
  const viewer = { personId: sender.id, userId: null };
  if (!(await deps.posts.findVisible({ id: postId }, viewer))) return undefined;
  const key = { eventId, personId: sender.id };
  const answer = await deps.participations.find(key);
  const isCurrent = answer !== undefined && answer.uri === (id ?? null);
  if (type !== undefined && ANSWERS.has(type) && !isCurrent) return undefined;
  const said = isCurrent ? { participationId: answer.id } : undefined;
  const isWithheld = answer !== undefined && isUnconfirmed(answer);
  return { postId, said, isAnswer: true, isWithheld };
}

const ANSWERS: ReadonlySet<string> = new Set([
  ...["Accept", "Join", "Reject", "TentativeAccept", "TentativeReject"],
]);

/**
 * Does an activity withdraw an answer that nobody but the organizer knows of? Afterwards nothing
 * is left to see it by, so this is asked before the activity is applied.
 */
export async function withdrawsWithheld(
  deps: FindBelowDeps,
  { type, object }: Activity,
  sender: Person,
): Promise<boolean> {
  if (type !== "Leave" && type !== "Undo") return false;
  const inner = object?.embedded && readInner(object.embedded);
  if (type === "Undo" && !(inner && ANSWERS.has(inner.type))) return false;
  const uri = type === "Leave" ? object?.id : inner?.object?.id;
  const known = uri === undefined ? undefined : await findKnown(deps, uri);
  if (known?.kind !== "post" || known.post.eventId === null) return false;
  const { eventId } = known.post;
  const key = { eventId, personId: sender.id };
  const answer = await deps.participations.find(key);
  if (answer) return isUnconfirmed(answer);
  // Whether the others knew of it cannot be said any more.
  const event = await deps.events.find({ id: eventId });
  return event?.needsApproval === true;
}

function isUnconfirmed({ reply }: Participation): boolean {
  return reply === "pending" || reply === "refused";
}

async function findUndoneBelow(
  deps: FindBelowDeps,
  { object }: Activity,
  sender: Person,
): Promise<Below | undefined> {
  const inner = object?.embedded && readInner(object.embedded);
  const undone = object?.id ?? inner?.id;
  const postId =
    undone === undefined
      ? undefined
      : await findPostOfRetracted(deps.db.read, undone, sender.id);
  if (postId !== undefined) return { postId };
  const quoting = undone && (await findQuoting(deps, undone, sender));
  if (quoting) return { postId: quoting };
  if (!inner?.object) return undefined;
  return findAnswerBelow(deps, { object: inner.object }, sender);
}

/** The post whose quote authorization was revoked. */
async function findQuoting(
  { posts, quotes }: FindBelowDeps,
  leave: string,
  sender: Person,
): Promise<PostId | undefined> {
  const [quote] = await quotes.listByAuthorization(leave, 1);
  if (quote?.state !== "revoked" || quote.quotedGuid === null) return undefined;
  const quoted = await posts.find({ guid: quote.quotedGuid });
  return quoted?.personId === sender.id ? quote.postId : undefined;
}

/** The object of a Delete is no activity. */
function readInner(embedded: JsonObject): Activity | undefined {
  return "actor" in embedded ? readActivity(embedded) : undefined;
}

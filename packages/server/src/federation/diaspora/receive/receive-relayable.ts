import {
  verifyAuthorSignature,
  type Comment as CommentEntity,
  type EventParticipation,
  type Like as LikeEntity,
  type PollParticipation,
} from "@kith/diaspora";
import type { Tx } from "../../../db/db.ts";
import type { Comment } from "../../../features/comments/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { EditOutcome } from "../../../features/posts/index.ts";
import {
  receivedTimestamp,
  timestamp,
  type Timestamp,
} from "../../../lib/time/clock.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isInConversation, isRootHere } from "../../outbound/outgoing.ts";
import { followLinks } from "../records/follow-links.ts";
import {
  findOrFetchTarget,
  findTarget,
  type Target,
} from "../fetch/find-thread.ts";
import {
  findOrDiscover,
  findOwnUri,
  isAdmitted,
  readEditedAt,
  refused,
  resultOf,
  REFUSED_OVER_QUOTA,
  unlessClaimed,
  wait,
  waitForPerson,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { refuseBlocked } from "../records/refuse-blocked.ts";
import { RELAYABLE_KINDS, saveSignature } from "../records/relayable-store.ts";
import { refuseRelayable } from "../authority/sender-rules.ts";
import { hostOf } from "../render/wire-values.ts";

type RelayableEntity = CommentEntity | LikeEntity | PollParticipation;

const KINDS = {
  comment: "Comment",
  event_participation: "Attendance",
  like: "Like",
  poll_participation: "Vote",
} as const;

/** Stores a comment or its edit, after checking everything about it. */
export async function receiveComment(
  context: ReceiveContext,
  entity: CommentEntity,
  arrival: Arrival,
): Promise<InboundResult> {
  const { clock, comments } = context;
  const { guid } = entity;
  const known = await unlessClaimed(context, await comments.find({ guid }));
  const statedAt = readEditedAt(context, entity.editedAt);
  const editedAt =
    statedAt && known ? afterCreation(known, statedAt) : statedAt;
  const parent = known && (await context.posts.find({ id: known.postId }));
  const isEdit =
    editedAt !== undefined &&
    known !== undefined &&
    known.updatedAt < editedAt &&
    [parent?.guid, parent?.otherGuid].includes(entity.parentGuid);
  const text = storableText(entity.text);
  /** Its owner at the look-up, or the person it was reassigned to since. */
  const editAs = async (owners: Person["id"][], at: Timestamp) => {
    let outcome: EditOutcome = "unknown";
    for (const by of new Set(owners)) {
      outcome = await comments.receiveEdit({ guid, by, text, editedAt: at });
      if (outcome !== "unknown") break;
    }
    return outcome;
  };
  return receiveRelayable(
    context,
    entity,
    arrival,
    known && { personId: known.personId, isEdit },
    async (by, on) => {
      if (isEdit) return done(await editAs([known.personId, by.id], editedAt));
      const received = await comments.receive({
        guid,
        postId: on.post.id,
        personId: by.id,
        text,
        parentGuid: await findParentGuid(context, entity, on),
        uri: await findOwnUri(context, entity, by),
        createdAt: receivedTimestamp(entity.createdAt, clock.now()),
        ...(editedAt !== undefined && { updatedAt: editedAt }),
      });
      if (received.kind === "stored") await followLinks(context, text, arrival);
      return resultOf(received);
    },
  );
}

/**
 * An unedited comment is older than its first edit, whatever clocks and whole
 * seconds say.
 */
function afterCreation(
  { createdAt, updatedAt }: Pick<Comment, "createdAt" | "updatedAt">,
  editedAt: Timestamp,
): Timestamp {
  const isFirst = updatedAt === createdAt && editedAt <= createdAt;
  return isFirst ? timestamp(new Date(Date.parse(createdAt) + 1)) : editedAt;
}

/**
 * The comment that it answers. It may not be stored yet; a comment on another
 * post is not its parent.
 */
async function findParentGuid(
  { comments }: ReceiveContext,
  { threadParentGuid }: CommentEntity,
  { post }: Target,
): Promise<string | null> {
  // Some servers name the post if no comment is answered.
  if (threadParentGuid === undefined || threadParentGuid === post.guid)
    return null;
  const parent = await comments.find({ guid: threadParentGuid });
  return parent && parent.postId !== post.id ? null : threadParentGuid;
}

/** Stores a like or dislike of a post or comment, under the same conditions. */
export async function receiveLike(
  context: ReceiveContext,
  entity: LikeEntity,
  arrival: Arrival,
): Promise<InboundResult> {
  const { likes } = context;
  const { guid } = entity;
  const known = await unlessClaimed(context, await likes.find({ guid }));
  return receiveRelayable(context, entity, arrival, known, async (by, on) =>
    resultOf(
      await likes.receive({
        guid: entity.guid,
        postId: on.post.id,
        commentId: on.comment?.id ?? null,
        personId: by.id,
        positive: entity.positive,
        uri: null,
      }),
    ),
  );
}

/** The stored object of a guid, and whether the new one edits it. */
type Known = { readonly personId: Person["id"]; readonly isEdit?: boolean };

/**
 * Checks a relayable that the author of a post passes on, and stores it.
 * @param known the stored object of its guid
 * @param store stores it or its edit, once it is checked
 */
export async function receiveRelayable(
  context: ReceiveContext,
  entity: RelayableEntity,
  arrival: Arrival,
  known: Known | undefined,
  store: (author: Person, target: Target) => Promise<InboundResult>,
): Promise<InboundResult> {
  const target = await findOrFetchTarget(context, entity, arrival);
  if (!target)
    return wait("Its target is not here", {
      name: entity.parentGuid,
      isHere: async (reader) =>
        (await findTarget(context, entity, reader)) !== undefined,
    });
  if (isInConversation(target)) return refused("in a conversation");
  if (target.postAuthor.state === "shut_out")
    return refused("on something of a blocked server");
  const refusal = refuseRelayable({
    sender: arrival.sender.handle,
    author: entity.author,
    rootAuthor: target.postAuthor.handle,
    isRootHere: isRootHere(target),
  });
  if (refusal !== undefined) return refused(refusal);
  const author = await findOrDiscover(
    context,
    entity.author,
    hostOf(arrival.sender.handle),
  );
  if (!author)
    return waitForPerson(context, entity.author, "The author cannot be found");
  if (known && !(await isBy(context, known, author)))
    return refused("the Guid is another author's");
  if (known && !known.isEdit) return done("known");
  const unfit = await refuseAuthor(context, entity, author, target);
  if (unfit !== undefined) return refused(unfit);
  if (!known && !(await isAdmitted(context, arrival)))
    return REFUSED_OVER_QUOTA;
  if (!(await keepSignature(context, entity, target)))
    return refused("the Guid is another author's");
  return store(author, target);
}

/**
 * Is it by this person, or by the identity that this person continues? Objects
 * are reassigned later.
 */
async function isBy(
  { people }: ReceiveContext,
  { personId }: Known,
  author: Person,
): Promise<boolean> {
  if (personId === author.id) return true;
  return (await people.find({ id: personId }))?.movedToId === author.id;
}

/** @returns why this author's object is refused, or undefined */
export async function refuseAuthor(
  context: ReceiveContext,
  entity: RelayableEntity | EventParticipation,
  author: Person,
  target: Target,
): Promise<string | undefined> {
  const { keys, posts } = context;
  const { post, postAuthor } = target;
  // Local people write here only; a deleted object must not come back.
  if (author.userId !== null) return "written by somebody here";
  if (author.state !== "active") return "the author is gone";
  const kind = KINDS[entity.type];
  const said = { kind, guid: entity.guid, personId: author.id, uri: null };
  if (await context.retractions.isRetracted(context.db.read, said))
    return "it was retracted";
  if (author.id === postAuthor.id) return undefined;
  const key = keys.keyOf(author);
  if (!key || !(await verifyAuthorSignature(entity, key)))
    return "author_signature";
  // For a remote post, its author's server decides who may see it.
  if (!isRootHere(target)) return undefined;
  if (await refuseBlocked(context, entity, author, target))
    return "blocked by the author of the post";
  const viewer = { personId: author.id, userId: null };
  return (await posts.findVisible({ id: post.id }, viewer))
    ? undefined
    : "the author cannot see the post";
}

/**
 * Stores a signature to relay, before it can be requested. @returns false if
 * the guid is taken
 */
export async function keepSignature(
  { db, people }: ReceiveContext,
  entity: RelayableEntity | EventParticipation,
  target: Target,
): Promise<boolean> {
  const { signed } = entity;
  if (!isRootHere(target) || signed?.authorSignature === undefined) return true;
  const { properties, authorSignature } = signed;
  const author = await people.find({ handle: entity.author });
  const isSameAuthor = async (handle: string, tx: Tx) =>
    handle === entity.author ||
    (author !== undefined &&
      (await people.find({ handle }, tx))?.movedToId === author.id);
  const saved = await saveSignature(
    db,
    RELAYABLE_KINDS[KINDS[entity.type]],
    entity.guid,
    { properties, authorSignature },
    // The stored one belongs to a failed attempt, or to an older text.
    { replace: true, isSameAuthor },
  );
  return saved !== undefined;
}

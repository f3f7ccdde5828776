import {
  signRelayable,
  type Comment as CommentEntity,
  type EventParticipation,
  type Like as LikeEntity,
  type PollParticipation,
} from "@kith/diaspora";
import type { Comment } from "../../../features/comments/index.ts";
import type { CalendarEvent } from "../../../features/events/index.ts";
import type { Like } from "../../../features/likes/index.ts";
import type { Participation } from "../../../features/participations/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Poll, PollVote } from "../../../features/polls/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { DiasporaDeps } from "../deps.ts";
import { asSigner } from "../records/envelopes.ts";
import {
  findSignature,
  saveSignature,
  type RelayableKind,
  type StoredSignature,
} from "../records/relayable-store.ts";
import { withWarning } from "./warning-text.ts";
import { wireGuid, wireTime } from "./wire-values.ts";

type RenderDeps = Pick<DiasporaDeps, "db" | "accounts">;

/** A comment as its author signed it; undefined where the author is elsewhere and we have no signature. */
export async function renderComment(
  deps: RenderDeps,
  comment: Comment,
  author: Person,
  post: Post,
): Promise<CommentEntity | undefined> {
  return withSignature(deps, "Comment", author, {
    type: "comment",
    author: author.handle,
    guid: comment.guid,
    parentGuid: wireGuid(post),
    text: withWarning(comment.text, comment.warning),
    createdAt: wireTime(comment.createdAt),
    ...(comment.parentGuid !== null && {
      threadParentGuid: comment.parentGuid,
    }),
  });
}

/** A like, under the same condition. */
export async function renderLike(
  deps: RenderDeps,
  like: Like,
  author: Person,
  target: { readonly post: Post; readonly comment: Comment | null },
): Promise<LikeEntity | undefined> {
  // The comment is gone: as a like of the post it would say something else.
  if (like.commentId !== null && target.comment === null) return undefined;
  return withSignature(deps, "Like", author, {
    type: "like",
    author: author.handle,
    guid: like.guid,
    parentGuid: target.comment?.guid ?? wireGuid(target.post),
    parentType: target.comment === null ? "Post" : "Comment",
    positive: like.positive,
  });
}

/** A vote, under the same condition. */
export async function renderVote(
  deps: RenderDeps,
  vote: PollVote,
  author: Person,
  poll: Poll,
): Promise<PollParticipation | undefined> {
  return withSignature(deps, "PollParticipation", author, {
    type: "poll_participation",
    author: author.handle,
    guid: vote.guid,
    parentGuid: poll.guid,
    pollAnswerGuid: vote.answerGuid,
  });
}

/** An answer to an event, under the same condition. One that was changed is signed anew. */
export async function renderAnswer(
  deps: RenderDeps,
  answer: Participation,
  author: Person,
  event: CalendarEvent,
): Promise<EventParticipation | undefined> {
  const { status } = answer;
  const entity: EventParticipation = {
    type: "event_participation",
    author: author.handle,
    guid: answer.guid,
    parentGuid: event.guid,
    status,
    editedAt: wireTime(answer.updatedAt),
  };
  return withSignature(
    deps,
    "EventParticipation",
    author,
    entity,
    ({ properties }) =>
      properties.some(([name, value]) => name === "status" && value === status),
  );
}

type RelayableEntity =
  CommentEntity | EventParticipation | LikeEntity | PollParticipation;

/** The stored signature; of people here it is made once and stored before anything is sent. */
async function withSignature<T extends RelayableEntity>(
  { db, accounts }: RenderDeps,
  kind: RelayableKind,
  author: Person,
  entity: T,
  isCurrent: (stored: StoredSignature) => boolean = () => true,
): Promise<T | undefined> {
  const stored = await findSignature(db.read, kind, entity.guid);
  if (stored && isCurrent(stored)) return { ...entity, signed: stored };
  const signer = asSigner(author);
  if (!signer) return undefined;
  const key = await accounts.getPrivateKey(signer.userId);
  const { signed } = await signRelayable<RelayableEntity>(entity, key);
  if (signed?.authorSignature === undefined)
    throw new Error("A signed relayable has no signature");
  const { properties, authorSignature } = signed;
  const saved = await saveSignature(
    db,
    kind,
    entity.guid,
    { properties, authorSignature },
    { replace: stored !== undefined },
  );
  return saved && { ...entity, signed: saved };
}

import type {
  Comment as CommentEntity,
  EventParticipation,
  Like as LikeEntity,
  PollParticipation,
} from "@kith/diaspora";
import type { Comment } from "../../../features/comments/index.ts";
import type { AttachedPhoto } from "../../outbound/content.ts";
import { editedAtOf } from "../../../features/edit-times.ts";
import type { CalendarEvent } from "../../../features/events/index.ts";
import type { Like } from "../../../features/likes/index.ts";
import type { Participation } from "../../../features/participations/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Poll, PollVote } from "../../../features/polls/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { withAttached } from "./text-with-files.ts";
import { withWarning } from "./warning-text.ts";
import { wireGuid, wireTime } from "./wire-values.ts";

export type RelayableEntity =
  CommentEntity | EventParticipation | LikeEntity | PollParticipation;

export function renderComment(
  comment: Comment,
  author: Person,
  {
    photos,
    post,
  }: { readonly photos: readonly AttachedPhoto[]; readonly post: Post },
): CommentEntity {
  const editedAt = editedAtOf(comment);
  return {
    type: "comment",
    author: author.handle,
    guid: comment.guid,
    parentGuid: wireGuid(post),
    text: withAttached(withWarning(comment.text, comment.warning), photos),
    createdAt: wireTime(comment.createdAt),
    ...(editedAt !== undefined && { editedAt: wireTime(editedAt) }),
    ...(comment.parentGuid !== null && {
      threadParentGuid: comment.parentGuid,
    }),
  };
}

export function renderLike(
  like: Like,
  author: Person,
  target: { readonly post: Post; readonly comment: Comment | null },
): LikeEntity | undefined {
  // The comment is gone: as a like of the post it would have another meaning.
  if (like.commentId !== null && target.comment === null) return undefined;
  return {
    type: "like",
    author: author.handle,
    guid: like.guid,
    parentGuid: target.comment?.guid ?? wireGuid(target.post),
    parentType: target.comment === null ? "Post" : "Comment",
    positive: like.positive,
  };
}

export function renderVote(
  vote: PollVote,
  author: Person,
  poll: Poll,
): PollParticipation {
  return {
    type: "poll_participation",
    author: author.handle,
    guid: vote.guid,
    parentGuid: poll.guid,
    pollAnswerGuid: vote.answerGuid,
  };
}

export function renderAnswer(
  answer: Participation,
  author: Person,
  event: CalendarEvent,
): EventParticipation {
  return {
    type: "event_participation",
    author: author.handle,
    guid: answer.guid,
    parentGuid: event.guid,
    status: answer.status,
    editedAt: wireTime(answer.updatedAt),
  };
}

import type { JsonObject } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Outgoing } from "../../outbound/outgoing.ts";
import {
  renderAnnounce,
  renderCommentUpdate,
  renderCreate,
  renderLikeActivity,
  renderPin,
} from "./build-activities.ts";
import type { RenderContext } from "./note-parts.ts";
import {
  renderEventAnswer,
  renderVoteNote,
  type AnswersTaken,
} from "./render-answers.ts";
import { renderCommentObject } from "./render-comment.ts";
import {
  renderBlockActivity,
  renderContactActivity,
  renderDeparture,
  renderMove,
  renderProfileChange,
} from "./render-person.ts";
import { renderPostObject } from "./render-post.ts";
import { renderPostChange } from "./render-post-change.ts";
import {
  renderCommentRetraction,
  renderLikeRetraction,
  renderPostRetraction,
} from "./render-retraction.ts";

/** The audience of a rendered activity, and how it is rendered. */
type Addressing = {
  /** The author of the activity. */
  readonly author: Person;
  /** The actor ids that it is addressed to, where it is not public. */
  readonly readers: readonly string[];
  /** For an answer to an event. */
  readonly answersTaken: AnswersTaken;
};

/**
 * Renders an outgoing message as an activity.
 * @returns undefined where ActivityPub has no type for it
 */
export function renderOutgoingActivity(
  context: RenderContext,
  outgoing: Outgoing,
  { author, readers, answersTaken }: Addressing,
): JsonObject | undefined {
  const { uris } = context;
  switch (outgoing.kind) {
    case "post": {
      const { post, root } = outgoing;
      if (post.rootGuid !== null)
        return root ? renderAnnounce(uris, post, author, root) : undefined;
      const note = renderPostObject(context, outgoing, readers);
      return renderCreate(uris, post, author, note);
    }
    case "comment": {
      const { comment, isEdit } = outgoing;
      const note = renderCommentObject(context, outgoing, readers);
      if (!note) return undefined;
      return isEdit
        ? renderCommentUpdate(uris, comment, author, note)
        : renderCreate(uris, comment, author, note);
    }
    case "like":
      return renderLikeActivity(uris, outgoing.like, author, outgoing);
    case "pin":
      return renderPin(uris, author, outgoing);
    case "vote":
      return renderVoteNote(context, author, outgoing);
    case "event_change":
    case "photo_retraction":
    case "poll_change":
    case "post_change":
    case "quote_change":
    case "thread_change":
      return renderPostChange(context, author, outgoing, readers);
    case "vote_retraction":
      return undefined;
    case "like_retraction":
      return renderLikeRetraction(context, author, outgoing, readers);
    case "comment_retraction":
      return renderCommentRetraction(context, author, outgoing, readers);
    case "post_retraction":
      return renderPostRetraction(context, author, outgoing, readers);
    case "event_answer":
      return renderEventAnswer(context, author, outgoing, answersTaken);
    case "contact":
      return renderContactActivity(context, author, outgoing, readers);
    case "profile":
      return renderProfileChange(context, author, outgoing);
    case "block":
      return renderBlockActivity(context, author, outgoing, readers);
    case "departure":
      return renderDeparture(context, author);
    case "move":
      return renderMove(context, outgoing);
  }
}

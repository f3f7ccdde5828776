import type { Entity } from "@kith/diaspora";
import type { Person, Recipient } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { AttachedPhoto } from "../../outbound/content.ts";
import {
  isInConversation,
  isRootHere,
  type Outgoing,
} from "../../outbound/outgoing.ts";
import { renderConversation, renderMessage } from "./render-message.ts";
import {
  renderAccountDeletion,
  renderBlock,
  renderContact,
  renderParticipation,
  renderProfile,
} from "./render-person.ts";
import { renderPhoto, renderPost, renderRetraction } from "./render-post.ts";
import {
  renderAnswer,
  renderComment,
  renderLike,
  renderVote,
  type RelayableEntity,
} from "./render-relayable.ts";
import { isPicture } from "./text-with-files.ts";
import { wireTime } from "./wire-values.ts";

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

export type EntityContext = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The ActivityPub id of a post; null where it has none. */
  readonly uriOfPost: (post: Post, author: Person) => string | null;
};

/** An entity as it is put into an envelope, signed by its author where that is needed. */
export type RenderedEntity = (
  | { readonly entity: Entity }
  /** Its author signs it, whoever signs the envelope. */
  | { readonly relayable: RelayableEntity; readonly author: Person }
) & {
  readonly isPublic: boolean;
  /** The one recipient that it is for, where it is not for all. */
  readonly onlyFor?: Person;
};

/** The messages that can be signed, without moves: a move's document has been signed already. */
export type Renderable = Exclude<Outgoing, { kind: "move" }>;

/** @returns an empty list where diaspora* has no entity for it */
export function renderOutgoing(
  context: EntityContext,
  outgoing: Renderable,
  recipients: readonly Recipient[] = [],
): RenderedEntity[] {
  switch (outgoing.kind) {
    case "post":
      if (outgoing.participants) return renderTalk(outgoing, recipients);
      return renderPublished(context, outgoing, outgoing.root?.author.handle);
    // Pods ignore it, and take the pictures that are sent alone.
    case "post_change":
      return [
        ...renderPublished(context, outgoing, undefined),
        ...outgoing.photos
          .filter(isPicture)
          .map((photo) => renderChangedPhoto(photo, outgoing)),
      ];
    case "event_change":
      return renderPublished(context, outgoing, undefined);
    // Votes and activities below a post are forwarded one by one; a quote is a link, authorized or
    // not; nothing can be pinned.
    case "pin":
    case "poll_change":
    case "quote_change":
    case "thread_change":
      return [];
    case "comment": {
      if (!isInConversation(outgoing)) return renderSaying(outgoing);
      // Pods have no edits of messages.
      if (outgoing.isEdit) return [];
      const entity = renderMessage(outgoing.comment, outgoing);
      return [{ entity, isPublic: false }];
    }
    case "event_answer":
    case "like":
    case "vote":
      return renderSaying(outgoing);
    case "post_retraction":
    case "photo_retraction":
    case "comment_retraction":
    case "like_retraction":
    case "vote_retraction":
      return renderTakenBack(outgoing);
    case "contact":
    case "block":
    case "departure":
    case "profile":
      return renderAboutPerson(context, outgoing);
  }
}

function renderTalk(
  { post, by, content, participants = [] }: Of<"post">,
  recipients: readonly Recipient[],
): RenderedEntity[] {
  const local = participants.filter(({ userId }) => userId !== null);
  const entity = renderConversation(post, by, {
    others: [...local, ...recipients],
    files: content.photos,
  });
  return [{ entity, isPublic: false }];
}

function renderPublished(
  { baseUrl, uriOfPost }: EntityContext,
  { post, by, content }: Of<"post" | "post_change" | "event_change">,
  rootAuthor: string | undefined,
): RenderedEntity[] {
  const uri = uriOfPost(post, by);
  const entity = renderPost(post, by, { content, uri, baseUrl, rootAuthor });
  return entity ? [{ entity, isPublic: post.public }] : [];
}

function renderChangedPhoto(
  attached: AttachedPhoto,
  { post, by }: Of<"post_change">,
): RenderedEntity {
  const editedAt = wireTime(post.updatedAt);
  const entity = { ...renderPhoto(attached, post.guid, by), editedAt };
  return { entity, isPublic: post.public };
}

type Saying = Of<"comment" | "event_answer" | "like" | "vote">;

function renderSaying(outgoing: Saying): RenderedEntity[] {
  const { by, post, postAuthor } = outgoing;
  const relayable = renderRelayable(outgoing);
  if (!relayable) return [];
  const said = { relayable, author: by, isPublic: post.public };
  // The recipients of a limited post receive its updates anyway.
  if (isRootHere(outgoing) || !post.public) return [said];
  const entity = renderParticipation(by, post);
  return [said, { entity, isPublic: false, onlyFor: postAuthor }];
}

function renderRelayable(outgoing: Saying): RelayableEntity | undefined {
  const { by } = outgoing;
  switch (outgoing.kind) {
    case "comment":
      return renderComment(outgoing.comment, by, outgoing);
    case "event_answer":
      return renderAnswer(outgoing.answer, by, outgoing.event);
    case "like":
      return renderLike(outgoing.like, by, outgoing);
    case "vote":
      // A poll with several choices is rendered as text.
      return outgoing.poll.multiple
        ? undefined
        : renderVote(outgoing.vote, by, outgoing.poll);
  }
}

/** The kinds of objects that people other than the author may retract. */
export const TAKEN_BACK = {
  comment_retraction: "Comment",
  like_retraction: "Like",
  vote_retraction: "PollParticipation",
} as const;

function renderTakenBack(
  outgoing: Of<
    keyof typeof TAKEN_BACK | "photo_retraction" | "post_retraction"
  >,
): RenderedEntity[] {
  const { by, guid } = outgoing;
  switch (outgoing.kind) {
    case "post_retraction": {
      const entity = renderRetraction("Post", guid, by);
      return [{ entity, isPublic: outgoing.details.public }];
    }
    case "photo_retraction": {
      const entity = renderRetraction("Photo", guid, by);
      return [{ entity, isPublic: outgoing.post.public }];
    }
    default: {
      const kind = TAKEN_BACK[outgoing.kind];
      const entity = renderRetraction(kind, guid, outgoing.author);
      return [{ entity, isPublic: outgoing.post.public }];
    }
  }
}

function renderAboutPerson(
  { baseUrl }: EntityContext,
  outgoing: Of<"block" | "contact" | "departure" | "profile">,
): RenderedEntity[] {
  const { by } = outgoing;
  switch (outgoing.kind) {
    case "contact": {
      const { recipient, following } = outgoing;
      const entity = renderContact(by, recipient, following);
      const contact = { entity, isPublic: false };
      if (!following) return [contact];
      // A new contact receives the profile as well: until then the other server knows only the
      // hCard.
      const profile = renderProfile(by, baseUrl, "contact");
      return [contact, { entity: profile, isPublic: false }];
    }
    case "block": {
      const entity = renderBlock(by, outgoing.recipient, outgoing.blocking);
      return [{ entity, isPublic: false }];
    }
    case "departure":
      return [{ entity: renderAccountDeletion(by), isPublic: true }];
    case "profile": {
      // diaspora* has no property for a suspended person.
      if (by.state === "shut_out") return [];
      const entity = renderProfile(by, baseUrl, "contact");
      return [{ entity, isPublic: entity.public }];
    }
  }
}

import type {
  Comment as CommentEntity,
  EventParticipation,
  Like as LikeEntity,
  PollParticipation,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import {
  isInConversation,
  isRootHere,
  type Rendered,
  type Outgoing,
  type ProtocolSender,
} from "../outbound/outgoing.ts";
import type { DiasporaDeps } from "./deps.ts";
import {
  asSigner,
  dispatchDocument,
  dispatchEntity,
  type Signer,
} from "./records/envelopes.ts";
import {
  renderAccountDeletion,
  renderBlock,
  renderContact,
  renderParticipation,
  renderProfile,
} from "./render/render-person.ts";
import { renderPost, renderRetraction } from "./render/render-post.ts";
import {
  renderAnswer,
  renderComment,
  renderLike,
  renderVote,
} from "./render/render-relayable.ts";
import { renderMessage } from "./render/render-message.ts";
import { deleteSignatures, findSignature } from "./records/relayable-store.ts";

type SenderDeps = Pick<
  DiasporaDeps,
  "db" | "accounts" | "baseUrl" | "polls" | "uriOfPost"
>;

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

/** Renders what happened here as diaspora* entities in signed envelopes. */
export function createDiasporaSender(deps: SenderDeps): ProtocolSender {
  return {
    render: async (outgoing, recipients) => {
      const signer = asSigner(signingPerson(outgoing));
      if (!signer || recipients.length === 0) return [];
      return render(deps, outgoing, signer, recipients);
    },
    forget: (kind, guids) => deleteSignatures(deps.db, kind, guids),
  };
}

/** What others say about a post of ours is passed on in the name of the post's author. */
function signingPerson(outgoing: Outgoing): Person {
  const passedOn =
    "postAuthor" in outgoing &&
    isRootHere(outgoing) &&
    !isInConversation(outgoing);
  return passedOn ? outgoing.postAuthor : outgoing.by;
}

async function render(
  deps: SenderDeps,
  outgoing: Outgoing,
  signer: Signer,
  recipients: readonly Person[],
): Promise<Rendered[]> {
  switch (outgoing.kind) {
    case "post": {
      const { post, by, root, carried } = outgoing;
      const entity = renderPost(post, by, {
        ...{ carried, uri: deps.uriOfPost(post, by), baseUrl: deps.baseUrl },
        rootAuthor: root?.author.handle,
      });
      if (!entity) return [];
      const to = { recipients, isPublic: post.public };
      return dispatchEntity(deps, entity, signer, to);
    }
    case "event_change": {
      const { post, by, event, carried } = outgoing;
      const entity = renderPost(post, by, {
        ...{ carried, uri: deps.uriOfPost(post, by), baseUrl: deps.baseUrl },
        rootAuthor: undefined,
        editedAt: event.updatedAt,
      });
      if (!entity) return [];
      const to = { recipients, isPublic: post.public };
      return dispatchEntity(deps, entity, signer, to);
    }
    // Votes, and what is said about a post, are passed on one by one; a quote is a link, whatever its author says.
    case "poll_change":
    case "quote_change":
    case "thread_change":
      return [];
    case "post_retraction": {
      const { guid, by, details } = outgoing;
      const entity = renderRetraction("Post", guid, by);
      const to = { recipients, isPublic: details.public };
      return dispatchEntity(deps, entity, signer, to);
    }
    case "comment":
      if (isInConversation(outgoing)) {
        const message = renderMessage(outgoing.comment, outgoing);
        const to = { recipients, isPublic: false };
        return dispatchEntity(deps, message, signer, to);
      }
      return dispatchRelayable(deps, outgoing, signer, recipients);
    case "event_answer":
    case "like":
    case "vote":
      return dispatchRelayable(deps, outgoing, signer, recipients);
    case "photo_retraction": {
      const { guid, by, post } = outgoing;
      const entity = renderRetraction("Photo", guid, by);
      const to = { recipients, isPublic: post.public };
      return dispatchEntity(deps, entity, signer, to);
    }
    case "comment_retraction":
    case "like_retraction":
    case "vote_retraction":
      return dispatchTakenBack(deps, outgoing, signer, recipients);
    case "contact":
      return dispatchContact(deps, outgoing, signer, recipients);
    case "block": {
      const { by, recipient, blocking } = outgoing;
      const entity = renderBlock(by, recipient, blocking);
      return dispatchEntity(deps, entity, signer, {
        recipients,
        isPublic: false,
      });
    }
    case "move":
      return dispatchMove(outgoing, signer, recipients);
    case "departure": {
      const entity = renderAccountDeletion(outgoing.by);
      return dispatchEntity(deps, entity, signer, {
        recipients,
        isPublic: true,
      });
    }
    case "profile": {
      const { by } = outgoing;
      // There is no word for somebody who is suspended.
      if (by.state === "shut_out") return [];
      const entity = renderProfile(by, deps.baseUrl, "contact");
      const to = { recipients, isPublic: entity.public };
      return dispatchEntity(deps, entity, signer, to);
    }
  }
}

/** In the open, once for each server, and to each person: pods take the one, Friendica the other. */
function dispatchMove(
  { document }: Of<"move">,
  signer: Signer,
  recipients: readonly Person[],
): Rendered[] {
  if (document === null || document.text === "") return [];
  const ways = document.public ? [true, false] : [false];
  return ways.map((isPublic) =>
    dispatchDocument(document.text, signer, { recipients, isPublic }),
  );
}

async function dispatchRelayable(
  deps: SenderDeps,
  outgoing: Of<"comment" | "event_answer" | "like" | "vote">,
  signer: Signer,
  recipients: readonly Person[],
): Promise<Rendered[]> {
  const { by, post, postAuthor } = outgoing;
  const entity = await renderRelayable(deps, outgoing);
  if (!entity) return [];
  const isPublic = post.public;
  const to = { recipients, isPublic };
  const dispatches = await dispatchEntity(deps, entity, signer, to);
  // Whoever got a limited post hears of it anyway.
  if (isRootHere(outgoing) || !isPublic) return dispatches;
  const participation = renderParticipation(by, post);
  const toAuthor = {
    recipients: recipients.filter(({ id }) => id === postAuthor.id),
    isPublic: false,
  };
  return [
    ...dispatches,
    ...(await dispatchEntity(deps, participation, signer, toAuthor)),
  ];
}

async function renderRelayable(
  deps: SenderDeps,
  outgoing: Of<"comment" | "event_answer" | "like" | "vote">,
): Promise<
  | CommentEntity
  | EventParticipation
  | LikeEntity
  | PollParticipation
  | undefined
> {
  const { by, post } = outgoing;
  switch (outgoing.kind) {
    case "comment":
      return renderComment(deps, outgoing.comment, by, post);
    case "event_answer":
      return renderAnswer(deps, outgoing.answer, by, outgoing.event);
    case "like":
      return renderLike(deps, outgoing.like, by, outgoing);
    case "vote":
      // A poll that takes several answers is a text there.
      return outgoing.poll.multiple
        ? undefined
        : renderVote(deps, outgoing.vote, by, outgoing.poll);
  }
}

const TAKEN_BACK = {
  comment_retraction: "Comment",
  like_retraction: "Like",
  vote_retraction: "PollParticipation",
} as const;

async function dispatchTakenBack(
  deps: SenderDeps,
  outgoing: Of<keyof typeof TAKEN_BACK>,
  signer: Signer,
  recipients: readonly Person[],
): Promise<Rendered[]> {
  const { author, guid, post } = outgoing;
  const kind = TAKEN_BACK[outgoing.kind];
  // What we could not pass on, nobody has to forget.
  const wasPassedOn =
    author.userId !== null ||
    (await findSignature(deps.db.read, kind, guid)) !== undefined;
  if (!wasPassedOn) return [];
  const entity = renderRetraction(kind, guid, author);
  const to = { recipients, isPublic: post.public };
  return dispatchEntity(deps, entity, signer, to);
}

/** A new contact gets the profile as well: until then it knows only what the hCard says. */
async function dispatchContact(
  deps: SenderDeps,
  { by, recipient, following }: Of<"contact">,
  signer: Signer,
  recipients: readonly Person[],
): Promise<Rendered[]> {
  const to = { recipients, isPublic: false };
  const contact = renderContact(by, recipient, following);
  const dispatches = await dispatchEntity(deps, contact, signer, to);
  if (!following) return dispatches;
  const profile = renderProfile(by, deps.baseUrl, "contact");
  return [...dispatches, ...(await dispatchEntity(deps, profile, signer, to))];
}

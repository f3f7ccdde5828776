import type { Entity } from "./entity-types.ts";
import type {
  AccountMigration,
  Contact,
  Conversation,
  Profile,
} from "./person-types.ts";
import type { Embed, Reshare, StatusMessage } from "./post-types.ts";

const MAX_PROFILE_TAGS = 5;

/**
 * The rules between an entity's properties, which its schema cannot express.
 * @returns a description of the violation, or undefined
 * @see diaspora* federation protocol, Entities
 */
export function brokenRule(entity: Entity): string | undefined {
  switch (entity.type) {
    case "status_message":
      return brokenPost(entity);
    case "poll":
      return entity.pollAnswers.length < 2
        ? "fewer than two answers"
        : undefined;
    case "embed":
      return brokenEmbed(entity);
    case "reshare":
      return brokenReshare(entity);
    case "contact":
      return brokenContact(entity);
    case "profile":
      return brokenProfile(entity);
    case "conversation":
      return brokenConversation(entity);
    case "account_migration":
      return brokenMigration(entity);
    case "account_deletion":
    case "comment":
    case "event":
    case "event_participation":
    case "like":
    case "location":
    case "message":
    case "participation":
    case "photo":
    case "poll_answer":
    case "poll_participation":
    case "retraction":
      return undefined;
  }
}

/** Splits the list of handles of a `conversation`, joined by `;`. */
export function splitHandles(handles: string): string[] {
  return handles.split(";");
}

/** The participants of a conversation, as handles. */
export function participantsOf(conversation: Conversation): string[] {
  return splitHandles(conversation.participants);
}

function brokenPost(post: StatusMessage): string | undefined {
  if (post.text === undefined && post.photos.length === 0) {
    return "neither text nor photo";
  }
  if (post.photos.some((photo) => photo.author !== post.author)) {
    return "a photo is by another author";
  }
  // Otherwise a post could attach its photos to another author's post.
  const foreign = post.photos.some(
    ({ statusMessageGuid }) =>
      statusMessageGuid !== undefined && statusMessageGuid !== post.guid,
  );
  if (foreign) return "a photo names another post";
  if (post.event && post.event.author !== post.author) {
    return "the event is by another author";
  }
  return undefined;
}

function brokenEmbed(embed: Embed): string | undefined {
  const both = embed.url !== undefined && embed.nothing === true;
  const none = embed.url === undefined && embed.nothing !== true;
  return both || none ? "needs either a url or nothing=true" : undefined;
}

function brokenReshare(reshare: Reshare): string | undefined {
  const half =
    (reshare.rootAuthor === undefined) !== (reshare.rootGuid === undefined);
  return half ? "needs both root_author and root_guid, or none" : undefined;
}

function brokenContact(contact: Contact): string | undefined {
  const contradiction =
    contact.blocking && (contact.following || contact.sharing);
  return contradiction ? "blocking excludes following and sharing" : undefined;
}

function brokenProfile(profile: Profile): string | undefined {
  const tags = (profile.tagString ?? "").split("#").length - 1;
  return tags > MAX_PROFILE_TAGS ? "more than five tags" : undefined;
}

function brokenConversation(conversation: Conversation): string | undefined {
  const participants = participantsOf(conversation);
  if (new Set(participants).size < 2) return "fewer than two participants";
  if (!participants.includes(conversation.author)) {
    return "the author does not take part";
  }
  for (const message of conversation.messages) {
    if (message.author !== conversation.author) {
      return "a message is by another author";
    }
    if (message.conversationGuid !== conversation.guid) {
      return "a message names another conversation";
    }
  }
  return undefined;
}

function brokenMigration(migration: AccountMigration): string | undefined {
  if (migration.author !== migration.profile.author) return undefined;
  if (migration.oldIdentity === undefined) return "old_identity is missing";
  return migration.oldIdentity === migration.author
    ? "both identities are the same"
    : undefined;
}

/** Private: `author` starts or stops sharing with `recipient`, or blocks them. */
export interface Contact {
  readonly type: "contact";
  author: string;
  recipient: string;
  following: boolean;
  sharing: boolean;
  /** Excludes both others. */
  blocking: boolean;
}

/** A full replacement of the author's profile. */
export interface Profile {
  readonly type: "profile";
  author: string;
  editedAt?: string;
  fullName?: string;
  firstName?: string;
  lastName?: string;
  imageUrl?: string;
  imageUrlMedium?: string;
  imageUrlSmall?: string;
  bio?: string;
  /** `YYYY-MM-DD`; a year of 1004 or less means that the year is unknown. */
  birthday?: string;
  gender?: string;
  location?: string;
  searchable: boolean;
  public: boolean;
  nsfw: boolean;
  /** At most five `#`. */
  tagString?: string;
  /** See {@link StatusMessage.activitypubId}. */
  activitypubId?: string;
}

/** A retraction. `author` proves nothing: check the sender of the envelope. */
export interface Retraction {
  readonly type: "retraction";
  author: string;
  targetGuid: string;
  /** `Post`, `Photo`, `Comment`, `Like`, `PollParticipation`, or another name from a peer. */
  targetType: string;
}

/** The author's account is deleted permanently. */
export interface AccountDeletion {
  readonly type: "account_deletion";
  author: string;
}

/** The author has moved; `profile` is that of the new identity. See `migrationIdentities`. */
export interface AccountMigration {
  readonly type: "account_migration";
  author: string;
  profile: Profile;
  /** By the identity that is not the author. */
  signature: string;
  oldIdentity?: string;
  remotePhotoPath?: string;
}

/** Private: subscribes to all interactions with a post. */
export interface Participation {
  readonly type: "participation";
  author: string;
  guid: string;
  parentGuid: string;
  parentType: "Post";
}

/** Private: starts a conversation. */
export interface Conversation {
  readonly type: "conversation";
  author: string;
  guid: string;
  subject: string;
  createdAt?: string;
  /** Handles joined by `;`, at least two, including the author. See `participantsOf`. */
  participants: string;
  /** By the conversation's author; in practice exactly one. */
  messages: Message[];
}

/** Private: a message in a conversation. */
export interface Message {
  readonly type: "message";
  author: string;
  guid: string;
  text: string;
  createdAt?: string;
  editedAt?: string;
  conversationGuid: string;
}

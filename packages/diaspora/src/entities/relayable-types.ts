/** Entities that the root's author passes on, with a signature by their own author. */
export type Relayable = Comment | Like | PollParticipation | EventParticipation;

/** What a relayable's author signed, kept so that it can be passed on unchanged. */
export interface SignedProperties {
  /** Name on the wire and exact decoded text of every element but signatures, in document order, unknown ones too. */
  properties: [name: string, value: string][];
  /** Standard base64. Absent when the root's own author wrote it. */
  authorSignature?: string;
}

/** What all relayables have. */
export interface RelayableBase {
  author: string;
  guid: string;
  parentGuid: string;
  /** Filled in by `parseEntity` and `signRelayable`; when present, it is what `buildEntity` writes. */
  signed?: SignedProperties;
}

/** A comment on a post. */
export interface Comment extends RelayableBase {
  readonly type: "comment";
  /** Markdown, 1 to 65535. */
  text: string;
  createdAt?: string;
  editedAt?: string;
  /** Guid of the comment that this one answers; an extension of Friendica and Socialhome. */
  threadParentGuid?: string;
  /** See {@link StatusMessage.activitypubId}. */
  activitypubId?: string;
}

/** A like, or with `positive: false` a dislike. */
export interface Like extends RelayableBase {
  readonly type: "like";
  parentType: "Post" | "Comment";
  positive: boolean;
}

/** A vote; `parentGuid` is the poll's. */
export interface PollParticipation extends RelayableBase {
  readonly type: "poll_participation";
  pollAnswerGuid: string;
}

/** An answer to an invitation; `parentGuid` is the event's, or from Friendica the post's. */
export interface EventParticipation extends RelayableBase {
  readonly type: "event_participation";
  status: "accepted" | "declined" | "tentative";
  editedAt?: string;
}

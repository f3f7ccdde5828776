/** Entities that the root's author relays, with a signature by their own author. */
export type Relayable = Comment | Like | PollParticipation | EventParticipation;

/** The signed properties of a relayable, kept so that it can be relayed unchanged. */
export interface SignedProperties {
  /** Wire name and exact decoded text of every element except signatures, in document order, including unknown ones. */
  properties: [name: string, value: string][];
  /** Standard base64. Missing when the root's own author wrote it. */
  authorSignature?: string;
}

/** The properties of all relayables. */
export interface RelayableBase {
  author: string;
  guid: string;
  parentGuid: string;
  /** Set by `parseEntity` and `signRelayable`; when present, `buildEntity` writes it. */
  signed?: SignedProperties;
}

/** A comment on a post. */
export interface Comment extends RelayableBase {
  readonly type: "comment";
  /** Markdown, 1 to 65535. */
  text: string;
  createdAt?: string;
  editedAt?: string;
  /** Guid of the parent comment of a reply; an extension of Friendica and Socialhome. */
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

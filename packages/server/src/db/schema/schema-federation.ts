import type { ColumnType, Generated } from "kysely";
import type {
  CommentId,
  EventId,
  LikeId,
  ParticipationId,
  PersonId,
  PostId,
  UserId,
} from "./ids.ts";
import type { JsonText } from "./columns/json-text.ts";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;
/** A boolean: `boolean` on PostgreSQL, 0 or 1 on SQLite. */
type Flag = ColumnType<boolean | number, boolean, boolean>;

/** Hosts by their normalised names, without ports. */
export type HostPoliciesTable = {
  host: string;
  blocked: Flag;
  silenced: Flag;
  media_rejected: Flag;
  allowed: Flag;
  reason: string;
  created_at: Time;
  updated_at: Time;
};

/** The objects that activities of other servers created, by digests of the ids. */
export type CreationsTable = {
  activity: string;
  object: string;
  created_at: Time;
};

/** The digests of the followers here, as their actor and as we have them, when its list was last asked for. */
export type FollowersChecksTable = {
  actor_uri: string;
  theirs: string;
  ours: string;
  checked_at: Time;
};

export type RelaysTable = {
  id: Generated<number>;
  url: string;
  kind: "inbox" | "actor";
  state: "pending" | "accepted" | "rejected";
  actor_uri: string | null;
  inbox_uri: string | null;
  follow_guid: string;
  created_at: Time;
  updated_at: Time;
};

/** Of everybody elsewhere: how it is reached, and by what it is known there. */
export type RemotePeopleTable = {
  person_id: PersonId;
  protocol: string | null;
  /** The preferred protocol gave no answer when this one was chosen. */
  protocol_open: ColumnType<boolean | number, boolean | undefined, boolean>;
  has_diaspora_key: Flag;
  /** By which its own diaspora* server knows it; not unique. */
  diaspora_guid: string | null;
  /** Of its actor. */
  uri: string | null;
  inbox_uri: string | null;
  shared_inbox_uri: string | null;
  followers_uri: string | null;
  seed_location: string | null;
  profile_url: string | null;
  discovered_at: Time | null;
};

/** How an event from elsewhere, known over ActivityPub, is answered. */
export type RemoteEventsTable = {
  event_id: EventId;
  answered_by: string;
  /** Actor ids of those who may let people in, as JSON. */
  organizers: string;
};

export type PeersTable = {
  origin: string;
  software: string | null;
  learned_at: Time | null;
  signature_form: string | null;
  signature_form_at: Time | null;
};

export type ForwardedActivitiesTable = {
  /** SHA-256 of the activity's id, in hex. */
  digest: string;
  forwarded_at: Time;
};

export type DeliveryReceiptsTable = {
  post_id: PostId;
  host: string;
  delivered_at: Time | null;
  failed_at: Time | null;
};

export type GoneInboxesTable = {
  url: string;
  host: string;
  since: Time;
};

export type RemoteActorsTable = {
  actor_uri: string;
  type: string;
  featured_uri: string | null;
  fetched_at: Time;
};

/** One of the three names what was said; all of them go with it. */
export type ProvedDocumentsTable = {
  id: Generated<number>;
  post_id: PostId;
  comment_id: CommentId | null;
  like_id: LikeId | null;
  participation_id: ParticipationId | null;
  /** The activity with its author's proof, as JSON. */
  document: string;
};

export type ThreadNewsTable = {
  post_id: PostId;
  /** Of the server that the news came from. */
  origin: string;
};

/** A stored message of which it is not known yet who sent it; the row goes once that is known. */
export type UnprovenMessagesTable = {
  message_id: number;
  recipient_user_id: UserId;
  /** From where it came, as limits count it. */
  network: string;
  /** Had the network proved itself before? */
  known: Flag;
  bytes: number;
  received_at: Time;
};

export type WaitingMessagesTable = {
  message_id: number;
  /** How well the sender is known. */
  standing: string;
  /** A handle or an actor id. */
  sender: string;
  host: string;
  bytes: number;
  since: Time;
};

/** From where messages of people came whom somebody here follows. */
export type KnownNetworksTable = { network: string; proven_at: Time };

export type SentActivitiesTable = {
  guid: string;
  person_id: PersonId;
  public: Flag;
  addressees: string;
  document: string;
  created_at: Time;
  is_object: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The activity that it answers; of several answers to one the last is kept. */
  answers: ColumnType<string | null, string | null | undefined, string | null>;
  /** Of leave to quote: the Guid of what may be quoted, and the actor id of who asked for it. */
  quoted_guid: ColumnType<
    string | null,
    string | null | undefined,
    string | null
  >;
  asked_by: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null for what is kept for as long as its author. */
  expires_at: ColumnType<Time | null, Time | null | undefined, Time | null>;
};

export type InboundMessagesTable = {
  id: Generated<number>;
  protocol: string;
  message_id: string | null;
  sender: string | null;
  recipient_user_id: UserId | null;
  verified: Flag;
  body: Uint8Array | null;
  outcome: string | null;
  received_at: Time;
  processed_at: Time | null;
  /** Digest of what it is about, and of the signature that brought it. */
  about: ColumnType<string | null, string | null | undefined, string | null>;
  proof: ColumnType<string | null, string | null | undefined, string | null>;
};

/** A list of decisions about hosts that was imported. */
export type HostListImportsTable = {
  id: Generated<number>;
  /** The username of who imported it. */
  by_name: string;
  /** The decisions before and after it, so that it can be undone. */
  changes: JsonText<
    readonly {
      readonly host: string;
      readonly before: StoredHostPolicy | null;
      readonly after: StoredHostPolicy;
    }[]
  >;
  created_at: Time;
  undone_at: ColumnType<Time | null, Time | undefined, Time>;
};

type StoredHostPolicy = {
  readonly blocked: boolean;
  readonly silenced: boolean;
  readonly mediaRejected: boolean;
  readonly allowed: boolean;
  readonly reason: string;
};

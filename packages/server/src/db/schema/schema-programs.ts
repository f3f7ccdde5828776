import type { Generated } from "kysely";
import type { JsonText } from "./columns/json-text.ts";
import type {
  NotificationKind,
  NotifyingPeople,
  UnwantedPeople,
} from "./columns/notification-choice.ts";
import type {
  AccessId,
  FeaturedTagId,
  PersonId,
  PushSubscriptionId,
  TokenId,
  UserId,
} from "./ids.ts";

/** Places in lists, kept by programs for their users. */
export type MarkersTable = {
  id: Generated<number>;
  user_id: UserId;
  list: "home" | "notifications";
  last_read_id: number;
  /** The number of changes. */
  version: number;
  updated_at: string;
};

export type SubmissionsTable = {
  id: Generated<number>;
  user_id: UserId;
  /** The hash of the program's key. */
  key: string;
  /** The result; null while it is under way. */
  result: string | null;
  created_at: string;
};

export type PersonNotesTable = {
  id: Generated<number>;
  user_id: UserId;
  person_id: PersonId;
  text: string;
  created_at: string;
  updated_at: string;
};

/** One of session, token and access is not null: the row ends with it. */
export type PushSubscriptionsTable = {
  id: Generated<PushSubscriptionId>;
  user_id: UserId;
  session_hash: string | null;
  token_id: TokenId | null;
  access_id: AccessId | null;
  /** Of the endpoint. */
  host: string;
  endpoint_hash: string;
  /** The endpoint, its keys, and the token that the program sent. */
  target_sealed: string;
  encoding: "aes128gcm" | "aesgcm";
  /** The kinds that a program wants, by its own names. */
  alerts: JsonText<readonly string[]>;
  policy: "all" | "followed" | "follower" | "none";
  created_at: string;
};

/** Tags on the profiles of people. */
export type FeaturedTagsTable = {
  id: Generated<FeaturedTagId>;
  user_id: UserId;
  tag: string;
  created_at: string;
};

/** A user without a row is notified of everything by everyone. */
export type NotificationChoicesTable = {
  user_id: UserId;
  /** Kinds that are not chosen for everyone. */
  senders: JsonText<Partial<Record<NotificationKind, NotifyingPeople>>>;
  dropped: JsonText<readonly UnwantedPeople[]>;
  updated_at: string;
};

import type { Generated } from "kysely";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;

export type TextVersionsTable = {
  id: Generated<number>;
  post_id: number;
  /** null where it is the text of the post itself. */
  comment_id: number | null;
  text: string;
  written_at: Time;
};

export type ReactionsTable = {
  id: Generated<number>;
  uri: string;
  post_id: number;
  comment_id: number | null;
  person_id: number;
  emoji: string;
  emoji_url: string | null;
  created_at: Time;
};

export type QuotesTable = {
  /** The post that quotes. */
  post_id: number;
  /** ActivityPub id of what is quoted; null where it has none, or is of this server. */
  quoted_uri: string | null;
  /** Guid of the quoted post, once it is known here. */
  quoted_guid: string | null;
  /** `pending`, `accepted`, `rejected` or `revoked`. */
  state: string;
  /** The leave to quote, as it was named; what a pending one says is not looked at yet. */
  authorization_uri: string | null;
  changed_at: Time;
};

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

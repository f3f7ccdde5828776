import type { ColumnType, Generated } from "kysely";
import type { CommentId, FilterId, PostId, UserId } from "./ids.ts";
import type { JsonText } from "./columns/json-text.ts";

export type FiltersTable = {
  id: Generated<FilterId>;
  user_id: UserId;
  title: string;
  contexts: JsonText<
    readonly ("home" | "notifications" | "public" | "thread" | "account")[]
  >;
  action: "warn" | "hide" | "blur";
  /** null for good. */
  ends_at: string | null;
  created_at: string;
  updated_at: string;
};

export type FilterKeywordsTable = {
  id: Generated<number>;
  filter_id: FilterId;
  keyword: string;
  whole_word: ColumnType<boolean | number, boolean, boolean>;
};

/** A post or a comment that a filter matches, whatever it says. */
export type FilterStatusesTable = {
  id: Generated<number>;
  filter_id: FilterId;
  post_id: PostId | null;
  comment_id: CommentId | null;
};

import type { ColumnType, Generated } from "kysely";
import type { PostId } from "./ids.ts";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;

export type JobsTable = {
  id: Generated<number>;
  kind: string;
  pool: string;
  payload: string;
  document_id: number | null;
  lane: string | null;
  host: string | null;
  state: string;
  attempts: number;
  run_at: Time;
  turn: Generated<Time>;
  lease_until: Time | null;
  leased_by: number | null;
  last_error: string | null;
  created_at: Time;
  overtaken: ColumnType<boolean | number, boolean | undefined, boolean>;
  awaits: ColumnType<string | null, undefined, string | null>;
  unsettled_leases: Generated<number>;
  lease_number: Generated<number>;
  died_at: ColumnType<Time | null, undefined, Time | null>;
  follows: ColumnType<string | null, undefined, never>;
  band: ColumnType<string | null, undefined, never>;
  steps_aside: ColumnType<boolean | number, undefined, boolean>;
  brought_forward: ColumnType<boolean | number, undefined, boolean>;
  not_before: ColumnType<Time | null, undefined, Time | null>;
  /** The request from which it follows, for the log. */
  request_id: ColumnType<string | null, undefined, never>;
};

export type JobDocumentsTable = {
  id: Generated<number>;
  body: string;
  created_at: Time;
  post_id: ColumnType<PostId | null, PostId | null | undefined, never>;
};

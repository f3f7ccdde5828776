import type { Generated } from "kysely";
import type { JsonText } from "./columns/json-text.ts";
import type { UserId } from "./ids.ts";

/** An archive or a list that somebody uploaded to import it. */
export type ImportsTable = {
  id: Generated<number>;
  user_id: UserId;
  /** Names the parts of the file in the store of uploads. */
  file_key: string;
  /** As the person's program named it. */
  file_name: string;
  /** What it lists, for a list. */
  list_kind: string | null;
  bytes: Generated<number>;
  /** How many parts of the file may be stored; 0 once they are deleted. */
  parts: Generated<number>;
  state: string;
  /** Records that were imported, or left out. */
  done: Generated<number>;
  total: Generated<number>;
  rehearsal: JsonText<Readonly<Record<string, unknown>>> | null;
  report: JsonText<Readonly<Record<string, unknown>>> | null;
  failure: string | null;
  created_at: string;
  changed_at: string;
  ended_at: string | null;
};

import type { ColumnType, Generated } from "kysely";
import type {
  AspectId,
  DraftId,
  EventId,
  PersonId,
  PhotoId,
  PostId,
  UserId,
} from "./ids.ts";
import type { JsonText } from "./columns/json-text.ts";
import type { QuotablePeople } from "./columns/stored-names.ts";

/** The words and choices of the author of a draft. */
export type StoredDraft = {
  readonly text: string;
  /** As chosen, not as resolved; a default audience is written out. */
  readonly audience:
    | { readonly kind: "everyone" | "unlisted" | "followers" }
    | { readonly kind: "all_aspects" | "self" | "mentioned" }
    | { readonly kind: "aspects"; readonly aspectIds: readonly AspectId[] }
    | { readonly kind: "people"; readonly personIds: readonly PersonId[] };
  readonly photoIds: readonly PhotoId[];
  /** May it be published with pictures alone? */
  readonly isTextOptional?: boolean;
  readonly eventId: EventId | null;
  readonly quoteId: PostId | null;
  readonly nsfw: boolean;
  readonly warning: string | null;
  readonly language: string | null;
  /** The people who may quote it; absent in older drafts. */
  readonly quotableBy?: QuotablePeople;
  readonly location: {
    readonly address: string;
    readonly lat: string;
    readonly lng: string;
  } | null;
  readonly poll: {
    readonly question: string;
    readonly answers: readonly string[];
    readonly multiple: boolean;
    readonly endsAt: string | null;
    /** How long it takes, from when the post is published; `endsAt` follows it. */
    readonly durationS?: number;
    /** Absent in older drafts. */
    readonly hidesTotals?: boolean;
  } | null;
};

export type DraftsTable = {
  id: Generated<DraftId>;
  user_id: UserId;
  content: JsonText<StoredDraft>;
  /** When it is published by itself; null for a draft that waits for its author. */
  publish_at: string | null;
  /** Why it was not published at its time. */
  failed_reason: string | null;
  created_at: string;
  updated_at: string;
};

export type DraftPhotosTable = { draft_id: DraftId; photo_id: PhotoId };

/** An archive or a list that somebody uploaded to import it. */
export type ImportsTable = {
  id: Generated<number>;
  user_id: UserId;
  /** Names the parts of the file in the store of uploads. */
  file_key: string;
  /** As the person's program named it. */
  file_name: string;
  /** The kind of a list. */
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
  /** Whether the account of the archive moves here. */
  moves: ColumnType<boolean | number, boolean | undefined, boolean>;
  created_at: string;
  changed_at: string;
  ended_at: string | null;
};

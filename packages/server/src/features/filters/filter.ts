import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { FilterId, UserId } from "../ids.ts";
import type {
  FilterAction,
  FilterContext,
  FilterKeyword,
} from "../visibility/index.ts";
import type { FilterStatus } from "./filter-status-store.ts";

/** The choices of a user for a filter. */
export type FilterChoice = {
  readonly title: string;
  readonly action: FilterAction;
  readonly contexts: readonly FilterContext[];
  /** The id of one that is stored keeps it, also where its word changes. */
  readonly keywords: readonly (FilterKeyword & {
    readonly id?: number | undefined;
  })[];
  /** null for good. */
  readonly endsAt: Timestamp | null;
};

/** A stored filter. */
export type Filter = Omit<FilterChoice, "keywords"> & {
  readonly id: FilterId;
  readonly keywords: readonly (FilterKeyword & { readonly id: number })[];
  /** The posts and comments that it matches, whatever they say. */
  readonly statuses: readonly FilterStatus[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** Every text that is read is compared with every keyword of its reader. */
export const MAX_FILTERS = 50;
export const MAX_KEYWORDS = 100;
export const MAX_KEYWORD_LENGTH = 100;
export const MAX_TITLE_LENGTH = 100;

export type FilterCollector = {
  /** Tells open streams of the user, once it is committed. */
  noteFilters(tx: Tx, userId: UserId): void;
};

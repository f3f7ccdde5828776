import type { PersonId, UserId } from "../ids.ts";

/** The person who reads, from this server or another; null without a session. */
export type Viewer = {
  readonly personId: PersonId;
  /** null for a person of another server. */
  readonly userId: UserId | null;
} | null;

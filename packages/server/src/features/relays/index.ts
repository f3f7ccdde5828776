import type { Timestamp } from "../../lib/time/clock.ts";
import type { Doer } from "../audit/index.ts";

// The relays of this server, as operators see them. How a relay is asked, and what it
// brings, is the business of federation/.

/** A server that distributes the public posts of all its subscribers to all of them. */
export type ListedRelay = {
  readonly id: number;
  /** As an operator entered it. */
  readonly url: string;
  readonly kind: string;
  readonly state: "pending" | "accepted" | "rejected";
  readonly createdAt: Timestamp;
};

export type RelayList = {
  /** All of them, the oldest first. */
  readonly list: () => Promise<readonly ListedRelay[]>;
  readonly find: (id: number) => Promise<ListedRelay | undefined>;
  /** The normal form of a relay's address; undefined if it is none. */
  readonly readUrl: (text: string) => string | undefined;
  /** Asks a relay for its posts. @param url from `readUrl` @returns false if it is listed already */
  readonly add: (by: Doer, url: string) => Promise<boolean>;
  /** Leaves a relay. @returns false if none has that address */
  readonly remove: (by: Doer, url: string) => Promise<boolean>;
};

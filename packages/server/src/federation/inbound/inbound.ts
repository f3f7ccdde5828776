import type { Db, Tx } from "../../db/db.ts";
import type { Names } from "../../db/together/names.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import { jobKind, recurringKind, type Missing } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Log } from "../../observability/log.ts";
import type { HostHealth } from "../delivery/host-health.ts";
import type { InboundMessage, NewInboundMessage } from "./inbound-store.ts";
import type { SignatureFailureLimiter } from "./signature-failure-limiter.ts";
import type { WaitingBy } from "./waiting.ts";

/** The job that processes a stored message. */
export const HANDLE_INBOUND = jobKind<{ messageId: number }>("handle-inbound");

/** The job that deletes old messages. */
export const FORGET_INBOUND = recurringKind("forget-inbound");

/**
 * The outcome of a message. `wait`: it depends on something that is not stored
 * yet; if it has a name, the message is retried as soon as that is stored. The
 * text is for operators; it never contains private texts.
 */
export type InboundResult =
  | { readonly kind: "done"; readonly outcome: string }
  | {
      readonly kind: "wait";
      readonly reason: string;
      readonly missing?: Missing;
      /** The authenticated sender, whose waiting messages are limited. */
      readonly by?: WaitingBy;
    };

export function done(outcome: string): InboundResult {
  return { kind: "done", outcome };
}

/**
 * Applies a message, in the transaction that accepts it. It may run again, and
 * awaits only queries of `tx`.
 * @returns false if it changed nothing
 */
export type Execute = (
  tx: Tx,
  sender: { readonly isFollowed: boolean },
) => Promise<boolean>;

/**
 * A message that needs only the database, and is idempotent. One that creates an object is
 * remembered by that; any other by its own id.
 */
export type Immediate = {
  readonly senderId: PersonId;
  /** The names of what it creates. */
  readonly names: Names;
  /** Further keys on which it takes locks. */
  readonly keys?: readonly string[];
  readonly execute: Execute;
  /**
   * Origin of the server that it proves to be up if it changes something:
   * anyone can replay an old message.
   */
  readonly provesWhereNew?: string | undefined;
};

/** @param attempt the first one is 1 */
export type InboundHandler = (
  message: InboundMessage,
  attempt: number,
) => Promise<InboundResult>;

export type InboundDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly hosts: HostHealth;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the outcome of each message. */
  readonly onOutcome?: (protocol: Protocol, outcome: string) => void;
  /** Called when the worker has authenticated a message, or failed to. */
  readonly unproven?: Pick<SignatureFailureLimiter, "settle">;
};

/** A message as it comes in. */
export type Message = Omit<NewInboundMessage, "receivedAt">;

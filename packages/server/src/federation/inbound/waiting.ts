import type { Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { DialectName } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { InboundMessage } from "./inbound-store.ts";
import type { Amount } from "./unproven-store.ts";
import {
  countWaiting,
  deleteWaiting,
  deleteWaitingBefore,
  insertWaiting,
  isWaiting,
  type SenderClass,
  type Waiting,
  type WaitingSender,
} from "./waiting-store.ts";

type Bounds = Readonly<Record<keyof Waiting, Amount>>;

const MIB = 1024 * 1024;

/**
 * Limits of messages that wait for objects which are not stored yet. Usually a
 * few wait for a second, because they came before their subject; a stranger can
 * name subjects that never come.
 */
const STRANGERS: Bounds = {
  sender: { messages: 100, bytes: 4 * MIB },
  host: { messages: 1_000, bytes: 32 * MIB },
  all: { messages: 10_000, bytes: 256 * MIB },
};
/**
 * Counted separately, so that strangers do not use up the room of followed
 * people.
 */
const FOLLOWED: Bounds = {
  sender: { messages: 1_000, bytes: 32 * MIB },
  host: { messages: 10_000, bytes: 128 * MIB },
  all: { messages: 20_000, bytes: 512 * MIB },
};
const BOUNDS: Readonly<Record<SenderClass, Bounds>> = {
  followed: FOLLOWED,
  stranger: STRANGERS,
  // Anyone can claim a name: claimed senders do not use up the room of
  // authenticated ones.
  claimed: STRANGERS,
};

/** Longer than any message waits. The rest belongs to dead jobs. */
const KEEP_MS = 2 * 24 * 3_600_000;

/** An authenticated sender. */
export type WaitingBy = {
  /** A handle or an actor id. */
  readonly name: string;
  /** Does a local user follow the sender? */
  readonly isFollowed: boolean;
};

/** Limits messages that wait for a missing object. */
export type WaitingMessages = ReturnType<typeof createWaitingMessages>;

export function createWaitingMessages({
  dialect,
  clock,
}: {
  readonly dialect: DialectName;
  readonly clock: Clock;
}) {
  return {
    /**
     * @returns false if too many messages of this sender, or its server, wait
     *   already
     */
    admit: async (
      tx: Tx,
      message: InboundMessage,
      by: WaitingBy | undefined,
    ): Promise<boolean> => {
      const { id, body } = message;
      const of = readSender(message, by);
      // A message without a known sender is counted by its origin.
      if (!of || (await isWaiting(tx, id))) return true;
      await lockKey(tx, dialect, `waiting:${of.standing}:${of.host}`);
      const bytes = body.length;
      if (isFull(await countWaiting(tx, of), BOUNDS[of.standing], bytes))
        return false;
      await insertWaiting(tx, id, { ...of, bytes }, timestamp(clock.now()));
      return true;
    },
    end: deleteWaiting,
    forget: (tx: Tx) =>
      deleteWaitingBefore(tx, timestamp(later(clock.now(), -KEEP_MS))),
  };
}

function readSender(
  { sender, verified }: InboundMessage,
  by: WaitingBy | undefined,
): WaitingSender | undefined {
  const name = by?.name ?? sender;
  if (name === null) return undefined;
  const standing =
    by === undefined && !verified
      ? "claimed"
      : by?.isFollowed === true
        ? "followed"
        : "stranger";
  return { standing, sender: name, host: hostOf(name) };
}

function hostOf(name: string): string {
  const url = URL.parse(name);
  return url?.host ? url.host : name.slice(name.lastIndexOf("@") + 1);
}

function isFull(waiting: Waiting, bounds: Bounds, bytes: number): boolean {
  const kinds = ["sender", "host", "all"] as const;
  return kinds.some(
    (of) =>
      waiting[of].messages >= bounds[of].messages ||
      waiting[of].bytes + bytes > bounds[of].bytes,
  );
}

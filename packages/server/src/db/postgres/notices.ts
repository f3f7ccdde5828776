import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import type { DatabaseLocation } from "../open-database.ts";
import { postgresUnusable } from "./open-postgres.ts";
import { openOwnConnection } from "./own-connection.ts";

/**
 * Notifications between processes on one PostgreSQL: new jobs, invalid cache
 * entries, and changes for open streams. A notice may be lost with its connection, so nothing may
 * depend on one: workers poll every half second anyway, and after a gap all
 * listeners are called.
 */
export type Notices = {
  /** Notifies the other processes within moments. Call it after the commit. */
  notify(topic: Topic, value?: string): void;
  /** @param listener gets no value if notices may have been missed */
  listen(topic: Topic, listener: (value: string | undefined) => void): void;
  close(): Promise<void>;
};

const TOPICS = [
  /** Jobs were enqueued. */
  "jobs",
  /** The private keys of this user were deleted. */
  "account-keys",
  /** The public keys of this person have changed. */
  "person-keys",
  /** Something changed that viewers are told: ids alone, in JSON. */
  "changes",
  /** Counts of limits have changed. */
  "limits",
  /** The writes of a transaction, by the names that caches use; without a value, anything. */
  "writes",
] as const;
export type Topic = (typeof TOPICS)[number];

/** For a single process. */
export function silentNotices(): Notices {
  return { notify: () => {}, listen: () => {}, close: async () => {} };
}

/** @throws {DatabaseUnusable} */
export async function openNotices(
  location: DatabaseLocation,
): Promise<Notices> {
  return location.kind === "sqlite"
    ? silentNotices()
    : openOnPostgres(location.url);
}

const CHANNEL = "kith_notices";
/**
 * Notices of this time go out together, each once: every one wakes the other
 * processes.
 */
const GATHER_MS = 20;
/** A statement cannot hold an unlimited number of notices after an outage. */
const MAX_WAITING = 1_000;
const RECONNECT_AFTER_MS = 1_000;

type Message = { from: string; topic: Topic; value?: string };

async function openOnPostgres(url: string): Promise<Notices> {
  const from = randomUUID();
  const listeners: [Topic, (value: string | undefined) => void][] = [];
  const waiting = new Set<string>();
  let isClosed = false;
  let isSending = false;
  let timer: NodeJS.Timeout | undefined;
  let client: Client | undefined;
  let reconnecting: Promise<void> | undefined;

  function hear({ payload }: { payload?: string | undefined }): void {
    const message = JSON.parse(payload ?? "{}") as Message;
    if (message.from === from) return;
    for (const [topic, listener] of listeners)
      if (topic === message.topic) listener(message.value);
  }

  /**
   * Replaces notices that were dropped: the others may have missed anything.
   */
  function notifyGap(): void {
    waiting.clear();
    for (const topic of TOPICS) waiting.add(JSON.stringify({ from, topic }));
  }

  function flushSoon(): void {
    if (!isClosed) timer ??= setTimeout(flush, GATHER_MS);
  }

  async function connect(): Promise<void> {
    client = await openOwnConnection(
      url,
      "kith notices",
      (fresh) => {
        fresh.on("notification", hear);
        return fresh.query(`listen ${CHANNEL}`);
      },
      () => {
        client = undefined;
        reconnecting = reconnect();
      },
      { isListening: true },
    );
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      try {
        await connect();
        for (const [, listener] of listeners) listener(undefined);
        if (waiting.size > 0) flushSoon();
        return;
      } catch {
        await new Promise((resolve) =>
          setTimeout(resolve, RECONNECT_AFTER_MS).unref(),
        );
      }
    }
  }

  function flush(): void {
    timer = undefined;
    if (!client || isSending) return;
    isSending = true;
    const texts = [...waiting];
    waiting.clear();
    client
      .query(`select pg_notify($1, text) from unnest($2::text[]) as text`, [
        CHANNEL,
        texts,
      ])
      // This connection is broken, but those of the others may not be.
      .catch(notifyGap)
      .finally(() => {
        isSending = false;
        if (waiting.size > 0) flushSoon();
      });
  }

  await connect().catch((error: unknown) => {
    throw postgresUnusable(url, error);
  });
  return {
    notify: (topic, value) => {
      if (isClosed) return;
      const message: Message = { from, topic, ...(value && { value }) };
      waiting.add(JSON.stringify(message));
      if (waiting.size > MAX_WAITING) notifyGap();
      flushSoon();
    },
    listen: (topic, listener) => void listeners.push([topic, listener]),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      if (waiting.size > 0) flush();
      await reconnecting;
      await client?.end();
    },
  };
}

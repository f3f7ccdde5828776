import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import type { DatabaseLocation } from "../open-database.ts";
import { postgresUnusable } from "./open-postgres.ts";
import { openOwnConnection } from "./own-connection.ts";

/**
 * What processes on one PostgreSQL tell each other: that there are new jobs, and
 * what must be forgotten that each keeps in its memory. A notice may get lost
 * with its connection, so nothing may depend on one: the queue is looked at every
 * half second anyway, and after a gap all listeners are called.
 */
export type Notices = {
  /** Tells the others, within moments. After the commit of what it is about. */
  tell(topic: Topic, value?: string): void;
  /** @param listener gets no value where anything may have been missed */
  listen(topic: Topic, listener: (value: string | undefined) => void): void;
  close(): Promise<void>;
};

const TOPICS = [
  /** Jobs were put in. */
  "jobs",
  /** The private keys of this user are gone. */
  "account-keys",
  /** The person of this id has other public keys. */
  "person-keys",
] as const;
export type Topic = (typeof TOPICS)[number];

/** Where there is one process only. */
export function silentNotices(): Notices {
  return { tell: () => {}, listen: () => {}, close: async () => {} };
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
/** Notices of this time go out together, each once: every one of them makes the others look. */
const GATHER_MS = 20;
/** A statement may not hold everything that was ever to be said while there was no connection. */
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

  /** In place of what cannot be said one by one any more: the others may have missed anything. */
  function tellOfGap(): void {
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
      // The connection is gone, but those of the others may not be.
      .catch(tellOfGap)
      .finally(() => {
        isSending = false;
        if (waiting.size > 0) flushSoon();
      });
  }

  await connect().catch((error: unknown) => {
    throw postgresUnusable(url, error);
  });
  return {
    tell: (topic, value) => {
      if (isClosed) return;
      const message: Message = { from, topic, ...(value && { value }) };
      waiting.add(JSON.stringify(message));
      if (waiting.size > MAX_WAITING) tellOfGap();
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

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { compose } from "../../packages/server/src/compose/server.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import { silentLog } from "../../packages/server/src/observability/log.ts";
import { fill, type Filled } from "./fill/fill-timelines.ts";
import { measureMachine } from "./machine.ts";

// Measures the server's own time per request, without that of the client and the socket.

const REQUESTS = 200;
/** V8 optimizes the code of a page after some hundreds of them. */
const WARM_UP = 300;

/** Milliseconds per request: wall clock time, and processor time, which is independent of other programs. */
export type Took = { readonly clock: number; readonly processor: number };
export type Figures = { readonly p50: Took; readonly p95: Took };

export type Started = {
  readonly app: FastifyInstance;
  readonly baseUrl: string;
  /** The server's own time for the last request. */
  readonly last: () => Took;
  readonly close: () => Promise<void>;
};

/** The composed server on a port, as in `kith serve`, but without its worker. */
async function startMeasured(dataDir: string): Promise<Started> {
  const file = path.join(dataDir, "kith.sqlite");
  const db = await openDatabase({ kind: "sqlite", file });
  await migrate(db, systemClock);
  const { config } = readConfig(
    { KITH_DATA_DIR: dataDir, KITH_RATE_LIMITS: "off" },
    {},
  );
  const server = compose({
    ...{ config, db, clock: systemClock, log: silentLog(), version: "0" },
    secretKey: randomBytes(32),
  });
  const app = await server.createApp();
  let before = process.cpuUsage();
  let last: Took = { clock: NaN, processor: NaN };
  app.addHook("onRequest", async () => {
    before = process.cpuUsage();
  });
  app.addHook("onSend", async (_request, reply) => {
    const { user, system } = process.cpuUsage(before);
    last = { clock: reply.elapsedTime, processor: (user + system) / 1000 };
  });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    app,
    baseUrl,
    last: () => last,
    close: async () => {
      await app.close();
      await server.close();
      await db.close();
    },
  };
}

/** Fills a server in a folder of its own with `--posts`, measures it, and removes it. */
export async function measureFilled<T>(
  posts: number,
  measure: (
    kith: Started,
    reader: { readonly token: string; readonly cookie: string },
    filled: Filled,
  ) => Promise<T>,
): Promise<T> {
  if (!Number.isSafeInteger(posts) || posts < 20_000)
    throw new Error("--posts is a number from 20000");
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const kith = await startMeasured(dataDir);
  try {
    const reader = await signUpReader(kith.app);
    const startedAt = performance.now();
    const filled = fill(path.join(dataDir, "kith.sqlite"), posts);
    const seconds = (performance.now() - startedAt) / 1000;
    process.stderr.write(`Filled in ${seconds.toFixed(0)} s\n`);
    return await measure(kith, reader, filled);
  } finally {
    await kith.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The rows of the machine's limits, below figures of so many columns. */
export function machineRows(columns: number): string[][] {
  const rest = Array.from({ length: columns - 2 }, () => "");
  return measureMachine().map(({ name, value }) => [name, value, ...rest]);
}

/** Signs the reader up, who is person 1: with a token, and with the cookie of a session. */
async function signUpReader(
  app: FastifyInstance,
): Promise<{ readonly token: string; readonly cookie: string }> {
  const form = async (url: string, fields: Record<string, string>) =>
    app.inject({
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    });
  const [username, password] = ["reader", "correct horse"];
  const signedUp = await form("/users/sign_up", {
    ...{ username, password, confirm: password },
  });
  if (signedUp.statusCode !== 302)
    throw new Error(`The sign-up answered ${signedUp.statusCode}`);
  const answer = await form("/api/v0/oauth/tokens", {
    ...{ grant_type: "password", client_id: "bench", username, password },
  });
  const signedIn = await form("/users/sign_in", { username, password });
  const cookie = signedIn.cookies
    .map((it) => `${it.name}=${it.value}`)
    .join("; ");
  return { token: answer.json<{ token: string }>().token, cookie };
}

/** @param at the path and query, and the headers of a request that answers 200 */
export async function measureOwnTime(
  { baseUrl, last }: Started,
  at: { readonly path: string; readonly headers: Record<string, string> },
): Promise<Figures> {
  const times: Took[] = [];
  for (let count = -WARM_UP; count < REQUESTS; count += 1) {
    const answer = await fetch(baseUrl + at.path, {
      ...{ headers: at.headers, redirect: "manual" },
    });
    const text = await answer.text();
    if (answer.status !== 200)
      throw new Error(`${at.path} answered ${answer.status}: ${text}`);
    if (count >= 0) times.push(last());
  }
  const take = (part: number): Took => ({
    clock: quantile(
      times.map(({ clock }) => clock),
      part,
    ),
    processor: quantile(
      times.map(({ processor }) => processor),
      part,
    ),
  });
  return { p50: take(0.5), p95: take(0.95) };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

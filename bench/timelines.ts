import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { compose } from "../packages/server/src/compose/server.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { migrate } from "../packages/server/src/db/migrate.ts";
import { openDatabase } from "../packages/server/src/db/open-database.ts";
import { systemClock } from "../packages/server/src/lib/time/clock.ts";
import { silentLog } from "../packages/server/src/observability/log.ts";
import { fill, type Filled } from "./kit/fill-timelines.ts";
import { measureMachine } from "./kit/machine.ts";
import { writeResults } from "./kit/results.ts";

const POSTS = 1_000_000;
const REQUESTS = 200;
const WARM_UP = 30;
const TARGET_MS = 10;

/** A request, and whether it has a target. */
type Case = { readonly name: string; readonly path: string };
/** Milliseconds per request: wall clock time, and processor time, which is independent of other programs. */
type Took = { readonly clock: number; readonly processor: number };
type Figures = { readonly p50: Took; readonly p95: Took };

/** Measures the server's own time per request, with a full database. */
export async function benchTimelines(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const posts = Number(options.get("posts") ?? POSTS);
  if (!Number.isSafeInteger(posts) || posts < 20_000)
    throw new Error("--posts is a number from 20000");
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const kith = await start(dataDir);
  try {
    const token = await signUp(kith.app);
    const startedAt = performance.now();
    const filled = fill(path.join(dataDir, "kith.sqlite"), posts);
    const seconds = (performance.now() - startedAt) / 1000;
    process.stderr.write(`Filled in ${seconds.toFixed(0)} s\n`);
    const rows = await measureAll(kith, token, filled);
    writeResults({
      name: "timelines",
      options: posts === POSTS ? "" : ` --posts=${posts}`,
      head: [
        "",
        ...["p50", "p95", "processor p50", "processor p95"],
        ...["× baseline", "target p95"],
      ],
      rows: [
        ...rows,
        ...measureMachine().map(({ name, value }) => [
          name,
          value,
          ...["", "", "", "", ""],
        ]),
      ],
    });
  } finally {
    await kith.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Started = {
  readonly app: FastifyInstance;
  readonly baseUrl: string;
  /** The server's own time for the last request. */
  readonly last: () => Took;
  readonly close: () => Promise<void>;
};

/** The composed server on a port, as in `kith serve`, but without its worker. */
async function start(dataDir: string): Promise<Started> {
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
  const app = server.createApp();
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

/** @returns the token of the reader, person 1 */
async function signUp(app: FastifyInstance): Promise<string> {
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
  return answer.json<{ token: string }>().token;
}

async function measureAll(
  kith: Started,
  token: string,
  filled: Filled,
): Promise<string[][]> {
  const plain = `/posts/${filled.plainGuid}`;
  const baseline = await measure(kith, token, plain);
  const rows: string[][] = [
    toRow("GET /posts/:id, the baseline", baseline, baseline, ""),
  ];
  for (const { name, path: wanted } of casesOf(filled)) {
    const figures = await measure(kith, token, wanted);
    rows.push(toRow(name, figures, baseline, `${TARGET_MS} ms`));
    process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
  }
  return rows;
}

function casesOf({ crowdedGuid, authorGuid }: Filled): Case[] {
  const streams = [0, 1, 2].flatMap((visibility) =>
    [0, 1000].map((offset) => ({
      name: `GET /posts, visibility ${visibility}, offset ${offset}`,
      path: `/posts?visibility=${visibility}&offset=${offset}`,
    })),
  );
  const person = `/people/${encodeURIComponent(authorGuid)}/stream`;
  return [
    ...streams,
    {
      name: "GET /posts, visibility 0, offset 10000",
      path: "/posts?offset=10000",
    },
    { name: "the same, offset 99999", path: "/posts?offset=99999" },
    { name: "the same, offset 2^53 - 1", path: `/posts?offset=${2 ** 53 - 1}` },
    { name: "GET /people/:id/stream", path: person },
    { name: "GET /notifications", path: "/notifications" },
    {
      name: "GET /notifications, unread, offset 100",
      path: "/notifications?unread=true&offset=100",
    },
    {
      name: "GET /posts/:id with 10000 comments, likes, reshares",
      path: `/posts/${crowdedGuid}`,
    },
    {
      name: "its comments, offset 9990",
      path: `/posts/${crowdedGuid}/comments?offset=9990`,
    },
    { name: "its likes", path: `/posts/${crowdedGuid}/likes` },
    { name: "its reshares", path: `/posts/${crowdedGuid}/reshares` },
  ];
}

async function measure(
  { baseUrl, last }: Started,
  token: string,
  wanted: string,
): Promise<Figures> {
  const times: Took[] = [];
  for (let count = -WARM_UP; count < REQUESTS; count += 1) {
    const answer = await fetch(`${baseUrl}/api/v0${wanted}`, {
      headers: { access_token: token },
    });
    const text = await answer.text();
    if (answer.status !== 200)
      throw new Error(`${wanted} answered ${answer.status}: ${text}`);
    if (count >= 0) times.push(last());
  }
  const at = (part: number): Took => ({
    clock: quantile(
      times.map(({ clock }) => clock),
      part,
    ),
    processor: quantile(
      times.map(({ processor }) => processor),
      part,
    ),
  });
  return { p50: at(0.5), p95: at(0.95) };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

function toRow(
  name: string,
  { p50, p95 }: Figures,
  baseline: Figures,
  target: string,
): string[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const ratio = (p50.processor / baseline.p50.processor).toFixed(1);
  const byClock = [ms(p50.clock), ms(p95.clock)];
  const byProcessor = [ms(p50.processor), ms(p95.processor)];
  return [name, ...byClock, ...byProcessor, ratio, target];
}

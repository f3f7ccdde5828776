import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "node:test";
import pg from "pg";
import {
  killPostgres,
  promote,
  startPostgresPair,
} from "../../scripts/testing/test-postgres-standby.ts";
import { ApiClient, type Json } from "../support/api-client.ts";
import { getWholeList } from "../support/conversation.ts";
import { spawnKith } from "../support/kith-command.ts";
import { eventually } from "../support/kith-process.ts";
import { MovingDoor } from "./moving-door.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const WRITERS = ["ann", "bob", "eve"] as const;
const BEFORE_MS = 2_000;
const AFTER_MS = 2_000;
const BACK_WITHIN_MS = 10_000;

/** The texts of a writer, and whether each was acknowledged. */
type Sent = Map<string, boolean>;

describe("PostgreSQL fails over to its synchronous standby", () => {
  test("nothing acknowledged is lost or doubled, and Kith is back within ten seconds", async () => {
    const { primary, standby } = await startPostgresPair();
    const door = await MovingDoor.open(portOf(primary.url));
    const dataDir = mkdtempSync(path.join(tmpdir(), "kith-failover-"));
    const port = await findFreePort();
    const baseUrl = `http://localhost:${port}`;
    await createDatabase(primary.url);
    const kith = spawnKith(["serve", "--processes", "2"], {
      KITH_DATABASE_URL: databaseUrl(primary.url, door.port),
      KITH_DATA_DIR: dataDir,
      KITH_BASE_URL: baseUrl,
      KITH_RATE_LIMITS: "off",
    });
    const ended = once(kith, "exit");
    kith.stdout?.resume();
    kith.stderr?.resume();
    let isOver = false;
    try {
      await eventually(async () => {
        assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
      });
      const clients = await Promise.all(
        WRITERS.map((name) => ApiClient.signUp(baseUrl, name)),
      );
      let answeredAt = 0;
      const writing = clients.map((client, index) =>
        write(client, WRITERS[index] ?? "", {
          isOver: () => isOver,
          noteAnswer: () => (answeredAt = performance.now()),
        }),
      );
      await sleep(BEFORE_MS);
      assert.ok(answeredAt > 0);
      killPostgres(primary);
      await promote(standby);
      const promotedAt = performance.now();
      door.moveTo(portOf(standby.url));
      await eventually(async () => {
        assert.ok(answeredAt > promotedAt);
      }, BACK_WITHIN_MS);
      await sleep(AFTER_MS);
      isOver = true;
      const sent = await Promise.all(writing);
      for (const [index, client] of clients.entries())
        await judge(client, sent[index] ?? new Map<string, boolean>());
      // Scheduled work goes on, too.
      await eventually(async () => {
        assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
        assert.equal(await countDueJobs(standby.url), 0);
      });
      assert.equal(kith.exitCode, null);
    } finally {
      // Also after a failure: writers go on otherwise, and the test with them.
      isOver = true;
      kith.kill("SIGTERM");
      await ended;
      await door.close();
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

async function write(
  client: ApiClient,
  name: string,
  { isOver, noteAnswer }: { isOver: () => boolean; noteAnswer: () => void },
): Promise<Sent> {
  const sent: Sent = new Map();
  for (let number = 1; !isOver(); number += 1) {
    const text = `${name} ${number}`;
    sent.set(text, false);
    try {
      await client.post("/posts", { post: text, aspectID: "0" });
      sent.set(text, true);
      noteAnswer();
    } catch {
      await sleep(100);
    }
  }
  return sent;
}

/** An unanswered post may be there or not, but not twice. */
async function judge(client: ApiClient, sent: Sent): Promise<void> {
  const list: Json[] = await getWholeList(client, "/posts");
  const seen = Map.groupBy(list, ({ Text }) => String(Text));
  const wrong = [...sent].filter(([text, isAcknowledged]) => {
    const count = seen.get(text)?.length ?? 0;
    return count > 1 || (isAcknowledged && count === 0);
  });
  assert.deepEqual(wrong, []);
  const acknowledged = [...sent.values()].filter(Boolean).length;
  assert.ok(acknowledged > 10, `${acknowledged} of ${sent.size}`);
}

const portOf = (url: string): number => Number(new URL(url).port);

function databaseUrl(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  changed.pathname = "/kith";
  return changed.href;
}

async function createDatabase(url: string): Promise<void> {
  await query(url, "create database kith");
}

async function countDueJobs(url: string): Promise<number> {
  const [row] = await query(
    databaseUrl(url, portOf(url)),
    `select count(*)::int as count from jobs
     where state = 'ready' and kind in ('fan-out', 'notify')`,
  );
  return Number(row?.["count"]);
}

async function query(url: string, sql: string): Promise<Json[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Json>(sql)).rows;
  } finally {
    await client.end();
  }
}

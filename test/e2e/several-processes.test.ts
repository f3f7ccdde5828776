import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, get, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { after, before, describe, test } from "node:test";
import { ApiClient } from "../support/api-client.ts";
import { runKith, settingsFor } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { createTestDatabase } from "../../packages/server/test/support/server/databases.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const run = promisify(execFile);

/** A request over a connection of its own, so that any of the processes may get it. */
async function call(
  url: string,
  body?: Record<string, string>,
): Promise<number> {
  const response = await fetch(url, {
    headers: { connection: "close" },
    ...(body && { method: "POST", body: new URLSearchParams(body) }),
  });
  await response.text();
  return response.status;
}

/** One of many over few connections. */
function getOver(agent: Agent, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    }).once("error", reject);
  });
}

const PICTURE = readFileSync(
  new URL("../../packages/server/assets/icon-512.png", import.meta.url),
);
const SLOW_PARTS = 12;

/** Takes longer than the requests that a stop still waits for. */
function uploadSlowly(
  url: string,
  token: string,
  durationMs = 6_000,
): Promise<string> {
  const boundary = "part";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="slow.png"\r\ncontent-type: image/png\r\n\r\n`;
  const size = Math.ceil(PICTURE.length / SLOW_PARTS);
  return new Promise((resolve, reject) => {
    const upload = request(url, {
      method: "POST",
      headers: {
        access_token: token,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
    });
    upload.once("error", reject).once("response", (response) => {
      text(response).then(resolve, reject);
    });
    const send = async (): Promise<void> => {
      upload.write(head);
      for (let at = 0; at < PICTURE.length; at += size) {
        upload.write(PICTURE.subarray(at, at + size));
        await sleep(durationMs / SLOW_PARTS);
      }
      upload.end(`\r\n--${boundary}--\r\n`);
    };
    send().catch(reject);
  });
}

describe("kith serve in several processes", () => {
  let kith: KithProcess;
  let metricsPort: number;

  before(async () => {
    metricsPort = await findFreePort();
    kith = await KithProcess.start({
      database: "postgres",
      protocols: "activitypub,diaspora",
      settings: {
        KITH_PROCESSES: "2",
        KITH_METRICS_PORT: String(metricsPort),
        KITH_RATE_LIMITS: "1",
      },
    });
    // It answers as soon as the first of them listens.
    await eventually(async () => assert.equal((await children()).length, 2));
  });
  after(() => kith.remove());

  async function children(): Promise<number[]> {
    const list = await run("ps", ["-o", "pid=", "--ppid", String(kith.pid)]);
    return list.stdout.trim().split(/\s+/).map(Number).sort();
  }

  const operations = (path: string) =>
    fetch(`http://127.0.0.1:${metricsPort}${path}`);

  test("the metrics of all are served as one", async () => {
    await eventually(async () => {
      const metrics = await (await operations("/metrics")).text();
      for (const name of ["1", "2"])
        assert.match(
          metrics,
          new RegExp(
            `^kith_database_query_seconds_count\\{process="${name}"\\} `,
            "m",
          ),
        );
      const headings = metrics.match(/^# TYPE kith_database_query_seconds /gm);
      assert.equal(headings?.length, 1);
    });
    assert.equal((await operations("/readyz")).status, 200);
  });

  test("wrong passwords are counted together", async () => {
    await ApiClient.signUp(kith.baseUrl, "guessed");
    const guess = () =>
      call(`${kith.baseUrl}/api/v0/oauth/tokens`, {
        ...{ grant_type: "password", client_id: "test" },
        ...{ username: "guessed", password: "wrong password" },
      });
    // The limit is 20, and the others hear of a guess within moments; each alone would allow 20.
    let guesses = 0;
    do {
      guesses += 1;
      assert.ok(guesses <= 30, `none of ${guesses} guesses was refused`);
      await sleep(50);
    } while ((await guess()) !== 429);
    await sleep(500);
    for (let tries = 0; tries < 10; tries += 1)
      assert.equal(await guess(), 429);
  });

  test("a killed process is started again, and the other one serves meanwhile", async () => {
    const [first = 0, second] = await children();
    process.kill(first, "SIGKILL");
    await eventually(async () => assert.equal((await children()).length, 1));
    assert.equal(await call(`${kith.baseUrl}/healthz`), 200);
    assert.equal((await operations("/readyz")).status, 200);
    await eventually(async () => {
      const now = await children();
      assert.ok(now.length === 2 && now.includes(second ?? 0), String(now));
    });
    assert.match(kith.output, /Process \d has ended \(SIGKILL\)/);
  });

  test("all are replaced at SIGHUP without a failed request", async () => {
    const old = await children();
    process.kill(kith.pid, "SIGHUP");
    let calls = 0;
    await eventually(async () => {
      assert.equal(await call(`${kith.baseUrl}/healthz`), 200);
      calls += 1;
      const now = await children();
      const areNew = now.every((pid) => !old.includes(pid));
      assert.ok(areNew && now.length === 2, String(now));
    });
    assert.ok(calls > 1);
  });

  test("a slow upload and busy connections outlive being replaced", async () => {
    const client = await ApiClient.signUp(kith.baseUrl, "uploader");
    const old = await children();
    const upload = uploadSlowly(`${kith.baseUrl}/api/v0/photos`, client.token);
    await sleep(300);
    process.kill(kith.pid, "SIGHUP");
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const busy = Array.from({ length: 8 }, async () => {
      let answers = 0;
      for (; !(await areReplaced(old)); answers += 20)
        for (let n = 0; n < 20; n += 1)
          assert.equal(await getOver(agent, `${kith.baseUrl}/healthz`), 200);
      return answers;
    });
    const answers = await Promise.all(busy);
    agent.destroy();
    assert.ok(answers.every((count) => count > 0));
    assert.match(await upload, /"ID":/);
  });

  async function areReplaced(old: readonly number[]): Promise<boolean> {
    const now = await children();
    return now.length === 2 && now.every((pid) => !old.includes(pid));
  }

  test("they end with the process that started them", async () => {
    const pids = await children();
    assert.equal(await kith.stop(), 0);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0));
    await kith.start();
    await eventually(async () => assert.equal((await children()).length, 2));
    const others = await children();
    await kith.kill();
    await eventually(async () => {
      for (const pid of others) assert.throws(() => process.kill(pid, 0));
    });
  });

  test("one that is being replaced still ends within seconds of a signal", async () => {
    const earlier = kith.output.length;
    await kith.start();
    await eventually(async () =>
      assert.match(kith.output.slice(earlier), /Press Ctrl-C/),
    );
    const client = await ApiClient.signUp(kith.baseUrl, "hasty");
    const upload = uploadSlowly(
      `${kith.baseUrl}/api/v0/photos`,
      client.token,
      60_000,
    );
    const cut = assert.rejects(upload, { code: "ECONNRESET" });
    await sleep(300);
    process.kill(kith.pid, "SIGHUP");
    // The one with the upload is waited for, whichever of the two it is.
    await eventually(async () => assert.equal((await children()).length, 3));
    await sleep(3_000);
    const startedMs = performance.now();
    assert.equal(await kith.stop(), 0);
    assert.ok(performance.now() - startedMs < 9_000);
    await cut;
  });
});

test("a failure at the start of the first process is said once, and ends all", async () => {
  const { code, complaint } = await runKith(["serve", "--processes", "2"], {
    KITH_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    KITH_DATA_DIR: "/nowhere/kith",
    KITH_SECRET_KEY: "0".repeat(64),
  });
  assert.equal(code, 1);
  assert.equal(complaint.trim().split("\n").length, 1, complaint);
});

test("SQLite allows one process", async () => {
  const database = await createTestDatabase("sqlite");
  try {
    const { code, complaint } = await runKith(
      ["serve", "--processes", "2"],
      settingsFor(database),
    );
    assert.equal(code, 2);
    assert.match(complaint, /Several processes .* need PostgreSQL/);
  } finally {
    await database.remove();
  }
});

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import {
  createTestDatabase,
  TESTED_DATABASE_KINDS,
} from "../../packages/server/test/support/server/databases.ts";
import { settingsFor, spawnKith } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** The limit of a request: a server that waited for the client would wait for a minute. */
const STOP_WITHIN_MS = 30_000;

describe("stopping", () => {
  for (const database of TESTED_DATABASE_KINDS)
    test(`Ctrl-C ends cleanly, also where a client never ends its request (${database})`, async () => {
      const kith = await KithProcess.start({ database, protocols: "diaspora" });
      try {
        const keptAlive = await fetch(`${kith.baseUrl}/`);
        assert.equal(keptAlive.status, 200);
        const slow = connect(kith.port, "127.0.0.1");
        const cut = once(slow, "close");
        slow.on("error", () => {});
        await once(slow, "connect");
        slow.write(
          "POST /receive/public HTTP/1.1\r\nhost: localhost\r\n" +
            "content-type: application/xml\r\ncontent-length: 1000\r\n\r\n<half",
        );
        const answer = await fetch(`${kith.baseUrl}/`);
        assert.equal(answer.status, 200, "the half request has been taken");
        const startedAt = performance.now();
        assert.equal(await kith.stop(), 0, kith.output);
        assert.ok(performance.now() - startedAt < STOP_WITHIN_MS);
        await cut;
        await kith.start();
        assert.equal((await fetch(`${kith.baseUrl}/`)).status, 200);
      } finally {
        await kith.remove();
      }
    });

  test("a separate worker exits cleanly, too", async () => {
    const database = await createTestDatabase("postgres");
    const worker = spawnKith(["worker"], settingsFor(database));
    assert.ok(worker.stdout);
    const [said] = (await once(worker.stdout, "data")) as [Buffer];
    assert.match(said.toString(), /works off its queue.*Ctrl-C/);
    const exited = once(worker, "exit");
    worker.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
    await database.remove();
  });
});

describe("npm start", () => {
  test("prints address and next step; Ctrl-C ends it cleanly, although npm sends it twice", async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "kith-test-"));
    const port = await findFreePort();
    // Its own process group, as in a terminal: Ctrl-C goes to all processes in it.
    const npm = spawn("npm", ["start"], {
      cwd: ROOT,
      detached: true,
      env: {
        ...process.env,
        KITH_PORT: String(port),
        KITH_DATA_DIR: dataDir,
        KITH_LOG_LEVEL: "warn",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [npm.stdout, npm.stderr])
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    const exited = once(npm, "exit");
    try {
      await eventually(async () => assert.match(printed, /Ctrl-C/));
      assert.match(printed, new RegExp(`Kith is at http://localhost:${port}`));
      assert.match(printed, /http:\/\/localhost:\d+\/setup/);
      assert.ok(npm.pid !== undefined);
      process.kill(-npm.pid, "SIGINT");
      // The code is npm's own: some versions return 0, some 130.
      await exited;
      await eventually(async () => {
        assert.match(printed, /Kith has stopped\."\}\n$/);
      });
      assert.doesNotMatch(printed, /error/i);
    } finally {
      endGroup(npm);
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All processes have exited.
  }
}

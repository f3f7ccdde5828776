import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { isMigrated } from "../../src/db/migrate.ts";
import { createReadiness } from "../../src/http/readiness.ts";
import { createLog } from "../../src/observability/log.ts";
import {
  forEachDatabase,
  openTestDatabase,
} from "../support/server/databases.ts";
import {
  startKith,
  useKith,
  type KithServer,
} from "../support/server/kith-server.ts";

const RUNS = { isRunning: () => true };

async function ask(kith: KithServer, path: string) {
  const answer = await fetch(kith.baseUrl + path);
  return { status: answer.status, text: await answer.text(), answer };
}

forEachDatabase((kind) => {
  describe("health over HTTP", () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const kith = useKith(kind, {
      log: createLog("info", (line) => line, { write }),
    });

    test("/healthz and /readyz answer anyone, without a cookie, and are not cached", async () => {
      lines.length = 0;
      for (const path of ["/healthz", "/readyz"]) {
        const { status, text, answer } = await ask(kith(), path);
        assert.deepEqual([status, text], [200, "ok\n"], path);
        assert.equal(answer.headers.get("set-cookie"), null);
        assert.equal(answer.headers.get("cache-control"), "no-store");
      }
      assert.deepEqual(lines, [], "nothing is logged at info");
    });

    test("/readyz says in a few words when a step of the schema is missing; /healthz does not mind", async () => {
      const fresh = await startKith(kind);
      try {
        await fresh.db.transaction((tx) =>
          sql`delete from schema_migrations where number = 1`.execute(tx),
        );
        const { status, text } = await ask(fresh, "/readyz");
        assert.equal(status, 503);
        assert.equal(text, "the database is not up to date\n");
        assert.equal((await ask(fresh, "/healthz")).status, 200);
      } finally {
        await fresh.close();
      }
    });
  });

  describe("readiness", () => {
    test("needs a database that answers", async () => {
      const { db, close } = await openTestDatabase(kind);
      const whileOpen = createReadiness({
        isDatabaseReady: () => isMigrated(db.read),
        worker: RUNS,
      });
      assert.equal(await whileOpen(), undefined);
      await close();
      const afterwards = createReadiness({
        isDatabaseReady: () => isMigrated(db.read),
        worker: RUNS,
      });
      assert.equal(await afterwards(), "the database cannot be reached");
    });

    test("needs a worker that runs, where the process has one, and ends with the process", async () => {
      const { db, close } = await openTestDatabase(kind);
      const worker = { isRunning: () => false };
      assert.match(
        (await createReadiness({
          isDatabaseReady: () => isMigrated(db.read),
          worker,
        })()) ?? "",
        /worker/,
      );
      assert.equal(
        await createReadiness({ isDatabaseReady: () => isMigrated(db.read) })(),
        undefined,
      );
      let isStopping = false;
      const ends = createReadiness({
        isDatabaseReady: () => isMigrated(db.read),
        isStopping: () => isStopping,
      });
      assert.equal(await ends(), undefined);
      isStopping = true;
      assert.equal(await ends(), "stopping");
      await close();
    });
  });
});

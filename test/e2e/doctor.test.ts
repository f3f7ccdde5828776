import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
} from "node:http";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { kindsInTime } from "../support/long-run.ts";
import { ApiClient } from "../support/api-client.ts";
import { runKith, type Settings } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

type Finding = {
  check: string;
  state: string;
  says: string;
  advice: string | null;
};

/** A proxy's changes to requests and responses. */
type Mangle = {
  toServer?: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders;
  toClient?: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders;
  /** Of a body; it refuses larger ones, as nginx does by default. */
  maxBytes?: number;
};

/** A reverse proxy in front of a server. */
class Proxy {
  readonly port: number;
  mangle: Mangle = {};
  target = 0;
  readonly #server: Server;

  static async start(): Promise<Proxy> {
    const proxy = new Proxy(await findFreePort());
    proxy.#server.listen(proxy.port, "localhost");
    await once(proxy.#server, "listening");
    return proxy;
  }

  private constructor(port: number) {
    this.port = port;
    this.#server = createServer((incoming, response) => {
      const { toServer, toClient, maxBytes = Infinity } = this.mangle;
      if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) {
        response.writeHead(413, { "content-type": "text/html" }).end("<h1>");
        incoming.resume();
        return;
      }
      const outgoing = request(
        {
          port: this.target,
          host: "127.0.0.1",
          method: incoming.method,
          path: incoming.url,
          headers: toServer?.(incoming.headers) ?? incoming.headers,
        },
        (answer) => {
          const headers = toClient?.(answer.headers) ?? answer.headers;
          response.writeHead(answer.statusCode ?? 500, headers);
          answer.pipe(response);
        },
      );
      outgoing.on("error", () => response.writeHead(502).end());
      incoming.pipe(outgoing);
    });
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Whether the database writes through to the disk. */
async function flushes({ KITH_DATABASE_URL: url }: Settings): Promise<boolean> {
  if (url === undefined) return true;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ fsync: string }>("show fsync");
  await client.end();
  return rows[0]?.fsync === "on";
}

describe("kith doctor", { concurrency: false }, () => {
  for (const database of kindsInTime("postgres"))
    describe(database, () => {
      let proxy: Proxy;
      let kith: KithProcess;
      let settings: Settings;
      /** A PostgreSQL for tests may have fsync off: then doctor must report that, too. */
      let durability: "ok" | "failed";
      before(async () => {
        proxy = await Proxy.start();
        const base = `http://localhost:${proxy.port}`;
        kith = await KithProcess.start({
          database,
          protocols: "activitypub,diaspora",
          settings: { KITH_BASE_URL: base },
        });
        proxy.target = kith.port;
        settings = { ...kith.settings, KITH_BASE_URL: base };
        await ApiClient.signUp(kith.baseUrl, "ann");
        durability = (await flushes(settings)) ? "ok" : "failed";
      });
      after(async () => {
        await proxy.close();
        await kith.remove();
      });

      async function examine(
        mangle: Mangle = {},
        more: Settings = {},
      ): Promise<{ code: number | null; byCheck: Map<string, Finding> }> {
        proxy.mangle = mangle;
        const ended = await runKith(["doctor", "--json"], {
          ...settings,
          ...more,
        });
        const said = JSON.parse(ended.output) as {
          ok: boolean;
          findings: Finding[];
        };
        assert.equal(said.ok, ended.code === 0, ended.complaint);
        const byCheck = new Map(said.findings.map((one) => [one.check, one]));
        return { code: ended.code, byCheck };
      }

      function assertFailed(
        byCheck: ReadonlyMap<string, Finding>,
        checks: readonly string[],
        says: RegExp,
      ): void {
        const found = [...byCheck.values()].filter(
          ({ check, state }) =>
            state === "failed" && check !== "database durability",
        );
        assert.deepEqual(
          found.map(({ check }) => check),
          checks,
        );
        for (const finding of found) {
          assert.match(finding.says, says);
          assert.ok(finding.advice, "it says what to do");
        }
      }

      test("finds no problem with a healthy server", async () => {
        const { code, byCheck } = await examine();
        const isWell = durability === "ok";
        assert.equal(
          code,
          isWell ? 0 : 1,
          JSON.stringify([...byCheck.values()]),
        );
        if (!isWell)
          assert.match(
            byCheck.get("database durability")?.says ?? "",
            /power cut.*fsync is off/,
          );
        const states = [...byCheck].map(([check, { state }]) => [check, state]);
        assert.deepEqual(Object.fromEntries(states), {
          disk: byCheck.get("disk")?.state,
          files: "ok",
          "base URL": "warning",
          "base URL's name": "ok",
          "base URL's answer": "ok",
          clock: "ok",
          certificate: "skipped",
          backups: "skipped",
          mail: "skipped",
          uploads: "skipped",
          "host of files": "skipped",
          "database schema": "ok",
          "database writing": "ok",
          "database durability": durability,
          queue: "ok",
          "secret key": "ok",
          leftovers: "ok",
          "base URL's server": "ok",
          webfinger: "ok",
          actor: "ok",
          "delivery (draft-cavage)": "ok",
          "delivery (RFC 9421)": "ok",
          "body limit": "ok",
        });
        const words = await runKith(["doctor"], settings);
        assert.equal(words.code, code);
        assert.match(words.output, /^ok {7}queue: \d+ jobs are waiting, none/m);
        assert.match(words.output, /^WARNING {2}base URL: .*\n {9}Before/m);
      });

      test("finds a proxy that changes signed parts", async () => {
        const { code, byCheck } = await examine({
          toServer: (headers) => ({ ...headers, host: "inside.example" }),
        });
        assert.equal(code, 1);
        const deliveries = ["delivery (draft-cavage)"];
        assert.equal(byCheck.get(deliveries[0] ?? "")?.state, "failed");
        assert.match(
          byCheck.get(deliveries[0] ?? "")?.advice ?? "",
          /Host header/,
        );
      });

      test("finds a proxy that changes content types", async () => {
        const { code, byCheck } = await examine({
          toClient: (headers) => ({ ...headers, "content-type": "text/html" }),
        });
        assert.equal(code, 1);
        assertFailed(
          byCheck,
          ["webfinger", "actor"],
          /content type text\/html/,
        );
      });

      test("finds a proxy that refuses large photos", async () => {
        const { code, byCheck } = await examine({ maxBytes: 1024 * 1024 });
        assert.equal(code, 1);
        assertFailed(byCheck, ["body limit"], /refuses a body of 40 MiB/);
      });

      test("finds that there is no backup, or that it is old", async () => {
        const folder = `${kith.dataDir}-backups`;
        const more = { KITH_BACKUP_DIR: folder };
        try {
          assertFailed(
            (await examine({}, more)).byCheck,
            ["backups"],
            /no whole backup in/,
          );
          const made = await runKith(["backup", folder], settings);
          assert.equal(made.code, 0, made.complaint);
          const { byCheck } = await examine({}, more);
          assert.equal(byCheck.get("backups")?.state, "ok");
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });

      test("finds a wrong clock", async () => {
        const { code, byCheck } = await examine({
          toClient: (headers) => ({
            ...headers,
            date: new Date(Date.now() - 120_000).toUTCString(),
          }),
        });
        assert.equal(code, 1);
        assertFailed(byCheck, ["clock"], /differ by 1(19|20|21) s/);
      });

      test("finds that another server answers", async () => {
        const other = await KithProcess.start({
          database: "sqlite",
          protocols: "activitypub",
          settings: { KITH_BASE_URL: settings["KITH_BASE_URL"] ?? "" },
        });
        proxy.target = other.port;
        try {
          const { code, byCheck } = await examine();
          assert.equal(code, 1);
          const finding = byCheck.get("base URL's server");
          assert.equal(finding?.state, "failed");
          assert.match(finding?.says ?? "", /Another server/);
        } finally {
          proxy.target = kith.port;
          await other.remove();
        }
      });

      test("finds a queue without a worker, and changes nothing", async () => {
        const location =
          settings["KITH_DATABASE_URL"] === undefined
            ? ({
                kind: "sqlite",
                file: `${kith.dataDir}/kith.sqlite`,
              } as const)
            : ({
                kind: "postgres",
                url: settings["KITH_DATABASE_URL"],
              } as const);
        const db = await openDatabase(location);
        try {
          await db.transaction((tx) =>
            tx
              .insertInto("jobs")
              .values({
                kind: "of-nobody",
                pool: "work",
                payload: "{}",
                state: "ready",
                attempts: 0,
                run_at: "2026-01-01T00:00:00.000Z",
                created_at: "2026-01-01T00:00:00.000Z",
              })
              .execute(),
          );
          const { code, byCheck } = await examine();
          assert.equal(code, 1);
          assertFailed(byCheck, ["queue"], /due for \d+ minutes/);
          const left = await db.read
            .selectFrom("jobs")
            .select("id")
            .where("kind", "=", "of-nobody")
            .execute();
          assert.equal(left.length, 1);
          await db.transaction((tx) =>
            tx
              .updateTable("jobs")
              .set({ state: "dead", died_at: "2026-01-01T00:00:00.000Z" })
              .where("kind", "=", "of-nobody")
              .execute(),
          );
          const queue = (await examine()).byCheck.get("queue");
          assert.equal(queue?.state, "warning");
          assert.match(
            queue.says,
            /1 jobs are dead, the oldest since 2026-01-01\. They are removed after 30 days/,
          );
        } finally {
          await db.transaction((tx) =>
            tx.deleteFrom("jobs").where("kind", "=", "of-nobody").execute(),
          );
          await db.close();
        }
      });

      test("finds a stopped server, and runs the other checks", async () => {
        await kith.stop();
        const { code, byCheck } = await examine({}, {});
        assert.equal(code, 1);
        assertFailed(byCheck, ["base URL's answer"], /502/);
        assert.equal(byCheck.get("database durability")?.state, durability);
        assert.equal(byCheck.get("federation")?.state, "skipped");
        await kith.start();
      });

      test("finds a missing database", async () => {
        const missing: Settings =
          database === "sqlite"
            ? { KITH_DATA_DIR: `${kith.dataDir}/elsewhere` }
            : { KITH_DATABASE_URL: "postgres://localhost:9/kith" };
        const { code, byCheck } = await examine({}, missing);
        assert.equal(code, 1);
        const isSqlite = database === "sqlite";
        assertFailed(
          byCheck,
          isSqlite ? ["disk", "database"] : ["database"],
          /no (data directory|database) at|cannot be used/,
        );
        if (isSqlite)
          assert.match(byCheck.get("disk")?.advice ?? "", /KITH_DATA_DIR/);
        assert.equal(byCheck.get("base URL's answer")?.state, "ok");
      });
    });
});

import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { createKeySeal } from "../../packages/server/src/features/accounts/index.ts";
import {
  type Ended,
  runKith,
  settingsFor,
  type Settings,
} from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const FAILED = 1;
const OTHER = "0b".repeat(32);
const MODE = 0o777;

type Finding = { check: string; state: string; says: string };

forEachDatabase((kind) => {
  describe("the secret key", { concurrency: false }, () => {
    let database: TestDatabase;
    let settings: Settings;
    let file: string;
    /** The content of the file. */
    let right: string;
    before(async () => {
      database = await createReadyDatabase(kind);
      file = path.join(database.dataDir, "secret.key");
      const port = String(await findFreePort());
      settings = { ...settingsFor(database), KITH_PORT: port };
    });
    after(() => database.remove());

    const list = (more: Settings = {}): Promise<Ended> =>
      runKith(["account", "list"], { ...settings, ...more });

    /** Every command that uses the keys refuses to start, with one sentence, and changes nothing. */
    async function assertRefused(says: RegExp, more: Settings = {}) {
      const before = await listStored();
      for (const command of [["serve"], ["account", "create", "bob"]]) {
        const ended = await runKith(command, { ...settings, ...more }, "x\n");
        assert.equal(ended.code, FAILED, ended.complaint);
        assert.match(ended.complaint, /^kith: [^\n]+\n$/);
        assert.match(ended.complaint, says);
        assert.match(ended.complaint, /Put back the right one.*Secrets/);
        assert.ok(!ended.complaint.includes(OTHER.slice(0, 8)));
        assert.equal(ended.output, "");
      }
      assert.deepEqual(await listStored(), before);
    }

    async function examine(more: Settings = {}): Promise<Finding | undefined> {
      const all = { ...settings, ...more };
      const { output, complaint } = await runKith(["doctor", "--json"], all);
      assert.notEqual(output, "", complaint);
      const { findings } = JSON.parse(output) as { findings: Finding[] };
      return findings.find(({ check }) => check === "secret key");
    }

    async function listStored() {
      const db = await openDatabase(database.location);
      const rows = await db.read.selectFrom("user_keys").selectAll().execute();
      await db.close();
      return rows;
    }

    /** In their old, unsealed form. */
    async function storeInTheClear(): Promise<string[]> {
      const seal = createKeySeal(Buffer.from(right, "hex"));
      const pems: string[] = [];
      const db = await openDatabase(database.location);
      await db.transaction(async (tx) => {
        for (const row of await tx
          .selectFrom("user_keys")
          .selectAll()
          .execute()) {
          const pemOf = (stored: string, of: "rsa" | "ed25519"): string => {
            const owner = { userId: row.user_id, kind: of };
            const key = seal.open(stored, owner);
            return String(key.export({ type: "pkcs8", format: "pem" }));
          };
          const clear = {
            rsa_private_key: pemOf(row.rsa_private_key, "rsa"),
            ed25519_private_key: pemOf(row.ed25519_private_key, "ed25519"),
          };
          pems.push(...Object.values(clear));
          await tx
            .updateTable("user_keys")
            .set(clear)
            .where("user_id", "=", row.user_id)
            .execute();
        }
      });
      await db.close();
      return pems;
    }

    test("is created once at the first start, readable only by its owner", async () => {
      const created = await Promise.all(
        ["ann", "ada", "amy"].map((name) =>
          runKith(["account", "create", name], settings, "correct horse\n"),
        ),
      );
      for (const { code, complaint } of created)
        assert.equal(code, 0, complaint);
      right = readFileSync(file, "utf8").trim();
      assert.match(right, /^[0-9a-f]{64}$/);
      assert.equal(statSync(file).mode & MODE, 0o600);
      const left = readdirSync(database.dataDir);
      assert.deepEqual(
        left.filter((name) => name.startsWith("secret")),
        ["secret.key"],
      );
      const seal = createKeySeal(Buffer.from(right, "hex"));
      const rows = await listStored();
      assert.equal(rows.length, 3);
      for (const row of rows) {
        const owner = { userId: row.user_id, kind: "rsa" } as const;
        assert.equal(seal.open(row.rsa_private_key, owner).type, "private");
      }
      assert.equal((await examine())?.state, "ok");
    });

    test("must be the same one", async () => {
      const says = /The secret key in .*secret\.key is not the one with which/;
      writeFileSync(file, `${OTHER}\n`);
      await assertRefused(says);
      const finding = await examine();
      assert.equal(finding?.state, "failed");
      assert.match(finding.says, says);
    });

    test("must not be missing, and then none is created", async () => {
      const says = /The secret key is missing: there is no .*secret\.key/;
      rmSync(file);
      await assertRefused(says);
      const finding = await examine();
      assert.equal(finding?.state, "failed");
      assert.match(finding.says, says);
      assert.equal(existsSync(file), false);
    });

    test("may come from the environment instead", async () => {
      const ended = await list({ KITH_SECRET_KEY: right });
      assert.equal(ended.code, 0, ended.complaint);
      assert.equal(existsSync(file), false);
      await assertRefused(/key in KITH_SECRET_KEY is not the one/, {
        KITH_SECRET_KEY: OTHER,
      });
      const finding = await examine({ KITH_SECRET_KEY: right });
      assert.equal(finding?.state, "ok");
      assert.match(finding.says, /KITH_SECRET_KEY/);
      const none = await list({ KITH_SECRET_KEY: "none" });
      assert.match(none.complaint, /^kith: KITH_SECRET_KEY must be 64 hexa/);
    });

    test("readable by others causes a warning", async () => {
      writeFileSync(file, `${right}\n`);
      chmodSync(file, 0o644);
      const finding = await examine();
      assert.equal(finding?.state, "warning");
      assert.match(finding.says, /secret\.key can be read by other users/);
    });

    test("seals unsealed keys before anything else, in several processes at once", async () => {
      const pems = await storeInTheClear();
      assert.equal(pems.length, 6);
      assert.equal((await examine())?.state, "failed");
      const all = await Promise.all([list(), list(), list()]);
      for (const { code, complaint } of all) assert.equal(code, 0, complaint);
      const stored = JSON.stringify(await listStored());
      assert.doesNotMatch(stored, /PRIVATE KEY/);
      assert.equal(stored.match(/sealed:1:/g)?.length, 6);
      for (const pem of pems)
        assert.ok(!stored.includes(pem.split("\n")[1] ?? ""));
      assert.equal((await examine())?.state, "warning", "open for others only");
    });
  });
});

test("a server warns at its start that others can read its secret key, and signs with sealed keys", async () => {
  const kith = await KithProcess.start({
    database: "sqlite",
    protocols: "activitypub",
  });
  try {
    assert.doesNotMatch(kith.output, /"level":40/);
    await kith.stop();
    const file = path.join(kith.dataDir, "secret.key");
    chmodSync(file, 0o640);
    await kith.start();
    assert.match(kith.output, /"level":40,.*secret\.key can be read by/);
    const { output } = await runKith(["doctor", "--json"], kith.settings);
    const { findings } = JSON.parse(output) as { findings: Finding[] };
    const states = new Map(findings.map(({ check, state }) => [check, state]));
    assert.equal(states.get("secret key"), "warning");
    assert.equal(states.get("base URL's server"), "ok");
  } finally {
    await kith.remove();
  }
});

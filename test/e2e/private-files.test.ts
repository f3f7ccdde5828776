import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import {
  picture,
  pictureForm,
} from "../../packages/server/test/support/scenes/pictures.ts";
import { ApiClient } from "../support/api-client.ts";
import { runKith, spawnKith, type Settings } from "../support/kith-command.ts";
import { eventually } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const OTHERS = 0o077;
const START_WITHIN_MS = 30_000;

type Finding = { check: string; state: string; says: string; advice: string };

/** Permissions of others on a folder and everything below it. */
function openFiles(folder: string): string[] {
  const below = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return ["", ...below].filter(
    (name) => (statSync(path.join(folder, name)).mode & OTHERS) !== 0,
  );
}

/** On Windows files have no such permissions. */
const kinds = process.platform === "win32" ? [] : ["whatever the umask"];

for (const kind of kinds)
  describe(
    `files of the data directory, ${kind}`,
    { concurrency: false },
    () => {
      let root: string;
      let own: number;
      before(() => {
        root = mkdtempSync(path.join(tmpdir(), "kith-files-"));
        // A command inherits the environment of its parent.
        own = process.umask(0);
      });
      after(() => {
        process.umask(own);
        rmSync(root, { recursive: true, force: true });
      });
      const fresh = (name: string): Settings => ({
        KITH_DATA_DIR: path.join(root, name, "data"),
      });

      /** No other command creates a database. */
      const serveOnce = async (settings: Settings): Promise<void> => {
        const port = String(await findFreePort());
        const child = spawnKith(["serve"], { ...settings, KITH_PORT: port });
        const ended = once(child, "exit");
        child.stdout?.resume();
        child.stderr?.resume();
        const readyz = `http://localhost:${port}/readyz`;
        await eventually(() => fetch(readyz), START_WITHIN_MS);
        child.kill("SIGTERM");
        await ended;
      };

      for (const [words, input] of [
        [["migrate"], ""],
        [["account", "create", "ann"], "correct horse\n"],
        [["hosts", "list"], ""],
      ] as const)
        test(`kith ${words.join(" ")} creates only files private to their owner`, async () => {
          const settings = fresh(words[0]);
          await serveOnce(settings);
          const { code, complaint } = await runKith(words, settings, input);
          assert.equal(code, 0, complaint);
          assert.deepEqual(openFiles(settings["KITH_DATA_DIR"] ?? ""), []);
        });

      test("so does a server, including log, lock and photos", async () => {
        const port = String(await findFreePort());
        const dataDir = path.join(root, "serve", "data");
        const child = spawnKith(["serve"], {
          ...{ KITH_DATA_DIR: dataDir, KITH_PORT: port },
        });
        const ended = once(child, "exit");
        child.stdout?.resume();
        child.stderr?.resume();
        try {
          const baseUrl = `http://localhost:${port}`;
          await eventually(() => fetch(`${baseUrl}/readyz`), START_WITHIN_MS);
          const { token } = await ApiClient.signUp(baseUrl, "ann");
          const sent = await fetch(`${baseUrl}/api/v0/photos`, {
            method: "POST",
            headers: { access_token: token },
            body: pictureForm(await picture(40, 20).png().toBuffer()),
          });
          assert.equal(sent.status, 200, await sent.text());
          const names = readdirSync(dataDir);
          for (const name of ["kith.sqlite-wal", "media", "secret.key"])
            assert.ok(names.includes(name), names.join(" "));
          assert.deepEqual(openFiles(dataDir), []);
        } finally {
          child.kill("SIGKILL");
          await ended;
        }
      });

      test("kith doctor finds those of an older Kith, and names the remedy", async () => {
        const settings = fresh("doctor");
        const dataDir = settings["KITH_DATA_DIR"] ?? "";
        await serveOnce(settings);
        const find = async () => {
          const { output } = await runKith(["doctor", "--json"], settings);
          const { findings } = JSON.parse(output) as { findings: Finding[] };
          return findings.find(({ check }) => check === "files");
        };
        assert.equal((await find())?.state, "ok");
        const database = "kith.sqlite";
        chmodSync(path.join(dataDir, database), 0o644);
        const found = await find();
        assert.equal(found?.state, "warning");
        assert.ok(found.says.includes(path.join(dataDir, database)));
        assert.equal(
          found.advice,
          `Take that right away: chmod -R go-rwx ${dataDir}`,
        );
        chmodSync(path.join(dataDir, database), 0o600);
        chmodSync(dataDir, 0o755);
        assert.equal((await find())?.state, "warning");
      });
    },
  );

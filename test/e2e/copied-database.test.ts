import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";

const FAILED = 1;

test("a main file of SQLite alone is no server, and a killed server always starts", async () => {
  const parent = mkdtempSync(path.join(tmpdir(), "kith-copied-"));
  const kith = await KithProcess.start({
    database: "sqlite",
    protocols: "activitypub",
  });
  try {
    const alice = await Resident.settle(kith, "alice");
    for (let round = 0; round < 6; round += 1) {
      const guid = await alice.publish(`Round ${round}`);
      const delayMs = round * 40;
      const writing = alice.publish("unanswered").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (round % 2 === 0) await kith.kill();

      // The file alone, of a running server and of a killed one.
      const copy = path.join(parent, String(round));
      const { location } = kith;
      assert.ok(location.kind === "sqlite");
      mkdirSync(copy);
      const file = path.join(copy, "kith.sqlite");
      copyFileSync(location.file, file);
      for (const words of [
        ["account", "list"],
        ["backup", `${copy}.tar`],
      ]) {
        const ended = await runKith(words, { KITH_DATA_DIR: copy });
        assert.equal(ended.code, FAILED, ended.output);
        assert.match(
          ended.complaint,
          /kith\.sqlite.*its log, .*kith\.sqlite-wal/,
        );
      }
      assert.equal(existsSync(`${file}-wal`), false);
      assert.equal(existsSync(`${copy}.tar`), false);

      await writing;
      if (!kith.isRunning) await kith.start();
      await alice.api.getRecord(`/posts/${guid}`);
    }
  } finally {
    await kith.remove();
    rmSync(parent, { recursive: true });
  }
});

import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import {
  mastodonFiles,
  oldNote,
} from "../../packages/server/test/support/imports/mastodon-archive.ts";
import { writeZip } from "../../packages/server/test/support/imports/packed.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { runKith, spawnKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";

/** More than are imported before the first line of progress. */
const COUNT = 4000;

describe("kith account import, beside a running server", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "kith-import-"));
      kith = await KithProcess.start({ database: kind, protocols: "diaspora" });
      await runKith(
        ["account", "create", "ann"],
        kith.settings,
        "correct horse",
      );
    });
    after(async () => {
      await kith.remove();
      await rm(folder, { recursive: true });
    });

    const importFile = (...words: string[]) =>
      runKith(["account", "import", "ann", ...words], kith.settings);

    test("it rehearses, imports after it was killed, and says what it did", async () => {
      const notes = Array.from({ length: COUNT }, (_, at) =>
        oldNote(`old ${at}`),
      );
      const file = await writeZip(
        path.join(folder, "archive.zip"),
        mastodonFiles(notes),
      );
      const rehearsed = await importFile(file, "--rehearse");
      assert.equal(rehearsed.code, 0, rehearsed.complaint);
      assert.match(
        rehearsed.output,
        /^kind\twould be added\there before\tleft out\nposts\t4000\t0\t0\n/,
      );
      assert.match(
        rehearsed.output,
        /likes: 1 left out, because the post is not here/,
      );
      const killed = spawnKith(
        ["account", "import", "ann", file],
        kith.settings,
      );
      const ended = new Promise((resolve) => killed.once("exit", resolve));
      const postsNow = async () => {
        const { output } = await importFile(file, "--rehearse", "--json");
        const report = JSON.parse(output) as { post: { known: number } };
        return report.post.known;
      };
      let progress = "";
      for await (const chunk of killed.stderr ?? []) {
        progress += String(chunk);
        if (/\d of \d+ records/.test(progress)) break;
      }
      assert.match(progress, /\d of \d+ records/);
      killed.kill("SIGKILL");
      await ended;
      const known = await postsNow();
      assert.ok(known > 0 && known < COUNT, `${known} before it was killed`);
      const { code, output, complaint } = await importFile(file, "--json");
      assert.equal(code, 0, complaint);
      const report = JSON.parse(output) as Record<string, { added: number }>;
      assert.equal(report["post"]?.added, COUNT - known);
      assert.equal(await postsNow(), COUNT);
      const left = await readdir(path.join(kith.dataDir, "imports"));
      assert.deepEqual(left, []);
    });

    test("it explains what it cannot import", async () => {
      for (const [words, reason] of [
        [["no-such-file.zip"], /no file no-such-file/],
        [[import.meta.filename], /neither a zip/],
        [[import.meta.filename, "--kind", "odd"], /kith account import NAME/],
        [[], /kith account import NAME/],
      ] as const) {
        const { code, complaint } = await importFile(...words);
        assert.equal(code, 2, complaint);
        assert.match(complaint, reason);
      }
      const nobody = ["account", "import", "nobody", import.meta.filename];
      const { code, complaint } = await runKith(nobody, kith.settings);
      assert.equal(code, 2);
      assert.match(complaint, /no account nobody/);
      const wrong = ["account", "list", "--rehearse"];
      assert.equal((await runKith(wrong, kith.settings)).code, 2);
    });
  });
});

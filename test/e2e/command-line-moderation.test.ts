import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { ApiClient } from "../support/api-client.ts";
import { type Ended, runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";

describe("kith announcement, reports, spam and bans", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    before(async () => {
      kith = await KithProcess.start({
        database: kind,
        protocols: "activitypub",
      });
    });
    after(() => kith.remove());

    const run = (...words: string[]): Promise<Ended> =>
      runKith(words, kith.settings);

    async function assertRefused(words: readonly string[], reason: RegExp) {
      const { code, complaint } = await run(...words);
      assert.equal(code, 2, words.join(" "));
      assert.match(complaint, reason);
      assert.doesNotMatch(complaint, /parameter/);
    }

    test("an announcement is created, listed and withdrawn", async () => {
      const made = await run("announcement", "create", "Back", "at noon");
      assert.equal(made.code, 0, made.complaint);
      const [, number = ""] = /^Announcement (\d+) /.exec(made.output) ?? [];
      const listed = await run("announcement", "list");
      assert.match(listed.output, /\tBack at noon\n/);
      const gone = await run("announcement", "withdraw", number);
      assert.equal(gone.code, 0, gone.complaint);
      const { output } = await run("announcement", "list");
      assert.doesNotMatch(output, /Back at noon/);
    });

    test("a report is closed once, and not without words", async () => {
      const ann = await ApiClient.signUp(kith.baseUrl, "ann");
      const bob = await ApiClient.signUp(kith.baseUrl, "bob");
      const post = (await ann.post("/posts", { post: "buy!" })) as {
        ID: string;
      };
      await bob.post("/reports", { post_id: post.ID, text: "spam" });
      await assertRefused(["reports", "resolve", "1"], /words are missing/);
      const done = await run("reports", "resolve", "1", "Spoke", "with her");
      assert.equal(done.code, 0, done.complaint);
      await assertRefused(["reports", "resolve", "1", "x"], /closed already/);
      const { output } = await run("reports", "show", "1");
      assert.match(output, /^What was done: Spoke with her$/m);
    });

    test("faults are named by the options that were typed", async () => {
      for (const [words, reason] of [
        [["server", "set", "--accent-light", "red"], /: --accent-light must/],
        [["server", "set", "--contact-mail", "x"], /: --contact-mail must/],
        [
          ["spam", "set", "a", "--action", "note"],
          /--link-host, or --mentions:/,
        ],
        [
          ["spam", "set", "a", "--action", "note", "--link-host", "a b"],
          /: --link-host must/,
        ],
        [["bans", "domain", "a b"], /: The domain must be a mail domain/],
      ] as const)
        await assertRefused(words, reason);
    });
  });
});

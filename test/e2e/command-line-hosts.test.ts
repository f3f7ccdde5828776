import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { type Ended, runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";

describe("kith hosts, beside a running server", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    before(async () => {
      kith = await KithProcess.start({
        database: kind,
        protocols: "activitypub",
      });
    });
    after(() => kith.remove());

    const hosts = (...words: string[]): Promise<Ended> =>
      runKith(["hosts", ...words], kith.settings);

    /** Without the header, and without the time in the third column. */
    const list = async () =>
      (await hosts("list")).output
        .split("\n")
        .slice(1)
        .filter((line) => line !== "")
        .map((line) => line.split("\t").toSpliced(2, 1).join(" "));

    test("decides, lists and revokes", async () => {
      const said = await hosts(
        "block",
        "Evil.Example.:443",
        "--reason",
        "spam",
      );
      assert.equal(said.code, 0, said.complaint);
      assert.match(said.output, /^Done\. 0 known people/);
      await hosts("silence", "loud.example", "--reason", "very\nloud");
      await hosts("reject-media", "loud.example");
      await hosts("allow", "bücher.example");
      assert.deepEqual(await list(), [
        "evil.example blocked spam",
        "loud.example silenced,reject-media very loud",
        "xn--bcher-kva.example allowed ",
      ]);
      await hosts("allow", "evil.example");
      assert.equal((await hosts("forgive", "https://LOUD.example/")).code, 0);
      assert.deepEqual(await list(), [
        "evil.example allowed spam",
        "xn--bcher-kva.example allowed ",
      ]);
    });

    test("reports errors", async () => {
      const own = new URL(kith.baseUrl).host;
      for (const [words, reason] of [
        [["block"], /host is missing/],
        [["block", own], /is no host, or this one/],
        [["block", "a b"], /is no host, or this one/],
        [["forgive", "nobody.example"], /There is no decision/],
        [["destroy", "evil.example"], /kith hosts list\|block/],
        [["list", "evil.example"], /kith hosts list\|block/],
        [["block", "a.example", "b.example"], /kith hosts list\|block/],
      ] as const) {
        const { code, complaint } = await hosts(...words);
        assert.equal(code, 2, words.join(" "));
        assert.match(complaint, reason);
      }
    });
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { TestRelay } from "../../packages/server/test/support/remote/relay.ts";
import { type Ended, runKith } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";

describe("kith relays, beside a running server", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    let relay: TestRelay;
    before(async () => {
      kith = await KithProcess.start({
        database: kind,
        protocols: "activitypub",
      });
      relay = await TestRelay.start();
    });
    after(async () => {
      await kith.remove();
      await relay.server.close();
    });

    const relays = (...words: string[]): Promise<Ended> =>
      runKith(["relays", ...words], kith.settings);
    const list = async () =>
      (await relays("list")).output
        .split("\n")
        .slice(1)
        .filter((line) => line !== "")
        .map((line) => line.split("\t").slice(0, 3).join(" "));

    test("subscribes to a relay, and leaves it", async () => {
      const { code, complaint } = await relays("add", relay.inbox);
      assert.equal(code, 0, complaint);
      assert.deepEqual(await list(), [`${relay.inbox} inbox pending`]);
      await eventually(() => {
        assert.equal(relay.got("Follow").length, 1);
        return Promise.resolve();
      });
      assert.equal((await relays("remove", relay.inbox)).code, 0);
      assert.deepEqual(await list(), []);
      await eventually(() => {
        assert.equal(relay.got("Undo").length, 1);
        return Promise.resolve();
      });
    });

    test("reports errors", async () => {
      await relays("add", relay.actor.id);
      for (const [words, reason] of [
        [["add"], /named by the address/],
        [["add", "relay.example"], /named by the address/],
        [["add", relay.actor.id], /among the relays already/],
        [["remove", relay.inbox], /not among the relays/],
        [["destroy", relay.inbox], /kith relays list\|add\|remove/],
        [["list", relay.inbox], /kith relays list\|add\|remove/],
      ] as const) {
        const { code, complaint } = await relays(...words);
        assert.equal(code, 2, words.join(" "));
        assert.match(complaint, reason);
      }
    });
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  createGanggo,
  type GanggoDatabase,
} from "../../packages/server/test/support/imports/ganggo-database.ts";
import { fillGanggo } from "../../packages/server/test/support/imports/ganggo-town.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";

describe("kith import ganggo, beside a running server", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    let ganggo: GanggoDatabase;
    before(async () => {
      kith = await KithProcess.start({ database: kind, protocols: "diaspora" });
      ganggo = await createGanggo(kind);
      await fillGanggo(ganggo, `localhost:${kith.port}`);
    });
    after(async () => {
      await kith.remove();
      await ganggo.remove();
    });

    const importFrom = (...words: string[]) =>
      runKith(["import", "ganggo", ...words], kith.settings);

    test("it rehearses, imports, and says what it did", async () => {
      const rehearsed = await importFrom(ganggo.place, "--rehearse");
      assert.equal(rehearsed.code, 0, rehearsed.complaint);
      assert.match(
        rehearsed.output,
        /^kind\twould be added\there before\tleft out\naccounts\t2\t0\t4\n/,
      );
      assert.match(
        rehearsed.output,
        /accounts: 1 left out, because no account here may have that name: news\n/,
      );
      const { code, output, complaint } = await importFrom(ganggo.place);
      assert.equal(code, 0, complaint);
      assert.match(output, /^kind\tadded\there before\tleft out\n/);
      const again = await importFrom(ganggo.place, "--json");
      const report = JSON.parse(again.output) as {
        kind: string;
        known: number;
      }[];
      const known = (of: string) => report.find((it) => it.kind === of)?.known;
      assert.equal(known("account"), 2);
      assert.equal(known("post"), 5);
    });

    test("it explains what it cannot import", async () => {
      for (const [words, code, reason] of [
        [["no-such.db"], 1, /There is no file no-such\.db/],
        [[import.meta.filename], 1, /cannot be read/],
        [["postgres://127.0.0.1:1/no"], 1, /cannot be read/],
        [[], 2, /kith import ganggo DATABASE/],
      ] as const) {
        const ended = await importFrom(...words);
        assert.equal(ended.code, code, ended.complaint);
        assert.match(ended.complaint, reason);
      }
      const other = await runKith(["import", "other", "x"], kith.settings);
      assert.equal(other.code, 2);
    });
  });
});

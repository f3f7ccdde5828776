import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { StallingDoor } from "../../packages/server/test/support/pooler/stalling-door.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";

/** It takes seven to nine seconds; a machine with much else to do takes longer. */
const WITHIN_MS = 20_000;
const PROCESSES = 2;

describe(
  "PostgreSQL behind a load balancer that is stuck",
  { concurrency: false, timeout: 120_000 },
  () => {
    const settings: Record<string, string> = {};
    let kith: KithProcess;
    let door: StallingDoor;
    let ann: Resident;

    before(async () => {
      kith = await KithProcess.start({
        ...{ database: "postgres", protocols: "activitypub", settings },
      });
      await kith.stop();
      assert.ok(kith.location.kind === "postgres");
      door = await StallingDoor.open(kith.location.url);
      settings["KITH_DATABASE_URL"] = door.url;
      settings["KITH_PROCESSES"] = String(PROCESSES);
      await kith.start();
      // Both processes are at work after the second start, and signals are heard.
      await eventually(async () => {
        assert.match(kith.output, /Press Ctrl-C(.|\n)*Press Ctrl-C/);
      });
      ann = await Resident.settle(kith, "ann");
    });
    after(async () => {
      await kith?.remove();
      await door?.close();
    });

    /** More than one for each process. */
    const publishAll = () =>
      Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => ann.publish(`Number ${n}`)),
      );

    test("requests are answered again soon, and the log says why", async () => {
      await publishAll();
      door.stall();
      const since = performance.now();
      await publishAll();
      await eventually(async () => {
        for (const { status } of await publishAll())
          assert.equal(status, "fulfilled");
      });
      const tookMs = performance.now() - since;
      assert.ok(tookMs < WITHIN_MS, `${tookMs} ms`);
      const said = kith.output.match(/has not answered on \d+ of/g) ?? [];
      assert.ok(said.length > 0, kith.output);
      assert.ok(said.length <= PROCESSES, `${said.length} warnings`);
    });

    test("a stop does not wait for it", async () => {
      door.stall();
      const asked = publishAll();
      const since = performance.now();
      assert.equal(await kith.stop(), 0);
      const tookMs = performance.now() - since;
      assert.ok(tookMs < WITHIN_MS, `${tookMs} ms`);
      await asked;
    });
  },
);

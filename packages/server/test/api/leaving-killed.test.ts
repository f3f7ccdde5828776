import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createLeave,
  LEAVE,
  type LeavingStep,
} from "../../src/features/leaving/index.ts";
import { AFTER_DELIVERIES_MS } from "../../src/federation/leaving-steps.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { storedFiles } from "../support/scenes/pictures.ts";
import { tracesOf } from "../support/server/traces.ts";
import { wholePerson } from "../support/scenes/whole-person.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a process that is killed in the middle is taken up where it was", async () => {
    const { who, photos } = await wholePerson(kith());
    const { ID, UserID } = who.record;
    const pictures = [photos.attached.Guid, photos.waiting.Guid];
    const filesLeft = async () =>
      (await storedFiles(kith())).filter((name) =>
        pictures.some((guid) => name.startsWith(guid)),
      );
    assert.equal((await filesLeft()).length, 10);
    const form = { password: PASSWORD };
    const answer = await who.call("DELETE", "/users", { form });
    assert.equal(answer.status, 200, answer.text);
    const { leavingSteps, jobs, people } = kith().server.features;
    const deps = { db: kith().db, clock: kith().clock, jobs, people };
    const started: string[] = [];
    /** Breaks once after each part of each step, as where the result could not be stored. */
    const fragile = leavingSteps.map(({ name, run }): LeavingStep => ({
      name,
      run: async (leaver) => {
        const more = await run(leaver, 1);
        if (!started.includes(name)) {
          started.push(name);
          throw new Error("killed");
        }
        return more;
      },
    }));
    const handle = createLeave(deps, fragile);
    let step = "first";
    for (let parts = 0; step !== ""; parts += 1) {
      assert.ok(parts < 500, "it comes to an end");
      const before = await stepsOf(ID);
      const payload = { personId: ID, step };
      const result = await handle(payload, context).catch(() => undefined);
      if (result?.kind !== "done") continue;
      const added = (await stepsOf(ID)).filter((it) => !before.includes(it));
      step = added[0] ?? "";
    }
    assert.deepEqual(
      started,
      leavingSteps.map(({ name }) => name),
    );
    assert.deepEqual(await tracesOf(kith(), ID, UserID), []);
    await kith().settle();
    assert.deepEqual(await filesLeft(), []);
    kith().clock.advance(AFTER_DELIVERIES_MS);
    await kith().settle();
    assert.deepEqual(await stepsOf(ID), []);
  });

  const context = {
    job: {
      id: 0,
      kind: LEAVE.name,
      payload: {},
      documentId: null,
      lane: null,
      host: null,
      attempts: 1,
      unsettledLeases: 1,
      lease: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      requestId: null,
    },
    signal: new AbortController().signal,
  };

  /** The steps that wait for this person. */
  const stepsOf = async (id: number): Promise<string[]> => {
    const rows = await kith()
      .db.read.selectFrom("jobs")
      .select("payload")
      .where("kind", "=", LEAVE.name)
      .execute();
    return rows
      .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)
      .filter(({ personId }) => personId === id)
      .map(({ step }) => String(step));
  };
});

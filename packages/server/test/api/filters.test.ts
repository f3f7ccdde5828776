import assert from "node:assert/strict";
import { test } from "node:test";
import type { LeasedJob } from "../../src/jobs/job.ts";
import type { FilterId } from "../../src/features/ids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Filter = {
  readonly ID: FilterId;
  readonly Title: string;
  readonly Contexts: string[];
  readonly Action: string;
  readonly Until: string | null;
  readonly Keywords: { ID: number; Keyword: string; WholeWord: boolean }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const TEA = { title: "tea", context: ["home"], keyword: ["tea"] };
  const save = async (who: TestPerson, json: object, path = "") => {
    const method = path === "" ? "POST" : "PUT";
    const answer = await who.call(method, `/filters${path}`, { json });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as Filter;
  };

  test("filters are made, listed, replaced and deleted by their owner alone", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const made = await save(ann, {
      ...{ title: " Tea ", context: ["home", "thread", "home"] },
      ...{ action: "hide", keyword: ["tea", " tea", "scone"] },
      whole_word: ["tea", "milk"],
    });
    assert.equal(made.Title, "Tea");
    assert.deepEqual(made.Contexts, ["home", "thread"]);
    assert.equal(made.Action, "hide");
    assert.equal(made.Until, null);
    const words = ({ Keywords }: Filter) =>
      Keywords.map((it) => [it.Keyword, it.WholeWord]);
    assert.deepEqual(words(made), [
      ["tea", false],
      ["scone", false],
      ["milk", true],
    ]);
    const path = `/filters/${made.ID}`;
    assert.deepEqual(await ann.get(path), made);
    const other = await save(ann, TEA);
    assert.equal(other.Action, "warn");
    assert.deepEqual(await ann.get("/filters"), [other, made]);
    assert.deepEqual(await ann.get("/filters", { limit: 1, offset: 1 }), [
      made,
    ]);
    assert.deepEqual(await bob.get("/filters"), []);
    const unchanged = await kith().snapshot();
    await bob.notFound("GET", path);
    await bob.notFound("DELETE", path);
    assert.equal((await bob.call("PUT", path, { json: TEA })).status, 404);
    assert.deepEqual(await kith().snapshot(), unchanged);
    const replaced = await save(
      ann,
      { title: "Cups", context: ["account"], keyword: ["scone", "cup"] },
      `/${made.ID}`,
    );
    assert.deepEqual(words(replaced), [
      ["scone", false],
      ["cup", false],
    ]);
    assert.equal(replaced.Keywords[0]?.ID, made.Keywords[1]?.ID);
    assert.equal(replaced.Action, "warn");
    await ann.delete(path);
    await ann.notFound("GET", path);
    await ann.notFound("DELETE", path);
    assert.deepEqual(await ann.get("/filters"), [other]);
  });

  test("blank, long, many and unknown things are refused, and change nothing", async () => {
    const ann = await kith().person();
    const long = "x".repeat(101);
    const past = new Date(kith().clock.now().getTime() - 1).toISOString();
    const many = Array.from({ length: 60 }, (_, index) => `word ${index}`);
    const full = await save(ann, { ...TEA, keyword: many });
    const unchanged = await kith().snapshot();
    for (const [change, error] of [
      [{ title: " " }, "The string is empty"],
      [{ keyword: ["tea", " "] }, "Bad request"],
      [{ keyword: [] }, "Bad request"],
      [{ context: [] }, "Bad request"],
      [{ context: ["everywhere"] }, "Bad request"],
      [{ action: "shrink" }, "Bad request"],
      [{ title: long }, "Bad request"],
      [{ whole_word: [long] }, "Bad request"],
      [{ keyword: many }, "Bad request"],
      [{ keyword: Array.from({ length: 101 }, () => "a") }, "Bad request"],
      [{ until: past }, "Bad request"],
      [{ until: "tomorrow" }, "Invalid datetime"],
    ] as const) {
      const json = { ...TEA, ...change };
      const answer = await ann.call("POST", "/filters", { json });
      assert.equal(answer.status, 400, JSON.stringify(change));
      assert.equal((JSON.parse(answer.text) as { error: string }).error, error);
    }
    assert.deepEqual(await kith().snapshot(), unchanged);
    // A filter may be replaced by one with as many keywords.
    await save(ann, { ...TEA, keyword: many }, `/${full.ID}`);
    for (let count = 1; count < 40; count++)
      await save(ann, { ...TEA, keyword: [`more ${count}`] });
    await save(ann, { ...TEA, keyword: ["the last"] });
    const overfull = await ann.call("POST", "/filters", { json: TEA });
    assert.equal(overfull.status, 400);
    await ann.delete(`/filters/${full.ID}`);
    for (let count = 40; count < 50; count++) await save(ann, TEA);
    const over = await ann.call("POST", "/filters", { json: TEA });
    assert.equal(over.status, 400);
  });

  test("filters made at once do not exceed the bound", async () => {
    const ann = await kith().person();
    const made = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        ann.call("POST", "/filters", {
          json: {
            ...TEA,
            keyword: Array.from({ length: 40 }, (_, no) => `${at}-${no}`),
          },
        }),
      ),
    );
    const statuses = made.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 400, 400]);
  });

  test("a filter ends at its time, unless that was changed meanwhile", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const inHours = (hours: number) =>
      new Date(kith().clock.now().getTime() + hours * HOUR_MS).toISOString();
    const until = inHours(1);
    const first = await save(ann, { ...TEA, until, action: "hide" });
    assert.equal(first.Until, until);
    const second = await save(ann, { ...TEA, until });
    await save(ann, TEA, `/${second.ID}`);
    const third = await save(ann, { ...TEA, until: inHours(3) });
    await bob.post("/posts", { post: "tea", aspectID: 0 });
    const texts = async () =>
      (await ann.get<PostRecord[]>("/posts"))
        .filter(({ PersonID }) => PersonID === bob.record.ID)
        .map(({ Text }) => Text);
    assert.deepEqual(await texts(), []);
    kith().clock.advance(2 * HOUR_MS);
    await kith().settle();
    const ids = (await ann.get<Filter[]>("/filters")).map(({ ID }) => ID);
    assert.deepEqual(ids, [third.ID, second.ID]);
    assert.deepEqual(await texts(), ["tea"]);
    // A job that comes too early waits, and one that comes again finds nothing.
    const { end } = kith().server.features.filters;
    const payload = { filterId: third.ID, endsAt: third.Until ?? "" };
    const context = {
      job: { attempts: 1 } as LeasedJob,
      signal: AbortSignal.any([]),
    };
    assert.equal((await end(payload, context)).kind, "retry");
    kith().clock.advance(2 * HOUR_MS);
    assert.equal((await end(payload, context)).kind, "done");
    assert.equal((await end(payload, context)).kind, "done");
    assert.equal((await ann.get<Filter[]>("/filters")).length, 1);
  });
});

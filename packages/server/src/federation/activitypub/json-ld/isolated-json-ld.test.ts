import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { loadJsonLd, type JsonObject } from "@kith/activitypub";
import {
  createIsolatedJsonLd,
  type IsolatedJsonLd,
  type IsolatedJsonLdOptions,
} from "./isolated-json-ld.ts";

const AS = "https://www.w3.org/ns/activitystreams";
const note = (content: string): JsonObject => ({
  "@context": [AS, { inhalt: "as:content" }],
  id: "https://peer.example/1",
  type: "Note",
  inhalt: content,
});
/** Far above the bounds that callers keep to: this one takes seconds. */
const endless: JsonObject = {
  "@context": AS,
  id: "https://evil.example/1",
  tag: Array.from({ length: 20_000 }, (_, at) => at),
};
/** And this one more memory than there is. */
const greedy: JsonObject = {
  "@context": [
    AS,
    Object.fromEntries(
      Array.from({ length: 6_000 }, (_, at) => [`t${at}`, `as:${at}`]),
    ),
  ],
  id: "https://evil.example/1",
  tag: Array.from({ length: 4_000 }, (_, at) => ({
    "@context": { [`own${at}`]: "as:own" },
    name: "x",
  })),
};

describe("JSON-LD in a thread of its own", () => {
  const started: IsolatedJsonLd[] = [];
  const start = (options: IsolatedJsonLdOptions = {}) => {
    const jsonLd = createIsolatedJsonLd(options);
    started.push(jsonLd);
    return jsonLd;
  };
  afterEach(() => {
    for (const jsonLd of started.splice(0)) jsonLd.close();
  });

  test("says what JSON-LD in this thread says", async () => {
    const [here, there] = [await loadJsonLd(), start()];
    const document = note("hallo");
    assert.deepEqual(
      await there.compact(document, [AS]),
      await here.compact(document, [AS]),
    );
    assert.equal(await there.canonize(document), await here.canonize(document));
    const broken = { ...document, "@context": { inhalt: 7 } };
    const fault = { name: "ActivityPubError", code: "unsupported" };
    await assert.rejects(there.compact(broken, [AS]), fault);
    await assert.rejects(here.compact(broken, [AS]), fault);
    const unknown = { ...document, "@context": "https://unknown.example/c" };
    await assert.rejects(there.canonize(unknown), fault);
  });

  test("gives up a document that takes too long, and goes on with the next", async () => {
    const jsonLd = start({ deadlineMs: 200 });
    const [long, next] = await Promise.allSettled([
      jsonLd.canonize(endless),
      jsonLd.canonize(note("next")),
    ]);
    assert.ok(long.status === "rejected");
    assert.equal((long.reason as { code?: string }).code, "unavailable");
    assert.ok(next.status === "fulfilled");
    assert.match(next.value, /"next"/);
  });

  test("gives up a document that takes too much memory, and goes on with the next", async () => {
    const jsonLd = start({ deadlineMs: 60_000 });
    const [large, next] = await Promise.allSettled([
      jsonLd.compact(greedy, [AS]),
      jsonLd.canonize(note("next")),
    ]);
    assert.ok(large.status === "rejected");
    assert.match(String(large.reason), /memory/);
    assert.equal((large.reason as { code?: string }).code, "unavailable");
    assert.equal(next.status, "fulfilled");
  });

  test("keeps this thread free meanwhile", async () => {
    const jsonLd = start({ deadlineMs: 400 });
    const lost = assert.rejects(jsonLd.canonize(endless));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 5);
    await lost;
    clearInterval(counting);
    assert.ok(turns > 10, `${turns} turns`);
  });

  test("refuses documents beyond those that may wait, and all when it is closed", async () => {
    const jsonLd = start({ maxWaiting: 2 });
    const all = Array.from({ length: 5 }, () => jsonLd.canonize(note("x")));
    const outcomes = await Promise.allSettled(all);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"],
    );
    const waiting = [jsonLd.canonize(note("x")), jsonLd.canonize(note("y"))];
    jsonLd.close();
    for (const outcome of await Promise.allSettled(waiting)) {
      assert.ok(outcome.status === "rejected");
      assert.match(String(outcome.reason), /server stops/);
    }
  });

  test("ends its thread when there is nothing to do, and starts it again", async () => {
    const jsonLd = start({ idleMs: 50 });
    assert.equal(jsonLd.isRunning(), false, "Not before it is needed");
    await jsonLd.canonize(note("x"));
    assert.equal(jsonLd.isRunning(), true);
    for (let tries = 0; jsonLd.isRunning() && tries < 200; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 25));
    assert.equal(jsonLd.isRunning(), false);
    assert.match(await jsonLd.canonize(note("again")), /"again"/);
  });
});

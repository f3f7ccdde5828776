import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import { KithError } from "../errors.ts";
import { createFetchQueue } from "./fetch-queue.ts";

const LIMITS = {
  maxRunning: 3,
  maxRunningPerHost: 2,
  maxWaiting: 4,
  maxWaitingPerHost: 2,
};

/** A queue, and a way to end each of the fetches that it has started. */
function observe() {
  const queue = createFetchQueue(LIMITS);
  const started: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const ask = (name: string): Promise<string> =>
    queue.run(name[0] ?? "", () => {
      started.push(name);
      return new Promise((resolve, reject) =>
        ends.set(name, (failure) =>
          failure ? reject(failure) : resolve(name),
        ),
      );
    });
  const end = async (name: string, failure?: Error) => {
    ends.get(name)?.(failure);
    await setImmediate();
  };
  return { ask, end, started };
}

const isRefused = (error: unknown) =>
  error instanceof KithError &&
  error.code === "unavailable" &&
  error.retryAfterS !== undefined;

test("only so many run at once, of one host and in total, in the order of their coming", async () => {
  const { ask, end, started } = observe();
  const all = ["a1", "a2", "a3", "b1", "b2"].map(ask);
  await setImmediate();
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  await end("b1");
  // a3 came first, but two of its host are running.
  assert.deepEqual(started, ["a1", "a2", "b1", "b2"]);
  await end("a1");
  assert.deepEqual(started.at(-1), "a3");
  for (const name of ["a2", "a3", "b2"]) await end(name);
  assert.deepEqual(await Promise.all(all), ["a1", "a2", "a3", "b1", "b2"]);
});

test("a host with many waiting is refused, and leaves room for the others", async () => {
  const { ask, end, started } = observe();
  const all = ["a1", "a2", "a3", "a4"].map(ask);
  await assert.rejects(ask("a5"), isRefused);
  all.push(...["b1", "b2", "c1"].map(ask));
  await assert.rejects(ask("d1"), isRefused);
  await setImmediate();
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"])
    await end(name);
  assert.equal((await Promise.all(all)).length, 7);
});

test("a failed fetch gives its slot back", async () => {
  const { ask, end, started } = observe();
  const failing = ["a1", "a2"].map((name) =>
    assert.rejects(ask(name), /^Error: broken$/),
  );
  const third = ask("a3");
  await setImmediate();
  for (const name of ["a1", "a2"]) await end(name, new Error("broken"));
  await Promise.all(failing);
  assert.deepEqual(started, ["a1", "a2", "a3"]);
  await end("a3");
  assert.equal(await third, "a3");
});

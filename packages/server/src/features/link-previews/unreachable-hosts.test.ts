import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UnreachableHosts } from "./unreachable-hosts.ts";

const HOST = "down.example:8443";

describe("hosts that cannot be reached", () => {
  let nowMs = Date.parse("2026-11-30T08:00:00Z");
  const clock = { now: () => new Date(nowMs) };

  test("are known after three failures in a row, for a minute after the last", () => {
    const hosts = new UnreachableHosts(clock);
    for (let failures = 0; failures < 3; failures += 1) {
      assert.equal(hosts.has(HOST), false);
      hosts.noteFailure(HOST);
      nowMs += 10_000;
    }
    assert.equal(hosts.has(HOST), true);
    assert.equal(hosts.has("down.example"), false);
    nowMs += 49_000;
    assert.equal(hosts.has(HOST), true);
    nowMs += 2_000;
    assert.equal(hosts.has(HOST), false);
  });

  test("are others after an answer", () => {
    const hosts = new UnreachableHosts(clock);
    for (let round = 0; round < 3; round += 1) {
      hosts.noteFailure(HOST);
      hosts.noteFailure(HOST);
      hosts.noteAnswer(HOST);
    }
    assert.equal(hosts.has(HOST), false);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, WELCOME, type HostPolicy } from "./host-policy.ts";

function policies(
  all: Readonly<Record<string, Partial<HostPolicy>>>,
): Map<string, HostPolicy> {
  return new Map(
    Object.entries(all).map(([host, policy]) => [
      host,
      {
        host,
        blocked: false,
        silenced: false,
        mediaRejected: false,
        allowed: false,
        reason: "",
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
        ...policy,
      },
    ]),
  );
}

test("a policy holds for a host and all below it, and for no other", () => {
  const known = policies({ "evil.example": { blocked: true } });
  for (const [host, shutOut] of [
    ["evil.example", true],
    ["a.b.evil.example", true],
    ["notevil.example", false],
    ["evil.example.org", false],
    ["example", false],
  ] as const)
    assert.equal(judge(known, [host], false).shutOut, shutOut, host);
});

test("of several policies and hosts the strictest count together", () => {
  const known = policies({
    "a.example": { silenced: true, allowed: true },
    "b.a.example": { mediaRejected: true },
    "c.example": { blocked: true },
  });
  assert.deepEqual(judge(known, ["b.a.example"], false), {
    shutOut: false,
    silenced: true,
    mediaRejected: true,
  });
  assert.equal(judge(known, ["a.example", "c.example"], false).shutOut, true);
  assert.deepEqual(judge(known, ["d.example"], false), WELCOME);
  assert.deepEqual(judge(known, [], true), WELCOME);
});

test("where only allowed hosts take part, each of somebody's has to be", () => {
  const known = policies({
    "good.example": { allowed: true },
    "bad.good.example": { blocked: true },
    "quiet.example": { silenced: true },
  });
  const isOut = (...hosts: string[]) => judge(known, hosts, true).shutOut;
  assert.equal(isOut("good.example"), false);
  assert.equal(isOut("social.good.example"), false);
  assert.equal(isOut("bad.good.example"), true, "A block counts all the same");
  assert.equal(isOut("quiet.example"), true);
  assert.equal(isOut("good.example", "other.example"), true);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isGranted,
  parseScopes,
  SCOPES,
  withoutImplied,
  type Scope,
} from "./scopes.ts";

const granted = (...scopes: Scope[]) =>
  SCOPES.filter((needed) => isGranted(scopes, needed));

test("a coarse scope implies its parts, and none implies a coarse one or another tree", () => {
  assert.equal(granted("read").length, 13);
  assert.ok(granted("read").every((it) => /^read(?::|$)/.test(it)));
  assert.ok(granted("write").every((it) => /^write(?::|$)/.test(it)));
  assert.ok(granted("admin:read").every((it) => it.startsWith("admin:read")));
  assert.equal(granted("admin:write").length, 8);
  assert.deepEqual(granted("read:lists"), ["read:lists"]);
  assert.deepEqual(granted("profile"), ["profile"]);
  assert.deepEqual(granted("push"), ["push"]);
  assert.deepEqual(granted("follow"), [
    ...["read:blocks", "read:follows", "read:mutes"],
    ...["write:blocks", "write:follows", "write:mutes", "follow"],
  ]);
  const parts = SCOPES.filter((it) => it.startsWith("read:"));
  assert.ok(!isGranted(parts, "read"), "all parts are not the whole");
  assert.ok(!isGranted(parts, "follow"));
});

test("a token for the password has all, and nothing has what is no scope", () => {
  for (const needed of [...SCOPES, "undelegated", "anything"])
    assert.ok(isGranted("all", needed));
  for (const needed of [
    "undelegated",
    "read:nothing",
    "read:",
    ":",
    "",
    "admin",
  ])
    assert.ok(!isGranted(SCOPES, needed), needed);
  assert.ok(!isGranted([], "read"));
  assert.ok(!isGranted(["undelegated"], "undelegated"));
  assert.ok(!isGranted(["admin"], "admin:read"), "no scope by itself");
});

test("scopes are read in any order, each once, without unknown ones", () => {
  assert.deepEqual(parseScopes(" push  write+read\tread\n"), [
    ...["read", "write", "push"],
  ]);
  for (const text of ["", " ", "READ", "reads", "__proto__", "read,write"])
    assert.deepEqual(parseScopes(text), [], text);
});

test("implied scopes are left out", () => {
  assert.deepEqual(
    withoutImplied(
      parseScopes("read read:lists follow write:mutes write:media"),
    ),
    ["read", "write:media", "follow"],
  );
  assert.deepEqual(withoutImplied(SCOPES), [
    ...["profile", "read", "write", "follow", "push"],
    ...["admin:read", "admin:write"],
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isReservedName } from "./account.ts";

test("names that could be taken for the server are reserved, and others are not", () => {
  for (const name of ["admin", "instance", "support", "api", "www"])
    assert.ok(isReservedName(name), name);
  for (const name of ["ann", "test_admin", "admins"])
    assert.ok(!isReservedName(name), name);
});

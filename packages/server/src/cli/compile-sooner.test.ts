import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { SOONER } from "./compile-sooner.ts";

test("this Node knows every flag, and would wait longer without it", () => {
  const known = execFileSync(process.execPath, ["--v8-options"], {
    encoding: "utf8",
  });
  for (const flag of SOONER) {
    const [name = "", value] = flag.split("=");
    const [, usual] = new RegExp(`default: ${name}=(\\d+)`).exec(known) ?? [];
    assert.ok(Number(usual) > Number(value), `${flag}, usually ${usual}`);
  }
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { root } from "./project-files.ts";

// npm run check: all static checks of the sources. Each check prints a line, and its
// findings, if any.

type Check = { name: string; script: string; args?: string[] };

/** The longest first, so that it does not run alone at the end. */
const checks: Check[] = [
  {
    name: "lint",
    script: "node_modules/eslint/bin/eslint.js",
    args: ["--max-warnings", "0", "."],
  },
  {
    name: "types",
    script: "node_modules/typescript/bin/tsc",
    args: ["--project", ".", "--pretty", "false"],
  },
  {
    name: "format",
    script: "node_modules/prettier/bin/prettier.cjs",
    args: ["--check", "--log-level", "warn", "."],
  },
  { name: "boundaries", script: "scripts/house/imports/check-boundaries.ts" },
  { name: "house rules", script: "scripts/house/check-house.ts" },
];

const startedAt = performance.now();
const failed: string[] = [];
const waiting = [...checks];
const lanes = Math.max(2, Math.min(availableParallelism(), checks.length));
await Promise.all(Array.from({ length: lanes }, runWaiting));

const total = secondsSince(startedAt);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(", ")} (${total})`);
  process.exitCode = 1;
} else {
  console.log(`check passed: ${checks.length} checks (${total})`);
}

async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift())
    if (!(await passes(next))) failed.push(next.name);
}

async function passes({ name, script, args = [] }: Check): Promise<boolean> {
  const start = performance.now();
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const [said, complained] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  const took = secondsSince(start);
  const passed = child.exitCode === 0;
  const detail = passed ? said.trim().split("\n").at(-1) : "";
  console.log(
    `${passed ? "ok  " : "FAIL"} ${name} (${took})${detail ? `: ${detail}` : ""}`,
  );
  if (!passed) process.stdout.write(`${said}${complained}`.trimEnd() + "\n");
  return passed;
}

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

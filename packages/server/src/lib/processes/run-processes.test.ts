import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

const FIXTURE = path.join(import.meta.dirname, "run-processes.fixture.ts");

test("one that cannot start beside the first one is tried again, and the first one goes on", async () => {
  const program = spawn(process.execPath, [FIXTURE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(program, "exit");
  const lines: string[] = [];
  for await (const line of createInterface({ input: program.stdout })) {
    lines.push(line);
    if (line === "started 3") program.kill("SIGTERM");
  }
  assert.deepEqual(await ended, [0, null]);
  assert.equal(lines[0], "started 1");
  assert.deepEqual(lines.slice(1).toSorted(), [
    "Process 2 has ended (before it was ready), and is started again.",
    "running",
    "started 3",
  ]);
});

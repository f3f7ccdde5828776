import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCommand } from "./kit/kith-process.ts";
import { measureMachine, median } from "./kit/machine.ts";
import { writeResults } from "./kit/results.ts";
import { findFreePort } from "../scripts/testing/free-port.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const COMPILED = path.join(ROOT, "node_modules/.cache/kith-compiled");
const ROUNDS = 10;
const IDLE_AFTER_MS = 10_000;
const IDLE_TARGET = "110 MB";

type Started = {
  readonly child: ChildProcess;
  readonly readyMs: number;
  readonly baseUrl: string;
};

/** Starts Kith on an empty data directory, and passes it to `use`. */
async function withKith<T>(use: (kith: Started) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const kith = await start(dataDir);
  try {
    return await use(kith);
  } finally {
    const ended = once(kith.child, "exit");
    kith.child.kill("SIGINT");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(dataDir: string): Promise<Started> {
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  const startedAt = performance.now();
  const [program = "", ...args] = startCommand();
  const child = spawn(program, args, {
    env: {
      PATH: process.env["PATH"],
      KITH_PORT: String(port),
      KITH_DATA_DIR: dataDir,
      KITH_LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await answers(baseUrl))) {
    if (child.exitCode !== null) throw new Error("Kith did not start");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { child, baseUrl, readyMs: performance.now() - startedAt };
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/`)).status === 200;
  } catch {
    return false;
  }
}

/** @returns the resident set in MB (1024 × 1024 bytes), ten seconds later */
async function measureIdle({ child }: Started): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS));
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function signUp({ baseUrl }: Started): Promise<void> {
  const form = new URLSearchParams({
    username: "alice",
    password: "correct horse",
  });
  const { status } = await fetch(`${baseUrl}/users/sign_up`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  if (status !== 302) throw new Error(`The sign-up answered ${status}`);
}

export async function benchStartUp(): Promise<void> {
  rmSync(COMPILED, { recursive: true, force: true });
  const uncompiled = await withKith(async (kith) => ({
    readyMs: kith.readyMs,
    idle: await measureIdle(kith),
  }));
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    process.stderr.write(`start ${round} of ${ROUNDS}\n`);
    times.push(await withKith(async ({ readyMs }) => readyMs));
  }
  const idle = await withKith(measureIdle);
  const used = await withKith(async (kith) => {
    await signUp(kith);
    return measureIdle(kith);
  });
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  writeResults({
    name: "start-up",
    head: ["", "measured", "target"],
    rows: [
      [
        `first start to first 200, median of ${ROUNDS}`,
        ms(median(times)),
        "1500 ms",
      ],
      ["the same, worst", ms(Math.max(...times)), "1500 ms"],
      ["idle memory", mb(idle), IDLE_TARGET],
      ["idle memory after one sign-up", mb(used), IDLE_TARGET],
      ["start without compiled code", ms(uncompiled.readyMs), "1500 ms"],
      ["idle memory of that one", mb(uncompiled.idle), IDLE_TARGET],
      ...measureMachine().map(({ name, value }) => [name, value, ""] as const),
    ],
  });
}

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { load } from "./http-load.ts";
import {
  fillDatabase,
  leaveCore,
  withKith,
  type KithProcess,
} from "./kith-process.ts";
import { measureMachine } from "./machine.ts";
import { writeResults } from "./results.ts";
import { prepareSenders, writeRequests, type Protocol } from "./senders.ts";

const MESSAGES = 20_000;
const SENDERS = 200;
const CONNECTIONS = 64;
const WARM_UP = 3_000;
const SERVER_CORE = 0;
const TARGETS = { diaspora: 3_000, activitypub: 3_500 } as const;

type Measured = {
  readonly accepted: number;
  readonly visible: number;
  readonly perCpuSecond: number;
  readonly peakMb: number;
};

/** Measures how fast public posts with known keys are received, until everybody can read them. */
export async function benchInbound(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const messages = Number(options.get("messages") ?? MESSAGES);
  leaveCore(SERVER_CORE);
  const rows: string[][] = [];
  for (const protocol of ["diaspora", "activitypub"] as const) {
    if (options.has("only") && options.get("only") !== protocol) continue;
    const measured = await measure(protocol, messages);
    rows.push(toRow(protocol, measured));
    process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
  }
  if (!options.has("only") || options.get("only") === "in-process") {
    rows.push(await measureInProcess(messages));
    process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
  }
  if (options.has("only")) return;
  writeResults({
    name: "inbound",
    options: messages === MESSAGES ? "" : ` --messages=${messages}`,
    head: [
      ...["", "accepted", "until visible", "per second of processor"],
      ...["target", "memory"],
    ],
    rows: [
      ...rows,
      ...measureMachine().map(({ name, value }) => [
        name,
        value,
        "",
        "",
        "",
        "",
      ]),
    ],
  });
}

function toRow(protocol: Protocol, measured: Measured): string[] {
  const rate = (value: number): string => `${value.toFixed(0)}/s`;
  const { accepted, visible, perCpuSecond, peakMb } = measured;
  return [
    protocol === "diaspora" ? "diaspora\\* public posts" : "Create of a Note",
    ...[rate(accepted), rate(visible), rate(perCpuSecond)],
    ...[rate(TARGETS[protocol]), `${peakMb.toFixed(0)} MB`],
  ];
}

async function measure(
  protocol: Protocol,
  messages: number,
): Promise<Measured> {
  const prepare = prepareSenders(protocol, SENDERS);
  return withKith({ core: SERVER_CORE }, prepare, async (kith, senders) => {
    const write = (count: number) =>
      writeRequests(protocol, kith.baseUrl, senders, count);
    const warmUp = await write(WARM_UP);
    await load(kith.port, warmUp, CONNECTIONS);
    await untilDone(kith, WARM_UP);
    return measureLoad(kith, await write(messages));
  });
}

async function measureLoad(
  kith: KithProcess,
  requests: readonly Buffer[],
): Promise<Measured> {
  const cpuBefore = kith.cpuSeconds();
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, kith.rssMb());
  }, 100);
  const startedAt = performance.now();
  const { seconds, statuses } = await load(kith.port, requests, CONNECTIONS);
  if (statuses.get(202) !== requests.length)
    throw new Error(`Not all were accepted: ${[...statuses].join("; ")}`);
  await untilDone(kith, WARM_UP + requests.length);
  const visibleSeconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  return {
    accepted: requests.length / seconds,
    visible: requests.length / visibleSeconds,
    perCpuSecond: requests.length / (kith.cpuSeconds() - cpuBefore),
    peakMb,
  };
}

/** The same as for diaspora*, but for HTTP: read, verified, and durable with all that makes it visible. */
async function measureInProcess(messages: number): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  try {
    const host = "localhost:3000";
    const senders = await fillDatabase(
      folder,
      3000,
      prepareSenders("diaspora", SENDERS),
    );
    const count = WARM_UP + messages;
    const all = await writeRequests(
      "diaspora",
      `http://${host}`,
      senders,
      count,
    );
    const lines = all.map((request) =>
      request.subarray(request.indexOf("\r\n\r\n") + 4).toString("base64"),
    );
    const file = path.join(folder, "messages");
    writeFileSync(file, lines.join("\n"));
    const { stdout } = spawnSync(
      "taskset",
      [
        ...["-c", String(SERVER_CORE), process.execPath, IN_PROCESS],
        ...[path.join(folder, "kith.sqlite"), file],
        ...[String(WARM_UP), String(CONNECTIONS), host],
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    assertStored(path.join(folder, "kith.sqlite"), count);
    const took = JSON.parse(String(stdout)) as {
      seconds: number;
      processorSeconds: number;
    };
    const perSecond = `${(messages / took.seconds).toFixed(0)}/s`;
    const perProcessor = `${(messages / took.processorSeconds).toFixed(0)}/s`;
    return [
      "diaspora\\* without HTTP: read, verify, commit",
      ...[perSecond, perSecond, perProcessor],
      ...[`${TARGETS.diaspora}/s`, ""],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IN_PROCESS = path.join(import.meta.dirname, "receive-in-process.ts");

function assertStored(file: string, posts: number): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("select count(*) as posts from posts").get();
  database.close();
  if (row?.["posts"] !== posts)
    throw new Error(`${String(row?.["posts"])} of ${posts} were stored`);
}

/** Waits until so many posts can be read, and nothing is left to do. */
async function untilDone({ file }: KithProcess, posts: number): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const left = database.prepare("select count(*) as posts from posts");
  const jobs = database.prepare(
    `select count(*) as n from jobs where kind in ('handle-inbound', 'notify')`,
  );
  for (;;) {
    const stored = Number(left.get()?.["posts"]);
    if (stored >= posts && Number(jobs.get()?.["n"]) === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  database.close();
}

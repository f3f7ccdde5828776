import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { load } from "./http-load.ts";
import {
  fileIn,
  fillDatabase,
  leaveCore,
  withKith,
  type KithProcess,
} from "./kith-process.ts";
import { measureMachine } from "./machine.ts";
import { writeResults } from "./results.ts";
import {
  prepareSenders,
  writeActivity,
  writeRequests,
  type Protocol,
} from "./senders.ts";
import { openStrangers } from "./strangers.ts";

const MESSAGES = 20_000;
const SENDERS = 200;
const CONNECTIONS = 64;
/** What runs once for each message is compiled for speed after some thousands. */
const WARM_UP = 10_000;
const WARM_UP_ON_POSTGRES = 3_000;
const SERVER_CORE = 0;
const TARGET_IN_PROCESS = 3_000;
/** How much is there already, where it is measured how the rate changes with that. */
const POSTS_BEFORE = 200_000;
/** Each of them makes Kith ask two things of the sender's server. */
const STRANGERS = 2_000;
const MESSAGES_ON_POSTGRES = 5_000;

type Case = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly target: number;
  readonly postgres?: boolean;
  readonly postsBefore?: number;
};

const CASES: Readonly<Record<string, Case>> = {
  diaspora: {
    name: "diaspora\\* public posts",
    protocol: "diaspora",
    target: 3_000,
  },
  activitypub: {
    name: "Create of a Note",
    protocol: "activitypub",
    target: 3_500,
  },
  large: {
    name: `Create of a Note, ${POSTS_BEFORE} posts before`,
    protocol: "activitypub",
    target: 3_500,
    postsBefore: POSTS_BEFORE,
  },
  postgres: {
    name: "Create of a Note, PostgreSQL on the same processor",
    protocol: "activitypub",
    target: 1_750,
    postgres: true,
  },
};

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
  const only = options.get("only")?.split(",");
  const note = (row: string[]) => {
    rows.push(row);
    process.stderr.write(`${row.join(" | ")}\n`);
  };
  for (const [name, one] of Object.entries(CASES)) {
    if (only && !only.includes(name)) continue;
    const count = one.postgres
      ? Math.min(messages, MESSAGES_ON_POSTGRES)
      : messages;
    note(toRow(one, await measure(one, count)));
  }
  if (!only || only.includes("strangers"))
    note(
      toRow(
        { name: "Create by senders never seen before", target: 500 },
        await measureStrangers(Math.min(messages, STRANGERS)),
      ),
    );
  if (!only || only.includes("in-process"))
    note(await measureInProcess(messages));
  if (only) return;
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

function toRow(
  { name, target }: Pick<Case, "name" | "target">,
  measured: Measured,
): string[] {
  const rate = (value: number): string => `${value.toFixed(0)}/s`;
  const { accepted, visible, perCpuSecond, peakMb } = measured;
  return [
    ...[name, rate(accepted), rate(visible), rate(perCpuSecond)],
    ...[rate(target), `${peakMb.toFixed(0)} MB`],
  ];
}

async function measure(one: Case, messages: number): Promise<Measured> {
  const { protocol, postgres = false, postsBefore = 0 } = one;
  const options = { core: SERVER_CORE, postgres };
  const prepare = prepareSenders(protocol, SENDERS, postsBefore);
  return withKith(options, prepare, async (kith, senders) => {
    const write = (count: number) =>
      writeRequests(protocol, kith.baseUrl, senders, count);
    const before = await kith.count(COUNT_POSTS);
    const warmUp = postgres ? WARM_UP_ON_POSTGRES : WARM_UP;
    const first = await write(warmUp);
    // Written before, too: V8 gives up compiled code of a server that nothing is asked of.
    const measured = await write(messages);
    await load(kith.port, first, CONNECTIONS);
    await untilDone(kith, before + warmUp);
    return measureLoad(kith, measured);
  });
}

/** Each message is by somebody else, of whom nothing is known, to somebody here. */
async function measureStrangers(messages: number): Promise<Measured> {
  const strangers = await openStrangers();
  try {
    const prepare = prepareSenders("activitypub", 1);
    return await withKith({ core: SERVER_CORE }, prepare, async (kith) => {
      const reader = await actorOf(kith);
      const write = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, number) =>
            writeActivity(kith.baseUrl, strangers.next(), number, reader),
          ),
        );
      const few = Math.ceil(messages / 10);
      await load(kith.port, await write(few), CONNECTIONS);
      await untilDone(kith, few);
      return measureLoad(kith, await write(messages));
    });
  } finally {
    await strangers.close();
  }
}

async function actorOf({ baseUrl }: KithProcess): Promise<string> {
  const { host } = new URL(baseUrl);
  const found = await fetch(
    `${baseUrl}/.well-known/webfinger?resource=acct:reader@${host}`,
  );
  const { links } = (await found.json()) as {
    links: { rel: string; type?: string; href?: string }[];
  };
  const self = links.find(
    ({ rel, type }) => rel === "self" && type === "application/activity+json",
  );
  if (!self?.href) throw new Error("The reader has no actor");
  return self.href;
}

async function measureLoad(
  kith: KithProcess,
  requests: readonly Buffer[],
): Promise<Measured> {
  const before = await kith.count(COUNT_POSTS);
  const cpuBefore = kith.cpuSeconds();
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, kith.rssMb());
  }, 100);
  const startedAt = performance.now();
  const { seconds, statuses } = await load(kith.port, requests, CONNECTIONS);
  if (statuses.get(202) !== requests.length)
    throw new Error(`Not all were accepted: ${[...statuses].join("; ")}`);
  await untilDone(kith, before + requests.length);
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
      { dataDir: folder, port: 3000, location: fileIn(folder) },
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
      ...[`${TARGET_IN_PROCESS}/s`, ""],
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

const COUNT_POSTS = "select count(*) as n from posts";
const COUNT_JOBS =
  "select count(*) as n from jobs where kind in ('handle-inbound', 'notify')";

/** Waits until so many posts can be read, and nothing is left to do. */
async function untilDone(kith: KithProcess, posts: number): Promise<void> {
  while (
    (await kith.count(COUNT_POSTS)) < posts ||
    (await kith.count(COUNT_JOBS)) > 0
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
}

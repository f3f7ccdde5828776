import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../kit/http-load.ts";
import { measureInProcess } from "../kit/inbound-in-process.ts";
import {
  leaveCore,
  untilIdle,
  withKith,
  type KithProcess,
} from "../kit/kith-process.ts";
import { measureMachine } from "../kit/machine.ts";
import { findReader, openTimeline, type Timeline } from "../kit/reader.ts";
import { writeResults } from "../kit/results.ts";
import {
  prepareSenders,
  writeActivity,
  writeRequests,
  type Protocol,
} from "../kit/senders.ts";
import { measureActs, type ActsMeasured } from "./acts.ts";
import { openStrangers } from "./strangers.ts";

const MESSAGES = 20_000;
const SENDERS = 200;
const CONNECTIONS = 64;
/** V8 optimizes the code of a message after some thousands of messages. */
const WARM_UP = 10_000;
/** Of a server that has just started. */
const COLD_SECONDS = 10;
/** Messages a second that are prepared for it: more than it can take. */
const MAX_COLD_RATE = 4_000;
const SERVER_CORE = 0;
/** The number of existing posts, for measuring their influence on the rate. */
const POSTS_BEFORE = 200_000;
/** Each causes two requests to the sender's server. */
const STRANGERS = 2_000;

/** Servers give times in seconds: a post written a second later is newer. */
const A_SECOND_MS = 1_100;

type Case = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly target: number;
  readonly postgres?: boolean;
  readonly databaseCore?: number;
  readonly postsBefore?: number;
  /** Without a warm-up, for ten seconds. */
  readonly isCold?: boolean;
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
  start: {
    name: `Create of a Note, the first ${COLD_SECONDS} s after a start`,
    protocol: "activitypub",
    target: 2_000,
    isCold: true,
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
  "postgres-apart": {
    name: "Create of a Note, PostgreSQL on another processor",
    protocol: "activitypub",
    target: 3_000,
    postgres: true,
    databaseCore: 1,
  },
};

/** Of each kind. */
const ACTS = 3_000;

type Measured = {
  readonly accepted: number;
  readonly visible: number;
  readonly perCpuSecond: number;
  readonly peakMb: number;
};

/** Measures how fast public posts with known keys are received, until everyone can read them. */
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
    note(toRow(one, await measure(one, messages)));
  }
  if (!only || only.includes("strangers"))
    note(
      toRow(
        { name: "Create by senders never seen before", target: 500 },
        await measureStrangers(Math.min(messages, STRANGERS)),
      ),
    );
  for (const postgres of [false, true]) {
    const name = postgres ? "acts-postgres" : "acts";
    if (only && !only.includes(name)) continue;
    const options = { core: SERVER_CORE, postgres };
    await measureActs(options, Math.min(messages, ACTS), (one) =>
      note(toActRow(one, postgres)),
    );
  }
  if (!only || only.includes("in-process"))
    note(
      await measureInProcess({
        ...{ messages, warmUp: WARM_UP, people: SENDERS },
        ...{ connections: CONNECTIONS, core: SERVER_CORE },
      }),
    );
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
  const { protocol, postgres = false, postsBefore = 0, databaseCore } = one;
  const options = {
    ...{ core: SERVER_CORE, postgres },
    ...(databaseCore !== undefined && { databaseCore }),
  };
  const prepare = prepareSenders(protocol, SENDERS, postsBefore);
  return withKith(options, prepare, async (kith, senders) => {
    const write = (from: number, count: number) =>
      writeRequests(protocol, kith.baseUrl, senders, { from, count });
    if (one.isCold === true) {
      const requests = await write(0, COLD_SECONDS * MAX_COLD_RATE);
      const timeline = await openTimeline(kith.baseUrl);
      const first = { requests, from: 0, forSeconds: COLD_SECONDS };
      return measureLoad(kith, timeline, first);
    }
    const first = await write(0, WARM_UP);
    await sleep(A_SECOND_MS);
    // Write first, because V8 discards optimized code of an idle server.
    const measured = await write(WARM_UP, messages);
    const timeline = await openTimeline(kith.baseUrl);
    await load(kith.port, first, CONNECTIONS);
    await timeline.untilVisible(WARM_UP, 0);
    await untilIdle(kith);
    return measureLoad(kith, timeline, { requests: measured, from: WARM_UP });
  });
}

function toActRow(
  { name, ...measured }: ActsMeasured,
  postgres: boolean,
): string[] {
  const { accepted, applied, perCpuSecond } = measured;
  const rates = [accepted, applied, perCpuSecond].map(
    (value) => `${value.toFixed(0)}/s`,
  );
  return [postgres ? `${name}, PostgreSQL` : name, ...rates, "", ""];
}

/** Each message is by another unknown person, and mentions a local one. */
async function measureStrangers(messages: number): Promise<Measured> {
  const strangers = await openStrangers();
  try {
    const prepare = prepareSenders("activitypub", 1);
    return await withKith({ core: SERVER_CORE }, prepare, async (kith) => {
      const reader = await findReader(kith.baseUrl);
      const write = (from: number, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, i) =>
            writeActivity(kith.baseUrl, strangers.next(), from + i, reader),
          ),
        );
      const few = Math.ceil(messages / 10);
      const timeline = await openTimeline(kith.baseUrl);
      await load(kith.port, await write(0, few), CONNECTIONS);
      await timeline.untilVisible(few, 0);
      await untilIdle(kith);
      await sleep(A_SECOND_MS);
      const requests = await write(few, messages);
      return measureLoad(kith, timeline, { requests, from: few });
    });
  } finally {
    await strangers.close();
  }
}

/** Messages to be sent: the number of the first one, and for how long at most. */
type Load = {
  readonly requests: readonly Buffer[];
  readonly from: number;
  readonly forSeconds?: number;
};

async function measureLoad(
  kith: KithProcess,
  timeline: Timeline,
  { requests, from, forSeconds }: Load,
): Promise<Measured> {
  const cpuBefore = kith.cpuSeconds();
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, kith.rssMb());
  }, 100);
  const startedAt = performance.now();
  const loaded = await load(kith.port, requests, CONNECTIONS, forSeconds);
  const { seconds, statuses, latencies } = loaded;
  const count = latencies.length;
  if (statuses.get(202) !== count)
    throw new Error(`Not all were accepted: ${[...statuses].join("; ")}`);
  const visibleAt = await timeline.untilVisible(count, from);
  const visibleSeconds = (visibleAt - startedAt) / 1000;
  await untilIdle(kith);
  clearInterval(watch);
  return {
    accepted: count / seconds,
    visible: count / visibleSeconds,
    perCpuSecond: count / (kith.cpuSeconds() - cpuBefore),
    peakMb,
  };
}

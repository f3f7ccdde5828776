import { DatabaseSync } from "node:sqlite";
import { load } from "./http-load.ts";
import { leaveCore, withKith, type KithProcess } from "./kith-process.ts";
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

import {
  deliveriesTo,
  hostNumber,
  HOSTS,
  INBOXES,
  prepareFollowers,
  type Followers,
  type HostBehavior,
} from "./kit/followers.ts";
import { openSink, type Sink } from "./kit/http-sink.ts";
import { leaveCore, withKith, type KithProcess } from "./kit/kith-process.ts";
import { measureMachine, measurePosts, measureSigning } from "./kit/machine.ts";
import { writeResults } from "./kit/results.ts";

/** Deliveries before the measurement, to open connections and compile code. */
const WARM_UP = 2_000;
const SERVER_CORE = 0;
/** The pause after which unused memory has been released. */
const REST_MS = 50_000;
type Measured = {
  readonly rate: number;
  readonly perCpuSecond: number;
  readonly peakMb: number;
  /** A while after the last delivery. */
  readonly restMb: number;
  /** Milliseconds from the first arrival to each arrival at a healthy host, ascending. */
  readonly waits: readonly number[];
  /** RSA-2048 signatures per second of processor, measured just before. */
  readonly signing: number;
};

type Case = Followers & {
  readonly name: string;
  readonly core?: number;
  readonly postgres?: boolean;
  readonly target: string;
};

const CASES: Readonly<Record<string, Case>> = {
  activitypub: {
    name: `ActivityPub, ${INBOXES} personal inboxes on ${HOSTS} hosts`,
    protocol: "activitypub",
    core: SERVER_CORE,
    target: "2000/s",
  },
  shared: {
    name: `ActivityPub, ${INBOXES} followers behind ${HOSTS} shared inboxes`,
    protocol: "activitypub",
    core: SERVER_CORE,
    target: "2000/s",
    isShared: true,
  },
  diaspora: {
    name: `diaspora\\*, ${INBOXES} pods`,
    protocol: "diaspora",
    core: SERVER_CORE,
    target: "2000/s",
  },
  postgres: {
    name: "the same personal inboxes on PostgreSQL, both on one processor",
    protocol: "activitypub",
    core: SERVER_CORE,
    postgres: true,
    target: "1000/s",
  },
  cores: {
    name: "the same personal inboxes, all processors",
    protocol: "activitypub",
    target: "3200/s",
  },
  healthy: {
    name: "ActivityPub, healthy hosts only: 700 personal inboxes on 140 hosts",
    protocol: "activitypub",
    core: SERVER_CORE,
    target: "2000/s",
    behaviorOf: (host) =>
      behaviorOf(host) === "healthy" ? "healthy" : "absent",
  },
  mixed: {
    name: "the same with 20 % of 200 hosts down and 10 % slow",
    protocol: "activitypub",
    core: SERVER_CORE,
    target: "2000/s",
    behaviorOf,
  },
};

/** Of ten hosts one refuses connections, one accepts them and stays silent, one answers after five seconds. */
function behaviorOf(host: number): HostBehavior {
  const behaviors = ["refusing", "silent", "slow"] as const;
  return behaviors[host % 10] ?? "healthy";
}

/** Measures how fast public posts are delivered to many inboxes. */
export async function benchOutbound(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  leaveCore(SERVER_CORE);
  const only = options.get("only")?.split(",");
  const rows: string[][] = [];
  const measured = new Map<string, Measured>();
  for (const [name, one] of Object.entries(CASES)) {
    if (only && !only.includes(name)) continue;
    const result = await measure(one);
    measured.set(name, result);
    rows.push(toRow(one, result));
    process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
  }
  rows.push(
    ...compareLatencies(measured.get("healthy"), measured.get("mixed")),
  );
  if (only) {
    for (const row of rows.slice(measured.size))
      process.stderr.write(`${row.join(" | ")}\n`);
    return;
  }
  const limits = [...measureMachine(), await measureBarePosts()];
  writeResults({
    name: "outbound",
    head: [
      "",
      "delivered",
      "processor per 1000",
      "of bare signing",
      "target",
      "memory",
      "later",
    ],
    rows: [...rows, ...limits.map(({ name, value }) => [name, value])],
  });
}

function toRow({ name, target }: Case, measured: Measured): string[] {
  const { rate, perCpuSecond, peakMb, restMb, signing } = measured;
  return [
    name,
    `${rate.toFixed(0)}/s`,
    `${(1000 / perCpuSecond).toFixed(2)} s`,
    `${((100 * perCpuSecond) / signing).toFixed(0)} % of ${signing}/s`,
    target,
    `${peakMb.toFixed(0)} MB`,
    `${restMb.toFixed(0)} MB`,
  ];
}

/** The extra latency of healthy hosts while others are down. */
function compareLatencies(alone?: Measured, among?: Measured): string[][] {
  if (!alone || !among) return [];
  return [0.5, 0.95, 1].map((part) => {
    const at = ({ waits }: Measured) =>
      waits[Math.ceil(part * waits.length) - 1] ?? NaN;
    const seconds = (at(among) - at(alone)) / 1000;
    const name = part === 1 ? "maximum" : `${part * 100}th percentile`;
    return [
      `extra latency of healthy hosts: ${name}`,
      `${seconds.toFixed(2)} s`,
      "",
      "",
      "0.5 s",
      "",
    ];
  });
}

async function measureBarePosts() {
  const sink = await openSink();
  try {
    return await measurePosts(sink.port);
  } finally {
    await sink.close();
  }
}

async function measure(one: Case): Promise<Measured> {
  const signing = measureSigning();
  const sink = await openSink((address) => {
    const behavior = one.behaviorOf?.(hostNumber(address)) ?? "healthy";
    return behavior === "slow" || behavior === "silent" ? behavior : "healthy";
  });
  try {
    const prepare = prepareFollowers(one, sink.port);
    const { core, postgres = false } = one;
    const options = { postgres, ...(core === undefined ? {} : { core }) };
    const deliveries = deliveriesTo(one, "healthy");
    const others = deliveriesTo(one) - deliveries - deliveriesTo(one, "absent");
    return await withKith(options, prepare, async (kith) => ({
      ...(await watch(kith, sink, deliveries, others)),
      signing,
    }));
  } finally {
    await sink.close();
  }
}

async function watch(
  kith: KithProcess,
  sink: Sink,
  deliveries: number,
  others: number,
): Promise<Omit<Measured, "signing">> {
  const arrived = async (count: number): Promise<void> => {
    while (sink.arrivals.length < count)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await arrived(WARM_UP);
  const [from, first] = [kith.cpuSeconds(), sink.arrivals.length];
  let peakMb = 0;
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, kith.rssMb());
  }, 100);
  await arrived(deliveries);
  const begin = sink.arrivals[0] ?? NaN;
  const startedAt = sink.arrivals[first - 1] ?? NaN;
  const seconds = ((sink.arrivals.at(-1) ?? NaN) - startedAt) / 1000;
  await untilStored(kith, others);
  clearInterval(watching);
  const count = deliveries - first;
  const perCpuSecond = count / (kith.cpuSeconds() - from);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return {
    rate: count / seconds,
    perCpuSecond,
    peakMb,
    restMb: kith.rssMb(),
    waits: sink.arrivals.map((at) => at - begin).toSorted((a, b) => a - b),
  };
}

/** Waits until the deliveries are durably recorded. */
async function untilStored(kith: KithProcess, left: number): Promise<void> {
  while (
    (await kith.count(
      "select count(*) as n from jobs where kind = 'deliver'",
    )) > left
  )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

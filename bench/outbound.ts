import { DatabaseSync } from "node:sqlite";
import { saveSharing } from "../packages/server/src/features/contacts/contact-store.ts";
import { NO_ADDRESSES } from "../packages/server/src/features/people/index.ts";
import { systemClock, timestamp } from "../packages/server/src/lib/clock.ts";
import { newGuid } from "../packages/server/src/lib/guids.ts";
import { generateKeyPairSync } from "node:crypto";
import { openSink, type Manner, type Sink } from "./http-sink.ts";
import {
  leaveCore,
  withKith,
  type KithProcess,
  type Prepare,
} from "./kith-process.ts";
import { measureMachine } from "./machine.ts";
import { writeResults } from "./results.ts";
import type { Protocol } from "./senders.ts";

const INBOXES = 1_000;
const HOSTS = 200;
const POSTS = 10;
/** Deliveries before the measurement: connections and compiled code. */
const WARM_UP = 2_000;
const SERVER_CORE = 0;

type Measured = {
  readonly rate: number;
  readonly perCpuSecond: number;
  readonly peakMb: number;
};

type Case = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly core?: number;
  readonly target: string;
  readonly mannerOf?: (address: string) => Manner;
};

const CASES: Readonly<Record<string, Case>> = {
  activitypub: {
    name: `ActivityPub, ${INBOXES} inboxes on ${HOSTS} hosts`,
    protocol: "activitypub",
    core: SERVER_CORE,
    target: "2000/s",
  },
  diaspora: {
    name: `diaspora\\*, ${INBOXES} pods`,
    protocol: "diaspora",
    core: SERVER_CORE,
    target: "2000/s",
  },
  cores: {
    name: "ActivityPub, all processors",
    protocol: "activitypub",
    target: "3200/s",
  },
  ill: {
    name: "ActivityPub, the living while 20 % are dead and 10 % slow",
    protocol: "activitypub",
    core: SERVER_CORE,
    target: "2000/s",
    mannerOf: (address) => mannerOf(hostNumber(address)),
  },
};

function mannerOf(host: number): Manner {
  return host % 10 < 2 ? "dead" : host % 10 === 2 ? "slow" : "well";
}

/** Measures how fast public posts go out to many inboxes. */
export async function benchOutbound(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  leaveCore(SERVER_CORE);
  const only = options.get("only");
  const rows: string[][] = [];
  for (const [name, one] of Object.entries(CASES)) {
    if (only !== undefined && only !== name) continue;
    const measured = await measure(one);
    rows.push(toRow(one, measured));
    process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
  }
  if (only !== undefined) return;
  writeResults({
    name: "outbound",
    head: ["", "delivered", "per second of processor", "target", "memory"],
    rows: [
      ...rows,
      ...measureMachine().map(({ name, value }) => [name, value, "", "", ""]),
    ],
  });
}

function toRow({ name, target }: Case, measured: Measured): string[] {
  const { rate, perCpuSecond, peakMb } = measured;
  return [
    name,
    `${rate.toFixed(0)}/s`,
    `${perCpuSecond.toFixed(0)}/s`,
    target,
    `${peakMb.toFixed(0)} MB`,
  ];
}

async function measure(one: Case): Promise<Measured> {
  const sink = await openSink(one.mannerOf);
  try {
    const prepare = prepareFollowers(one.protocol, sink.port);
    const options = one.core === undefined ? {} : { core: one.core };
    return await withKith(options, prepare, (kith) =>
      watch(kith, sink, expected(one)),
    );
  } finally {
    await sink.close();
  }
}

/** How many deliveries the hosts that are well get. */
function expected({ mannerOf: manner }: Case): number {
  const living = Array.from({ length: INBOXES }, (_, i) => i).filter(
    (i) => (manner?.(addressOf(i % HOSTS)) ?? "well") === "well",
  );
  return living.length * POSTS;
}

async function watch(
  kith: KithProcess,
  sink: Sink,
  deliveries: number,
): Promise<Measured> {
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
  const startedAt = sink.arrivals[first - 1] ?? NaN;
  const seconds = ((sink.arrivals.at(-1) ?? NaN) - startedAt) / 1000;
  await untilStored(kith, INBOXES * POSTS - deliveries);
  clearInterval(watching);
  const count = deliveries - first;
  return {
    rate: count / seconds,
    perCpuSecond: count / (kith.cpuSeconds() - from),
    peakMb,
  };
}

/** Waits until it is durable that they were delivered. */
async function untilStored({ file }: KithProcess, left: number): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const jobs = database.prepare(
    `select count(*) as n from jobs where kind = 'deliver'`,
  );
  while (Number(jobs.get()?.["n"]) > left)
    await new Promise((resolve) => setTimeout(resolve, 20));
  database.close();
}

/** An author here whose posts wait to be sent to all who share with it. */
function prepareFollowers(protocol: Protocol, port: number): Prepare<void> {
  return async ({ features, db }) => {
    const signedUp = await features.accounts.signUp({
      username: "author",
      password: "correct horse battery",
    });
    if (signedUp.kind !== "created") throw new Error("No account");
    const userId = signedUp.account.id;
    const author = await features.people.find({ userId });
    if (!author) throw new Error("No person");
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    for (let i = 0; i < INBOXES; i++) {
      const person = await features.people.storeRemote(
        follower(protocol, port, i, pem),
      );
      if (!person) throw new Error("The person could not be stored");
      const now = timestamp(systemClock.now());
      await db.transaction((tx) =>
        saveSharing(tx, userId, person.id, true, now),
      );
    }
    for (let i = 0; i < POSTS; i++)
      await features.posts.publish({
        author: { userId, personId: author.id },
        text: `Something that is worth to be told to all of them, number ${i}.`,
      });
  };
}

function addressOf(host: number): string {
  return `127.0.${1 + Math.floor(host / 200)}.${1 + (host % 200)}`;
}

function hostNumber(address: string): number {
  const [third = 1, fourth = 1] = address.split(".").slice(2).map(Number);
  return (third - 1) * 200 + fourth - 1;
}

function follower(protocol: Protocol, port: number, i: number, pem: string) {
  const host = addressOf(protocol === "diaspora" ? i : i % HOSTS);
  const base = `http://${host}:${port}`;
  const handle = `follower${i}@${host}:${port}`;
  const common = { handle, guid: newGuid(), profile: {} };
  if (protocol === "diaspora")
    return {
      ...common,
      publicKeyPem: pem,
      keys: [],
      protocols: ["diaspora"] as const,
      addresses: { ...NO_ADDRESSES, seedLocation: `${base}/` },
    };
  const actorUri = `${base}/u/${i}`;
  const addresses = {
    ...NO_ADDRESSES,
    actorUri,
    inboxUri: `${actorUri}/inbox`,
  };
  return {
    ...common,
    keys: [{ keyId: `${actorUri}#main-key`, publicKeyPem: pem }],
    protocols: ["activitypub"] as const,
    addresses,
  };
}

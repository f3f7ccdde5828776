import { load, toRequest } from "../kit/http-load.ts";
import { untilIdle, type KithProcess } from "../kit/kith-process.ts";
import { writeMarkdownText } from "../kit/messages.ts";
import { cpuSecondsOfPostgres } from "../kit/processor-time.ts";
import { writeActivity, type Sender } from "../kit/senders.ts";
import type { People } from "./people.ts";

/** A post arrives before every so many home timelines. */
const HOMES_PER_POST = 25;

/** A Kith under comparison. */
export type Build = { readonly kith: KithProcess; readonly people: People };

/** The cost of a slice of load. */
export type Cost = {
  /** Of all threads of Kith, and of PostgreSQL, until the last job is done. */
  readonly processorSeconds: number;
  /** Until the last answer. */
  readonly seconds: number;
};

/** A slice of load. Requests are numbered on from slice to slice. */
export type Slice = {
  readonly name: string;
  readonly count: number;
  readonly connections: number;
  readonly write: (build: Build, number: number) => Promise<Buffer>;
};

export const SLICES: readonly Slice[] = [
  { name: "receive", count: 200, connections: 64, write: writeReceived },
  {
    name: "receive from strangers",
    count: 60,
    connections: 32,
    write: async ({ kith, people }, number) =>
      writeActivity(kith.baseUrl, people.nextStranger(), number, people.reader),
  },
  {
    name: "post",
    count: 60,
    connections: 32,
    write: async (build, number) =>
      writePost(build, number, build.people.tokens, build.people.senders[0]),
  },
  {
    name: "post without deliveries",
    count: 200,
    connections: 32,
    write: async (build, number) =>
      writePost(build, number, build.people.lonely),
  },
  {
    name: "home, while posts arrive",
    count: 300,
    connections: 32,
    write: (build, number) =>
      number % HOMES_PER_POST === 0
        ? writeReceived(build, number)
        : writeHome(build, number),
  },
];

/** Sends one slice, and waits for its consequences. */
export async function measureSlice(
  build: Build,
  { write, connections }: Slice,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Cost> {
  const { kith } = build;
  const requests: Buffer[] = [];
  for (let number = from; number < from + count; number += 1)
    requests.push(await write(build, number));
  await untilIdle(kith);
  const before = cpuSecondsOfBoth(kith);
  const { seconds, statuses } = await load(kith.port, requests, connections);
  const done = (statuses.get(200) ?? 0) + (statuses.get(202) ?? 0);
  if (done !== count)
    throw new Error(`Not all were answered: ${[...statuses].join("; ")}`);
  await untilIdle(kith);
  return { seconds, processorSeconds: cpuSecondsOfBoth(kith) - before };
}

function cpuSecondsOfBoth({ cpuSeconds, location }: KithProcess): number {
  return location.kind === "postgres"
    ? cpuSeconds() + cpuSecondsOfPostgres(location.url)
    : cpuSeconds();
}

async function writeReceived(
  { kith, people: { senders } }: Build,
  number: number,
): Promise<Buffer> {
  const sender = senders[number % senders.length];
  const named = senders[(number + 1) % senders.length];
  if (!sender || !named) throw new Error("Nobody sends");
  return writeActivity(kith.baseUrl, sender, number, named);
}

function writePost(
  { kith }: Build,
  number: number,
  tokens: readonly string[],
  named?: Sender,
): Buffer {
  const text = writeMarkdownText(number, named);
  return toRequest(
    `${kith.baseUrl}/api/v0/posts`,
    {
      access_token: tokenOf(tokens, number),
      "content-type": "application/x-www-form-urlencoded",
    },
    `aspectID=0&post=${encodeURIComponent(text)}`,
  );
}

async function writeHome(
  { kith, people }: Build,
  number: number,
): Promise<Buffer> {
  return toRequest(`${kith.baseUrl}/api/v0/posts?limit=20`, {
    access_token: tokenOf(people.tokens, number),
  });
}

const tokenOf = (tokens: readonly string[], number: number): string =>
  tokens[number % tokens.length] ?? "";

import { setTimeout as sleep } from "node:timers/promises";
import { fill } from "./kit/fill/fill-timelines.ts";
import { load, toRequest, type LoadResult } from "./kit/http-load.ts";
import {
  leaveCore,
  untilIdle,
  withKith,
  type KithOptions,
  type KithProcess,
  type Prepare,
} from "./kit/kith-process.ts";
import type { UserId } from "../packages/server/src/features/ids.ts";
import { storeSenders, writeActivity, type Sender } from "./kit/senders.ts";
import { measureMachine } from "./kit/machine.ts";
import { writeMarkdownText } from "./kit/messages.ts";
import { READER } from "./kit/reader.ts";
import { writeResults } from "./kit/results.ts";

const PEOPLE = 16;
const CONNECTIONS = 32;
const HOME = "/api/v0/posts?limit=20";
const SERVER_CORE = 0;
const PAGES = 5_000;
const WRITTEN = 10_000;
const MEANWHILE_PER_SECOND = 20;
/** Remote people whose posts arrive. */
const SENDERS = 20;
/** The pause after which unused memory has been released. */
const REST_MS = 60_000;

type Row = readonly string[];
type Place = { readonly name: string; readonly posts: number } & KithOptions;

const PLACES: readonly Place[] = [
  { name: "20000 posts", posts: 20_000, core: SERVER_CORE },
  { name: "200000 posts", posts: 200_000, core: SERVER_CORE },
  { name: "PostgreSQL", posts: 0, core: SERVER_CORE, postgres: true },
];

/** A kind of load: requests that are all answered 200. */
export type Load = {
  readonly name: string;
  readonly target: string;
  readonly count: number;
  readonly write: (token: string, number: number) => Buffer;
  /** Remote posts arrive throughout. */
  readonly isDisturbed?: boolean;
};

/** Measures how fast local users write posts and read their streams, over HTTP with tokens. */
export async function benchApi(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  leaveCore(SERVER_CORE);
  const only = options.get("posts");
  const places = PLACES.filter(
    ({ posts }) => only === undefined || posts === Number(only),
  );
  const rows: Row[] = [];
  for (const place of places)
    rows.push(...(await measurePlace(place, options.get("only"))));
  if (options.size > 0) return;
  writeResults({
    name: "api",
    head: [
      ...["", "per second", "per second of processor"],
      ...["p50", "p99", "target", "memory"],
    ],
    rows: [
      ...rows,
      ...measureMachine().map(({ name, value }) => [name, value]),
    ],
  });
}

function measurePlace(place: Place, only?: string): Promise<Row[]> {
  const { name, posts, postgres = false } = place;
  return withKith(place, preparePeople(posts), async (kith, people) => {
    const homes =
      only === "posts" ? [] : homesOf(kith, people.tokens, postgres);
    const writing = only === "home" ? [] : [writingOf(kith, postgres)];
    const rows: Row[] = [];
    // PostgreSQL starts empty, and is read after writing.
    for (const one of postgres
      ? [...writing, ...homes]
      : [...homes, ...writing]) {
      const row = await measureLoad(kith, people, one);
      rows.push([`${one.name}, ${name}`, ...row]);
      process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
    }
    await sleep(REST_MS);
    rows.push([
      `a minute later, ${name}`,
      ...["", "", "", "", "", `${kith.rssMb().toFixed(0)} MB`],
    ]);
    return rows;
  });
}

/** Home timelines: of one reader with contacts, of many, and of many during writes. */
function homesOf(
  { baseUrl }: KithProcess,
  [reader = ""]: readonly string[],
  isHalf: boolean,
): Load[] {
  const target = isHalf ? "2500/s" : "5000/s";
  const home = (token: string) =>
    toRequest(baseUrl + HOME, { access_token: token });
  return [
    {
      name: "home, one reader",
      target,
      count: PAGES,
      write: () => home(reader),
    },
    { name: "home, many readers", target, count: PAGES, write: home },
    {
      name: `home, many readers, while ${MEANWHILE_PER_SECOND} posts/s arrive`,
      ...{ target, count: PAGES, write: home, isDisturbed: true },
    },
  ];
}

const writingOf = ({ baseUrl }: KithProcess, isHalf: boolean): Load => ({
  name: "posts written",
  target: isHalf ? "1000/s" : "2000/s",
  count: WRITTEN,
  write: (token, number) => {
    const text = writeMarkdownText(number);
    return toRequest(
      `${baseUrl}/api/v0/posts`,
      {
        access_token: token,
        "content-type": "application/x-www-form-urlencoded",
      },
      `aspectID=0&post=${encodeURIComponent(text)}`,
    );
  },
});

export async function measureLoad(
  kith: KithProcess,
  { tokens, senders }: People,
  one: Load,
): Promise<string[]> {
  const requests = (many: number) =>
    Array.from({ length: many }, (_, number) =>
      one.write(tokens[number % tokens.length] ?? "", number),
    );
  await untilIdle(kith);
  await load(kith.port, requests(one.count / 10), CONNECTIONS);
  const stop = one.isDisturbed ? disturb(kith, senders) : async () => {};
  const row = await measure(kith, requests(one.count), stop);
  return [...row.slice(0, 4), one.target, ...row.slice(4)];
}

/** Sends remote posts at a constant rate until it is stopped. */
function disturb(
  { baseUrl, port }: KithProcess,
  senders: readonly Sender[],
): () => Promise<void> {
  const running: Promise<void>[] = [];
  const send = async (number: number): Promise<void> => {
    const sender = senders[number % senders.length];
    const named = senders[(number + 1) % senders.length];
    if (!sender || !named) throw new Error("Nobody sends");
    const request = await writeActivity(baseUrl, sender, number, named);
    const { statuses } = await load(port, [request], 1);
    if (statuses.get(202) !== 1) throw new Error("A post was not accepted");
  };
  const timer = setInterval(() => {
    running.push(send(running.length));
  }, 1000 / MEANWHILE_PER_SECOND);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
  };
}

async function measure(
  kith: KithProcess,
  requests: readonly Buffer[],
  stop: () => Promise<void>,
): Promise<string[]> {
  const before = kith.cpuSeconds();
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, kith.rssMb());
  }, 100);
  const result = await load(kith.port, requests, CONNECTIONS);
  clearInterval(watch);
  await stop();
  if (result.statuses.get(200) !== requests.length)
    throw new Error(
      `Not all were answered: ${[...result.statuses].join("; ")}`,
    );
  const processor = kith.cpuSeconds() - before;
  return [
    `${(requests.length / result.seconds).toFixed(0)}/s`,
    `${(requests.length / processor).toFixed(0)}/s`,
    quantile(result, 0.5),
    quantile(result, 0.99),
    `${peakMb.toFixed(0)} MB`,
  ];
}

function quantile({ latencies }: LoadResult, part: number): string {
  const ms = latencies[Math.floor(latencies.length * part)] ?? NaN;
  return `${ms.toFixed(1)} ms`;
}

type People = {
  readonly tokens: readonly string[];
  readonly senders: readonly Sender[];
};

/** A reader (user 1) with contacts and a full stream, new users, and remote people. */
export function preparePeople(posts: number): Prepare<People> {
  return async (kith) => {
    const { features, location } = kith;
    const tokens: string[] = [];
    let readerId: UserId | undefined;
    for (let number = 0; number < PEOPLE; number += 1) {
      const username = number === 0 ? READER.username : `person${number}`;
      const { password } = READER;
      const signedUp = await features.accounts.signUp({ username, password });
      if (signedUp.kind !== "created") throw new Error("No account");
      readerId ??= signedUp.account.id;
      const { token } = await features.accounts.issueToken({
        username,
        password,
        clientId: "bench",
      });
      tokens.push(token);
      if (number === 0 && posts > 0 && location.kind === "sqlite")
        fill(location.file, posts);
    }
    if (readerId === undefined) throw new Error("Nobody reads");
    const senders = await storeSenders(kith, "activitypub", SENDERS, readerId);
    return { tokens, senders };
  };
}

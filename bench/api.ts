import { setTimeout as sleep } from "node:timers/promises";
import { fill } from "./fill-timelines.ts";
import { load, toRequest, type LoadResult } from "./http-load.ts";
import {
  leaveCore,
  withKith,
  type KithProcess,
  type Prepare,
} from "./kith-process.ts";
import { measureMachine } from "./machine.ts";
import { writeResults } from "./results.ts";

const POSTS = [20_000, 200_000] as const;
const PEOPLE = 16;
const CONNECTIONS = 32;
const HOME = "/api/v0/posts?limit=20";
const SERVER_CORE = 0;
/** After which memory that is not needed any more was given back. */
const REST_MS = 60_000;

type Row = readonly string[];

/** Measures how fast people here write posts and read their streams, over HTTP with tokens. */
export async function benchApi(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  leaveCore(SERVER_CORE);
  const sizes = options.has("posts") ? [Number(options.get("posts"))] : POSTS;
  const rows: Row[] = [];
  for (const posts of sizes)
    rows.push(...(await measureSize(posts, options.get("only"))));
  if (options.size > 0) return;
  writeResults({
    name: "api",
    head: [
      ...["", "per second", "per second of processor"],
      ...["p50", "p99", "target", "memory", "a minute later"],
    ],
    rows: [
      ...rows,
      ...measureMachine().map(({ name, value }) => [name, value]),
    ],
  });
}

function measureSize(posts: number, only?: string): Promise<Row[]> {
  const prepare = preparePeople(posts);
  return withKith({ core: SERVER_CORE }, prepare, async (kith, tokens) => {
    const rows: Row[] = [];
    const measureOne = async (
      name: string,
      target: string,
      write: (token: string, number: number) => Buffer,
      count: number,
    ) => {
      const requests = (many: number) =>
        Array.from({ length: many }, (_, number) =>
          write(tokens[number % tokens.length] ?? "", number),
        );
      await load(kith.port, requests(count / 10), CONNECTIONS);
      const row = await measure(kith, requests(count));
      rows.push([
        `${name}, ${posts} posts`,
        ...row.slice(0, 4),
        target,
        ...row.slice(4),
      ]);
      process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
    };
    const home = `${kith.baseUrl}${HOME}`;
    const [reader = ""] = tokens;
    if (only !== "posts") {
      await measureOne(
        "home, of one reader",
        "5000/s",
        () => toRequest(home, { access_token: reader }),
        5_000,
      );
      await measureOne(
        "home, of many",
        "5000/s",
        (token) => toRequest(home, { access_token: token }),
        5_000,
      );
    }
    if (only !== "home")
      await measureOne(
        "posts written",
        "2000/s",
        (token, number) =>
          toRequest(
            `${kith.baseUrl}/api/v0/posts`,
            {
              access_token: token,
              "content-type": "application/x-www-form-urlencoded",
            },
            `aspectID=0&post=${encodeURIComponent(`A public post, number ${number}, about nothing in particular. #kith`)}`,
          ),
        10_000,
      );
    return rows;
  });
}

async function measure(
  kith: KithProcess,
  requests: readonly Buffer[],
): Promise<string[]> {
  const before = kith.cpuSeconds();
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, kith.rssMb());
  }, 100);
  const result = await load(kith.port, requests, CONNECTIONS);
  clearInterval(watch);
  if (result.statuses.get(200) !== requests.length)
    throw new Error(
      `Not all were answered: ${[...result.statuses].join("; ")}`,
    );
  const processor = kith.cpuSeconds() - before;
  await sleep(REST_MS);
  return [
    `${(requests.length / result.seconds).toFixed(0)}/s`,
    `${(requests.length / processor).toFixed(0)}/s`,
    quantile(result, 0.5),
    quantile(result, 0.99),
    `${peakMb.toFixed(0)} MB`,
    `${kith.rssMb().toFixed(0)} MB`,
  ];
}

function quantile({ latencies }: LoadResult, part: number): string {
  const ms = latencies[Math.floor(latencies.length * part)] ?? NaN;
  return `${ms.toFixed(1)} ms`;
}

/** A reader who is user 1, with contacts and a full stream, and others who have just come. */
function preparePeople(posts: number): Prepare<string[]> {
  return async ({ features, file }) => {
    const tokens: string[] = [];
    for (let number = 0; number < PEOPLE; number += 1) {
      const username = number === 0 ? "reader" : `person${number}`;
      const password = "correct horse";
      await features.accounts.signUp({ username, password });
      const { token } = await features.accounts.issueToken({
        username,
        password,
        clientId: "bench",
      });
      tokens.push(token);
      if (number === 0) fill(file, posts);
    }
    return tokens;
  };
}

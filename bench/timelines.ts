import type { Filled } from "./kit/fill/fill-timelines.ts";
import {
  machineRows,
  measureFilled,
  measureOwnTime,
  type Figures,
  type Started,
} from "./kit/own-time.ts";
import { writeResults } from "./kit/results.ts";

const POSTS = 1_000_000;
const TARGET_MS = 10;

/** A request, and whether it has a target. */
type Case = { readonly name: string; readonly path: string };

/** Measures the server's own time per request, with a full database. */
export async function benchTimelines(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const posts = Number(options.get("posts") ?? POSTS);
  const rows = await measureFilled(posts, (kith, { token }, filled) =>
    measureAll(kith, token, filled),
  );
  writeResults({
    name: "timelines",
    options: posts === POSTS ? "" : ` --posts=${posts}`,
    head: [
      "",
      ...["p50", "p95", "processor p50", "processor p95"],
      ...["× baseline", "target p95"],
    ],
    rows: [...rows, ...machineRows(7)],
  });
}

async function measureAll(
  kith: Started,
  token: string,
  filled: Filled,
): Promise<string[][]> {
  const measure = (wanted: string) =>
    measureOwnTime(kith, {
      ...{ path: `/api/v0${wanted}`, headers: { access_token: token } },
    });
  const plain = `/posts/${filled.plainGuid}`;
  const baseline = await measure(plain);
  const rows: string[][] = [
    toRow("GET /posts/:id, the baseline", baseline, baseline, ""),
  ];
  for (const { name, path: wanted } of casesOf(filled)) {
    const figures = await measure(wanted);
    rows.push(toRow(name, figures, baseline, `${TARGET_MS} ms`));
    process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
  }
  return rows;
}

function casesOf({ crowdedGuid, authorGuid }: Filled): Case[] {
  const streams = [0, 1, 2].flatMap((visibility) =>
    [0, 1000].map((offset) => ({
      name: `GET /posts, visibility ${visibility}, offset ${offset}`,
      path: `/posts?visibility=${visibility}&offset=${offset}`,
    })),
  );
  const person = `/people/${encodeURIComponent(authorGuid)}/stream`;
  return [
    ...streams,
    {
      name: "GET /posts, visibility 0, offset 10000",
      path: "/posts?offset=10000",
    },
    { name: "the same, offset 99999", path: "/posts?offset=99999" },
    { name: "the same, offset 2^53 - 1", path: `/posts?offset=${2 ** 53 - 1}` },
    { name: "GET /people/:id/stream", path: person },
    { name: "GET /notifications", path: "/notifications" },
    {
      name: "GET /notifications, unread, offset 100",
      path: "/notifications?unread=true&offset=100",
    },
    {
      name: "GET /posts/:id with 10000 comments, likes, reshares",
      path: `/posts/${crowdedGuid}`,
    },
    {
      name: "its comments, offset 9990",
      path: `/posts/${crowdedGuid}/comments?offset=9990`,
    },
    { name: "its likes", path: `/posts/${crowdedGuid}/likes` },
    { name: "its reshares", path: `/posts/${crowdedGuid}/reshares` },
  ];
}

function toRow(
  name: string,
  { p50, p95 }: Figures,
  baseline: Figures,
  target: string,
): string[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const ratio = (p50.processor / baseline.p50.processor).toFixed(1);
  const byClock = [ms(p50.clock), ms(p95.clock)];
  const byProcessor = [ms(p50.processor), ms(p95.processor)];
  return [name, ...byClock, ...byProcessor, ratio, target];
}

import { gzipSync } from "node:zlib";
import type { Filled } from "./kit/fill/fill-timelines.ts";
import {
  machineRows,
  measureFilled,
  measureOwnTime,
  type Started,
} from "./kit/own-time.ts";
import { writeResults } from "./kit/results.ts";

const POSTS = 100_000;

type Case = {
  readonly name: string;
  readonly path: string;
  readonly target?: string;
};

/** Measures the main pages: the server's own time, and the bytes of their HTML. */
export async function benchPages(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const posts = Number(options.get("posts") ?? POSTS);
  const rows = await measureFilled(posts, async (kith, { cookie }, filled) => [
    ...(await measurePages(kith, filled, cookie)),
    ["a first visit, with style and module", ...(await firstVisit(kith))],
  ]);
  writeResults({
    name: "pages",
    options: posts === POSTS ? "" : ` --posts=${posts}`,
    head: [
      "",
      ...["p50", "p95", "processor p50", "HTML", "compressed", "target p50"],
    ],
    rows: [...rows, ...machineRows(7)],
  });
}

function casesOf({ plainGuid, crowdedGuid, authorGuid }: Filled): Case[] {
  return [
    { name: "Home, 20 posts", path: "/home", target: "3 ms" },
    { name: "Home, everything known", path: "/home?show=all" },
    { name: "a post", path: `/posts/${plainGuid}` },
    { name: "a post with 10,000 comments", path: `/posts/${crowdedGuid}` },
    { name: "a profile", path: `/people/${authorGuid}` },
    { name: "Notifications", path: "/notifications" },
    { name: "Events", path: "/events" },
    { name: "People", path: "/people" },
    { name: "the whole form for a post", path: "/write" },
    { name: "Settings", path: "/settings" },
  ];
}

async function measurePages(
  kith: Started,
  filled: Filled,
  cookie: string,
): Promise<string[][]> {
  const rows: string[][] = [];
  const headers = { cookie, accept: "text/html" };
  for (const { name, path: at, target = "" } of casesOf(filled)) {
    const { p50, p95 } = await measureOwnTime(kith, { path: at, headers });
    const page = await fetch(kith.baseUrl + at, { headers });
    const [plain, small] = sizesOf(await page.text());
    const times = [p50.clock, p95.clock, p50.processor].map(
      (ms) => `${ms.toFixed(1)} ms`,
    );
    rows.push([name, ...times, kilobytes(plain), kilobytes(small), target]);
    process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
  }
  return rows;
}

/** The first page, with all that it names but pictures. */
async function firstVisit({ baseUrl }: Started): Promise<string[]> {
  const read = async (at: string) =>
    (await fetch(baseUrl + at, { headers: { accept: "text/html" } })).text();
  const page = await read("/");
  const named = [
    ...page.matchAll(
      /<(?:link rel="stylesheet"|script)[^>]* (?:href|src)="([^"]+)"/g,
    ),
  ].map(([, at = ""]) => at);
  const all = [page, ...(await Promise.all(named.map(read)))].map(sizesOf);
  const sum = (which: 0 | 1) =>
    all.reduce((total, sizes) => total + sizes[which], 0);
  return ["", "", "", kilobytes(sum(0)), kilobytes(sum(1)), "60 kB"];
}

function sizesOf(text: string): readonly [plain: number, compressed: number] {
  return [Buffer.byteLength(text), gzipSync(text).length];
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

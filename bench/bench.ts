import { benchApi } from "./api.ts";
import { benchCalendars } from "./calendars.ts";
import { benchClient } from "./client.ts";
import { benchCompare } from "./compare/compare.ts";
import { benchInbound } from "./inbound/inbound.ts";
import { benchOutbound } from "./outbound.ts";
import { benchPages } from "./pages.ts";
import { benchScaling } from "./scaling.ts";
import { benchSearch } from "./search.ts";
import { benchSockets } from "./sockets.ts";
import { benchStartUp } from "./start-up.ts";
import { benchStreams } from "./streams.ts";
import { benchTimelines } from "./timelines.ts";

// npm run bench [-- name …] [-- --posts=100000]

const BENCHES: Readonly<
  Record<string, (options: ReadonlyMap<string, string>) => Promise<void>>
> = {
  "start-up": benchStartUp,
  api: benchApi,
  calendars: benchCalendars,
  client: benchClient,
  compare: benchCompare,
  inbound: benchInbound,
  // It has what others measure counted as soon as it is loaded.
  "longest-hold": async (given) =>
    (await import("./longest-hold.ts")).benchLongestHold(given),
  outbound: benchOutbound,
  pages: benchPages,
  scaling: benchScaling,
  search: benchSearch,
  sockets: benchSockets,
  streams: benchStreams,
  timelines: benchTimelines,
};

const args = process.argv.slice(2);
const options = new Map(
  args.flatMap((arg) => {
    const [, name = "", value = ""] = /^--([a-z]+)=(.*)$/.exec(arg) ?? [];
    return name === "" ? [] : [[name, value] as const];
  }),
);
const named = args.filter((arg) => !/^--[a-z]+=/.test(arg));
for (const name of named.length > 0 ? named : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (!bench)
    throw new Error(
      `There is no bench ${name}; there are ${Object.keys(BENCHES).join(", ")}`,
    );
  await bench(options);
}

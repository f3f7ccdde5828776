import { measureLoad, preparePeople, type Load } from "./api.ts";
import {
  leaveCore,
  withKith,
  type KithOptions,
  type KithProcess,
} from "./kit/kith-process.ts";
import { toRequest } from "./kit/http-load.ts";
import { writeResults } from "./kit/results.ts";

const SERVER_CORE = 0;
const PAGES = 3_000;

type Place = { readonly name: string; readonly posts: number } & KithOptions;

const PLACES: readonly Place[] = [
  { name: "20000 posts", posts: 20_000, core: SERVER_CORE },
  { name: "PostgreSQL", posts: 0, core: SERVER_CORE, postgres: true },
];

/** Measures what apps of Mastodon read most often, over HTTP with tokens. */
export async function benchClient(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  leaveCore(SERVER_CORE);
  const only = options.get("only");
  const rows: (readonly string[])[] = [];
  for (const place of PLACES) {
    const { name, posts } = place;
    await withKith(place, preparePeople(posts), async (kith, people) => {
      for (const one of await loadsOf(kith, people.tokens)) {
        if (only !== undefined && !one.name.includes(only)) continue;
        const row = await measureLoad(kith, people, one);
        rows.push([`${one.name}, ${name}`, ...row]);
        process.stderr.write(`${rows.at(-1)?.join(" | ") ?? ""}\n`);
      }
    });
  }
  if (options.size > 0) return;
  writeResults({
    name: "client",
    options: "",
    head: [
      ...["", "per second", "per second of processor"],
      ...["p50", "p99", "target", "memory"],
    ],
    rows,
  });
}

async function loadsOf(
  kith: KithProcess,
  tokens: readonly string[],
): Promise<Load[]> {
  const { baseUrl } = kith;
  const [reader = ""] = tokens;
  const id = await writeStatus(baseUrl, tokens[1] ?? reader);
  const get = (path: string) => (token: string) =>
    toRequest(`${baseUrl}/api/v1${path}`, { authorization: `Bearer ${token}` });
  const home = get("/timelines/home?limit=20");
  const load = (name: string, target: string, write: Load["write"]): Load => ({
    ...{ name, target, count: PAGES, write },
  });
  return [
    load("home, one reader", "1000/s", () => home(reader)),
    load("home, many readers", "1000/s", home),
    {
      ...load("home, many readers, while 20 posts/s arrive", "500/s", home),
      isDisturbed: true,
    },
    load("one status", "2000/s", get(`/statuses/${id}`)),
    load("verify_credentials", "2000/s", get("/accounts/verify_credentials")),
    load("notifications", "1000/s", () =>
      get("/notifications?limit=30")(reader),
    ),
    load("the instance, without a token", "5000/s", () =>
      toRequest(`${baseUrl}/api/v2/instance`, {}),
    ),
  ];
}

/** @returns its id */
async function writeStatus(baseUrl: string, token: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/statuses`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ status: "A *status* for all #bench" }),
  });
  if (!answer.ok) throw new Error(`A status answered ${answer.status}`);
  return ((await answer.json()) as { id: string }).id;
}

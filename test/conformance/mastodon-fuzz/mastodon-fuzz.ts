import assert from "node:assert/strict";
import { test } from "node:test";
import { ROWS } from "../../../packages/server/test/mastodon/rows.ts";
import { createScopedApp } from "../../../packages/server/test/support/mastodon/scoped-app.ts";
import { IS_LONG_RUN } from "../../../packages/server/test/support/scenes/long-run.ts";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import {
  useKith,
  type KithServer,
} from "../../../packages/server/test/support/server/kith-server.ts";
import {
  injectCall,
  type InjectedAnswer,
} from "../../../packages/server/test/support/streams/inject-call.ts";
import { Random } from "../../support/random.ts";
import { watchWrites } from "../watch-writes.ts";
import { learnIds } from "./learn-ids.ts";
import {
  makeMastodonCall,
  resourceOf,
  type MastodonCall,
  type Target,
} from "./mastodon-calls.ts";
import { MastodonWorld, type Owner } from "./mastodon-world.ts";

const SEED = Number(process.env["KITH_FUZZ_SEED"] ?? 20_261_128);
const CALLS_PER_DATABASE = Number(
  process.env["KITH_FUZZ_CALLS"] ?? (IS_LONG_RUN ? 10_000 : 200),
);
/** From so many calls on, every route must have succeeded. */
const ENOUGH_CALLS = 10_000;
const SETTLE_EVERY = 250;
/** One hashes a password, the other takes away what others need. */
const SELDOM = new Set(["POST /v1/accounts", "POST /v1/notifications/clear"]);
/** Some are not served, and others need something that no call makes. */
const NEVER = new Set<string>([
  ...["GET /v1/timelines/direct", "POST /v1/statuses/:id/translate"],
  ...["GET /v1/instance/terms_of_service/:date"],
  // Nobody waits: sign-up is open.
  ...["approve", "reject"].map((name) => `POST /v1/admin/accounts/:id/${name}`),
]);
/** Bodies of the calls that the table does not name. */
const BODIES: Readonly<Record<string, Target["body"]>> = {
  "POST /v1/admin/accounts/:id/action": { type: "silence", text: "row" },
  "POST /v1/admin/email_domain_blocks": { domain: "row.example" },
  "POST /v1/admin/canonical_email_blocks": { email: "a@row.example" },
  "POST /v1/admin/canonical_email_blocks/test": { email: "a@row.example" },
  "POST /v1/admin/ip_blocks": { ip: "192.0.2.0/24", severity: "no_access" },
  "POST /v1/accounts": {
    ...{ username: "{fresh}", password: "correct horse battery" },
    agreement: true,
  },
};

/** Streams, each left as soon as it has begun. */
const STREAMS: readonly Target[] = [
  ...["user", "user/notification", "direct", "public", "public/local"],
  ...["public/remote", "hashtag?tag=row", "hashtag/local?tag=row"],
  ...["list?list={List}", "health"],
].map((name) => {
  const [path = "", query] = name.split("?");
  const target = { method: "GET", path: `/v1/streaming/${path}` } as const;
  return query === undefined ? target : { ...target, query };
});

/** Calls every route of the client API, mostly wrongly, on one kind of database. */
export function fuzzMastodonOn(kind: DatabaseKind): void {
  const kith = useKith(kind);
  const name = `${kind}: ${CALLS_PER_DATABASE} calls of Mastodon's routes, KITH_FUZZ_SEED=${SEED}`;

  test(name, async (t) => {
    const counts = await fuzz(kith(), new Random(SEED));
    const lines = [...counts].map(
      ([route, { called, succeeded }]) => `${route} ${succeeded}/${called}`,
    );
    t.diagnostic(`succeeded: ${lines.join(", ")}`);
    const all = [...counts.values()];
    const sum = (of: (count: Count) => number) =>
      all.reduce((total, count) => total + of(count), 0);
    t.diagnostic(`${sum((it) => it.succeeded)} of ${sum((it) => it.called)}`);
    assert.ok(
      sum((it) => it.succeeded) > sum((it) => it.called) / 4,
      "Hardly any call succeeds: what they name is not there",
    );
    const never = [...counts].filter(
      ([route, { succeeded }]) => succeeded === 0 && !NEVER.has(route),
    );
    if (CALLS_PER_DATABASE >= ENOUGH_CALLS)
      assert.deepEqual(
        never.map(([route]) => route),
        [],
      );
  });
}

type Count = { called: number; succeeded: number };

const routeOf = ({ method, path }: Target) => `${method} ${path}`;

/** The table of calls, and the routes that are called elsewhere. */
function listTargets(kith: KithServer): Target[] {
  const known = new Set(ROWS.map(routeOf));
  const others = createScopedApp(kith).routes.filter(
    (route) => !known.has(routeOf(route)),
  );
  return [
    ...ROWS,
    ...STREAMS,
    ...others.map(({ method, path }) => ({
      ...{ method, path },
      body: BODIES[`${method} ${path}`] ?? {},
    })),
  ];
}

async function fuzz(
  kith: KithServer,
  random: Random,
): Promise<Map<string, Count>> {
  const targets = listTargets(kith);
  const world = await MastodonWorld.open(kith);
  await kith.settle();
  const readVersion = await watchWrites(kith);
  const counts = new Map(
    targets.map((it) => [routeOf(it), { called: 0, succeeded: 0 }]),
  );
  for (let n = 0; n < CALLS_PER_DATABASE; n += 1) {
    if (n % SETTLE_EVERY === SETTLE_EVERY - 1) await kith.settle();
    const target = pickTarget(targets, random);
    const call = makeMastodonCall(target, world, random);
    const before = await readVersion();
    const answer = await injectCall(kith.app, call.request);
    const hasChanged = (await readVersion()) !== before;
    checkAnswer(n, call, answer, hasChanged, world);
    const count = counts.get(routeOf(target));
    if (count) count.called += 1;
    if (count && answer.status < 300) count.succeeded += 1;
    await takeIn(kith, world, call, answer);
  }
  return counts;
}

function pickTarget(targets: readonly Target[], random: Random): Target {
  const picked = random.pick(targets);
  const isSeldom = SELDOM.has(routeOf(picked));
  return isSeldom && random.isLikely(0.8) ? random.pick(targets) : picked;
}

/** No server error, no change by a refused call, and nothing that is not for this reader. */
function checkAnswer(
  n: number,
  { request, caller }: MastodonCall,
  { status, headers, text }: InjectedAnswer,
  hasChanged: boolean,
  { secrets }: MastodonWorld,
): void {
  const what = () =>
    `call ${n} of seed ${SEED}: ${caller.owner.person.username} ${JSON.stringify(request).slice(0, 1_500)}: ${status} ${text.slice(0, 500)}`;
  assert.ok(status < 500, what());
  assert.ok(status < 400 || !hasChanged, `It changed something: ${what()}`);
  secrets.check(text, caller.viewer, what);
  if (request.method === "HEAD" || status < 400) return;
  assert.match(String(headers["content-type"]), /^application\/json\b/, what());
  const { error } = JSON.parse(text) as { error?: unknown };
  assert.ok(typeof error === "string" && error !== "", what());
}

/** Calls after which those whom they name may read what the caller's followers read. */
const RELATING =
  /^POST \/v1\/(?:accounts\/:id\/follow|follow_requests\/:id\/authorize|lists\/:id\/accounts)$/;

async function takeIn(
  kith: KithServer,
  world: MastodonWorld,
  call: MastodonCall,
  { status, text }: InjectedAnswer,
): Promise<void> {
  const { caller, target, readers, named } = call;
  const { owner, viewer, isFull } = caller;
  if (status === 429) kith.clock.advance(60_000);
  const isLost = status === 401 || /currently disabled/.test(text);
  if (isFull && isLost) return world.replace(owner);
  if (status !== 200 || text === "" || text === "OK") return;
  const value: unknown = JSON.parse(text);
  learnIds(world, value, viewer);
  if (Array.isArray(value) || target.method !== "GET")
    learnListed(world, resourceOf(target.path), value, viewer);
  if (target.path.endsWith("/follow"))
    for (const other of named) world.noteAsking(owner, other);
  if (RELATING.test(routeOf(target)))
    for (const other of named) world.secrets.relate(owner, other);
  const { id } = (value ?? {}) as { id?: unknown };
  if (readers && typeof id === "string") world.secrets.remember(id, readers);
}

/** The records of a resource, whose kind only its path names. */
function learnListed(
  world: MastodonWorld,
  resource: string,
  value: unknown,
  by: Owner | undefined,
): void {
  for (const one of [value].flat()) {
    const { id } = (one ?? {}) as { id?: unknown };
    if (typeof id === "string") world.learnId(resource, id, by);
  }
}

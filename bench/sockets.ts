import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { storeJson } from "../packages/server/src/db/schema/columns/json-text.ts";
import { hashSecret } from "../packages/server/src/features/accounts/index.ts";
import type { UserId } from "../packages/server/src/features/ids.ts";
import { withKith, type Prepare } from "./kit/kith-process.ts";
import { writeResults } from "./kit/results.ts";

const ACCOUNTS = 1_000;
const SOCKETS_EACH = 10;
const POSTS = 20;
const SETTLE_MS = 5_000;
const AT_ONCE = 100;
const PASSWORD = "correct horse battery";

type People = { readonly author: string; readonly tokens: readonly string[] };

/** One account is signed up; its rows are copied, because keys and passwords take long. */
const copyAccounts: Prepare<People> = async ({ features, db }) => {
  const username = "author";
  await features.accounts.signUp({ username, password: PASSWORD });
  const { token: author } = await features.accounts.issueToken({
    ...{ username, password: PASSWORD, clientId: "bench" },
  });
  const app = await features.oauth.register({
    ...{ name: "bench", redirectUris: ["app://"], scopes: "read" },
    ...{ website: undefined, from: "127.0.0.1" },
  });
  const tokens = Array.from({ length: ACCOUNTS }, (_, n) =>
    `reader-${n}-`.padEnd(43, "x"),
  );
  await db.transaction(async (tx) => {
    for (const [n, token] of tokens.entries()) {
      const name = `reader${n}`;
      const { rows } = await sql<{ id: UserId }>`
        insert into users (username, password_hash, role, state, locale, time_zone, created_at, updated_at)
        select ${name}, password_hash, role, state, locale, time_zone, created_at, updated_at
        from users where username = ${username} returning id`.execute(tx);
      const [{ id } = { id: 0 as UserId }] = rows;
      await sql`
        insert into people (user_id, guid, handle, public_key_pem, state, created_at, updated_at)
        select ${id}, ${`guid-${n}`}, ${`${name}@localhost`}, public_key_pem, state, created_at, updated_at
        from people where user_id is not null order by id limit 1`.execute(tx);
      await tx
        .insertInto("oauth_accesses")
        .values({
          ...{ app_id: app.id, user_id: id, token_hash: hashSecret(token) },
          scopes: storeJson(["read"]),
          ...{ code_hash: null, created_at: new Date().toISOString() },
          last_used_at: new Date().toISOString(),
        })
        .execute();
    }
  });
  return { author, tokens };
};

/** Measures the cost of an open socket, and how soon it gets a public post. */
export async function benchSockets(): Promise<void> {
  const row = await withKith({}, copyAccounts, async (kith, people) => {
    const { baseUrl, rssMb, cpuSeconds } = kith;
    await sleep(SETTLE_MS);
    const before = rssMb();
    const sockets = await openAll(baseUrl, people.tokens);
    await sleep(SETTLE_MS);
    const after = rssMb();
    const idleSince = cpuSeconds();
    await sleep(SETTLE_MS);
    const idle = ((cpuSeconds() - idleSince) * 1000) / SETTLE_MS;
    const delays = await measureDelays(baseUrl, people.author, sockets);
    const peak = rssMb();
    for (const socket of sockets) socket.close();
    const each = ((after - before) * 1024) / sockets.length;
    return [
      `${sockets.length} sockets of ${ACCOUNTS} accounts, stream public`,
      `${before.toFixed(0)} MB`,
      `${after.toFixed(0)} MB`,
      `${each.toFixed(1)} KiB`,
      `${(idle * 100).toFixed(0)} %`,
      `${peak.toFixed(0)} MB`,
      `${percentile(delays, 0.5).toFixed(0)} ms`,
      `${percentile(delays, 0.95).toFixed(0)} ms`,
    ];
  });
  writeResults({
    name: "sockets",
    options: "",
    head: [
      ...["", "without", "idle", "each (target 10)", "processor while idle"],
      ...["after posts", "p50", "p95"],
    ],
    rows: [row],
  });
}

async function openAll(
  baseUrl: string,
  tokens: readonly string[],
): Promise<WebSocket[]> {
  const all = tokens.flatMap((token) =>
    Array.from({ length: SOCKETS_EACH }, () => token),
  );
  const url = `${baseUrl.replace("http", "ws")}/api/v1/streaming?stream=public`;
  const sockets: WebSocket[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = all.slice(start, start + AT_ONCE).map(async (token) => {
      const socket = new WebSocket(url, [token]);
      await once(socket, "open");
      sockets.push(socket);
    });
    await Promise.all(some);
  }
  return sockets;
}

/** From the call that publishes a post until each socket has it. */
async function measureDelays(
  baseUrl: string,
  token: string,
  sockets: readonly WebSocket[],
): Promise<number[]> {
  const delays: number[] = [];
  let startedAt = 0;
  let missing = 0;
  let finish = () => {};
  for (const socket of sockets)
    socket.addEventListener("message", () => {
      delays.push(performance.now() - startedAt);
      missing -= 1;
      if (missing === 0) finish();
    });
  for (let n = 0; n < POSTS; n += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    finish = resolve;
    missing = sockets.length;
    startedAt = performance.now();
    const answer = await fetch(`${baseUrl}/api/v0/posts`, {
      method: "POST",
      body: new URLSearchParams({ post: `post ${n} #bench`, aspectID: "0" }),
      headers: { access_token: token },
    });
    if (!answer.ok) throw new Error(`A post answered ${answer.status}`);
    await promise;
  }
  return delays;
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

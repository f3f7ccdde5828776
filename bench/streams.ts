import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Prepare } from "./kit/kith-process.ts";
import { withKith } from "./kit/kith-process.ts";
import { writeResults } from "./kit/results.ts";

const ACCOUNTS = 100;
const STREAMS_EACH = 10;
const POSTS = 50;
const SETTLE_MS = 5_000;
const PASSWORD = "correct horse battery";

/** Before the server starts, because passwords take memory. @returns a token for each */
const signUpAll: Prepare<string[]> = async ({ features: { accounts } }) => {
  const tokens: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const username = `watcher${n}`;
    await accounts.signUp({ username, password: PASSWORD });
    const issued = await accounts.issueToken({
      ...{ username, password: PASSWORD },
      clientId: "bench",
    });
    tokens.push(issued.token);
  }
  return tokens;
};

/** Measures what an open stream of changes takes, and how soon it is told of a post. */
export async function benchStreams(): Promise<void> {
  const rows: string[][] = [];
  for (const postgres of [false, true])
    await withKith(
      { postgres },
      signUpAll,
      async ({ baseUrl, rssMb }, tokens) => {
        for (const token of tokens)
          await call(baseUrl, token, "POST", "/tags/bench");
        await sleep(SETTLE_MS);
        const before = rssMb();
        const streams: IncomingMessage[] = [];
        for (const token of tokens)
          for (let n = 0; n < STREAMS_EACH; n += 1)
            streams.push(await open(baseUrl, token));
        await sleep(SETTLE_MS);
        const after = rssMb();
        const delays = await measureDelays(baseUrl, tokens[0] ?? "", streams);
        const peak = rssMb();
        for (const stream of streams) stream.destroy();
        const each = ((after - before) * 1024) / streams.length;
        rows.push([
          `${streams.length} streams of ${ACCOUNTS} accounts${postgres ? ", on PostgreSQL" : ""}`,
          `${before.toFixed(0)} MB`,
          `${after.toFixed(0)} MB`,
          `${each.toFixed(1)} KiB`,
          `${peak.toFixed(0)} MB`,
          `${percentile(delays, 0.5).toFixed(0)} ms`,
          `${percentile(delays, 0.95).toFixed(0)} ms`,
        ]);
      },
    );
  writeResults({
    name: "streams",
    options: "",
    head: ["", "without", "idle", "each", "after posts", "p50", "p95"],
    rows,
  });
}

/** From the call that publishes a post until each stream has it. */
async function measureDelays(
  baseUrl: string,
  token: string,
  streams: readonly IncomingMessage[],
): Promise<number[]> {
  const delays: number[] = [];
  let startedAt = 0;
  let missing = 0;
  let finish = () => {};
  for (const stream of streams)
    stream.on("data", (text: string) => {
      if (!text.includes("event: post")) return;
      delays.push(performance.now() - startedAt);
      missing -= 1;
      if (missing === 0) finish();
    });
  for (let n = 0; n < POSTS; n += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    finish = resolve;
    missing = streams.length;
    startedAt = performance.now();
    await call(baseUrl, token, "POST", "/posts", {
      post: `post ${n} #bench`,
      aspectID: "0",
    });
    await promise;
  }
  return delays;
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

async function call(
  baseUrl: string,
  token: string,
  method: string,
  path: string,
  form: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(`${baseUrl}/api/v0${path}`, {
    method,
    body: new URLSearchParams(form),
    headers: { access_token: token },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

const agent = new Agent({ maxSockets: Infinity });

async function open(baseUrl: string, token: string): Promise<IncomingMessage> {
  const headers = { access_token: token };
  const asked = request(`${baseUrl}/api/v0/changes`, { agent, headers }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  if (response.statusCode !== 200)
    throw new Error(`A stream: ${response.statusCode}`);
  response.on("error", () => {});
  return response.setEncoding("utf8");
}

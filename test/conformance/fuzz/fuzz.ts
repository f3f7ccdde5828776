import { injectCall } from "../../../packages/server/test/support/streams/inject-call.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiDocument } from "../../../packages/server/src/http/api-document.ts";
import { REFUSED_STATUS } from "../../../packages/server/test/support/server/answer-watch.ts";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { IS_LONG_RUN } from "../../../packages/server/test/support/scenes/long-run.ts";
import {
  useKith,
  type KithServer,
} from "../../../packages/server/test/support/server/kith-server.ts";
import {
  listOperations,
  makeCall,
  type FuzzCall,
  type FuzzOperation,
} from "./fuzz-calls.ts";
import { Random } from "../../support/random.ts";
import { FuzzWorld } from "./fuzz-world.ts";
import { watchWrites } from "../watch-writes.ts";

const SEED = Number(process.env["KITH_FUZZ_SEED"] ?? 20_261_121);
const CALLS_PER_DATABASE = Number(
  process.env["KITH_FUZZ_CALLS"] ?? (IS_LONG_RUN ? 10_000 : 1_500),
);
const SETTLE_EVERY = 500;
const NEWCOMER_EVERY = 1000;
/** For operations that have not succeeded yet: most need an existing object that is not deleted. */
const MORE_CALLS = 800;
const RENEW_EVERY = 50;
/** Hashing a password takes as long as twenty other calls. */
const SELDOM = new Set([
  "createToken",
  "deleteAccount",
  "moveAway",
  "moveHere",
  "signMove",
]);

type Count = { called: number; succeeded: number };

/** Calls every operation of the document, with valid and invalid parameters, on one kind of database. */
export function fuzzOn(kind: DatabaseKind): void {
  const kith = useKith(kind, { env: { KITH_INVITATIONS: "users" } });
  const name = `${kind}: ${CALLS_PER_DATABASE} calls made from the document, KITH_FUZZ_SEED=${SEED}`;

  test(name, async (t) => {
    const counts = await fuzz(kith(), new Random(SEED));
    const lines = [...counts].map(
      ([id, { called, succeeded }]) => `${id} ${succeeded}/${called}`,
    );
    t.diagnostic(`succeeded: ${lines.join(", ")}`);
    const never = [...counts]
      .filter(([, { succeeded }]) => succeeded === 0)
      .map(([id]) => id);
    assert.deepEqual(
      never,
      [],
      "These operations never succeeded: fuzz-values.ts has to say what their parameters take",
    );
  });
}

async function fuzz(
  kith: KithServer,
  random: Random,
): Promise<Map<string, Count>> {
  const answer = await kith.app.inject("/api/v0/openapi.json");
  const document = answer.json<ApiDocument>();
  const operations = listOperations(document);
  const world = await FuzzWorld.open(kith, document);
  const counts = new Map<string, Count>(
    operations.map(({ operation }) => [
      operation.operationId,
      { called: 0, succeeded: 0 },
    ]),
  );
  const readVersion = await watchWrites(kith);
  const callOne = async (n: number, operation: FuzzOperation) => {
    const call = makeCall(operation, world, random);
    const before = await readVersion();
    const { status, text } = await send(kith, call);
    const changed = status >= 400 && (await readVersion()) !== before;
    checkAnswer(n, call, status, text, changed);
    await takeIn(kith, world, counts, call, status, text);
  };
  for (let n = 0; n < CALLS_PER_DATABASE; n += 1) {
    if (n % SETTLE_EVERY === SETTLE_EVERY - 1) await kith.settle();
    if (n % NEWCOMER_EVERY === NEWCOMER_EVERY - 1) await world.addUser();
    await callOne(n, pickOperation(operations, random));
  }
  for (const one of operations)
    for (let n = 0; n < MORE_CALLS && !hasSucceeded(counts, one); n += 1) {
      // The required object may be created by a job, or be one that is not deleted yet.
      if (n % RENEW_EVERY === RENEW_EVERY - 1) await kith.settle();
      if (n % RENEW_EVERY === 0) await world.addUser();
      await callOne(CALLS_PER_DATABASE + n, one);
      await callOne(CALLS_PER_DATABASE + n, random.pick(operations));
      for (const maker of makersOf(one, operations))
        await callOne(CALLS_PER_DATABASE + n, maker);
    }
  return counts;
}

/**
 * The operations that create the objects needed by an operation: `POST /posts` for
 * `GET /posts/{id}/likes`, and also `POST /posts/{id}/comments` for
 * `GET /comments/{id}/history`; `POST /reports` for `/admin/reports/{id}`; and
 * `POST /people/{id}/ignore` for its `DELETE`.
 */
function makersOf(
  { path }: FuzzOperation,
  operations: readonly FuzzOperation[],
): FuzzOperation[] {
  const kind = path.split("/", 2).join("/");
  const within = (of: string) =>
    operations.filter(
      (one) =>
        one.method === "POST" &&
        (of === one.path || of.startsWith(`${one.path}/`)),
    );
  const [, named] = /^\/admin\/([^/]+)\/\{/.exec(path) ?? [];
  const creators = operations.filter(
    (one) => one.method === "POST" && one.path === `/${named}`,
  );
  const below = operations.filter(
    (one) => one.method === "POST" && one.path.endsWith(`}${kind}`),
  );
  // Objects that no call creates are found in their list.
  const [list = kind] = path.split("/{");
  const lists = operations.filter(
    (one) => one.method === "GET" && [kind, list].includes(one.path),
  );
  return [
    ...creators,
    ...lists,
    ...within(path),
    ...below.flatMap((one) => [...within(one.path), one]),
  ];
}

function hasSucceeded(
  counts: ReadonlyMap<string, Count>,
  { operation }: FuzzOperation,
): boolean {
  return (counts.get(operation.operationId)?.succeeded ?? 0) > 0;
}

function pickOperation(
  operations: readonly FuzzOperation[],
  random: Random,
): FuzzOperation {
  const picked = random.pick(operations);
  const isSeldom = SELDOM.has(picked.operation.operationId);
  return isSeldom && random.isLikely(0.8) ? random.pick(operations) : picked;
}

function send({ app }: KithServer, { request }: FuzzCall) {
  return injectCall(app, request);
}

/** No server error, no undocumented answer, and no change by a refused call. */
function checkAnswer(
  n: number,
  call: FuzzCall,
  status: number,
  text: string,
  changed: boolean,
): void {
  const fault =
    status === 500 || status === REFUSED_STATUS
      ? `it was answered ${status}`
      : changed && `it was answered ${status}, but it changed something`;
  if (fault !== false)
    assert.fail(
      `call ${n} of seed ${SEED}: ${fault}: ${describeCall(call)}: ${text.slice(0, 500)}`,
    );
}

function describeCall({ request, user }: FuzzCall): string {
  return `${user.username} ${JSON.stringify(request).slice(0, 800)}`;
}

async function takeIn(
  kith: KithServer,
  world: FuzzWorld,
  counts: Map<string, Count>,
  { target, user, isMeantWell }: FuzzCall,
  status: number,
  text: string,
): Promise<void> {
  const { operation } = target;
  const count = counts.get(operation.operationId);
  if (!count) throw new Error(`${operation.operationId} is not counted`);
  if (isMeantWell) count.called += 1;
  if (status === 429) kith.clock.advance(60_000);
  const isPublic = operation.security?.length === 0;
  const isLost = status === 401 || (status === 403 && user === world.admin);
  if (isMeantWell && isLost && !isPublic) await world.replace(user);
  if (!isMeantWell || status !== 200) return;
  count.succeeded += 1;
  const answer = operation.responses["200"];
  if (!answer || "$ref" in answer) return;
  const schema = answer.content?.["application/json"]?.schema;
  if (schema) world.learn(schema, JSON.parse(text));
}

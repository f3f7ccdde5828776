import type { Case, CaseFolder, Item, ServedDocument } from "./case-file.ts";
import { check, isFromLog, isPositive } from "./checks/checks.ts";
import type { KeyRing } from "./network/keys.ts";
import { indexedActor } from "./network/network-actors.ts";
import type { Network } from "./network/network.ts";
import type { Outcome } from "./outcome.ts";
import { Records } from "./shown/records.ts";
import {
  BASE_URL,
  HOST,
  type ServerUnderTest,
} from "./server/server-under-test.ts";
import { Service } from "./shown/service.ts";
import { keepSnapshot } from "./shown/snapshot.ts";
import { makeStep, serveDocument } from "./steps/steps.ts";
import {
  CannotDo,
  fillInAll,
  localActor,
  seenOnNetwork,
  waitForQuiet,
  wordOf,
  type World,
} from "./world.ts";

/** The outcome of one assertion of a case. */
export type Judged = Outcome & { readonly assertion: string };

/** The outcome of a case. */
export type Played = {
  readonly file: string;
  readonly passed: boolean;
  /** The first failed assertion, or failed setup; empty on success. */
  readonly failure: string;
  /** The response statuses of the action. */
  readonly answers: readonly string[];
  readonly judged: readonly Judged[];
  readonly skipped: number;
  readonly manual: number;
  /** Requests to the network since the action started. */
  readonly network: readonly string[];
  readonly tookMs: number;
};

/** Tokens of the users, and of the operator. */
export type Tokens = Readonly<Record<"alice" | "bob" | "operator", string>>;

export type Stage = {
  readonly folder: CaseFolder;
  readonly theCase: Case;
  readonly keys: KeyRing;
  readonly network: Network;
  readonly server: ServerUnderTest;
  readonly tokens: Tokens;
};

/** Of requests before the action, only the response is awaited. */
const ECHO_SHARE = 0.5;

/** Plays one case on its own stage. */
export async function playCase(stage: Stage): Promise<Played> {
  const startedAt = performance.now();
  const world = createWorld(stage);
  const judged: Judged[] = [];
  let failure = "";
  try {
    await setUp(world);
    await act(world);
    judged.push(...(await judge(world)));
    failure = firstFailure(world, judged);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const count = (one: Outcome["state"]) =>
    judged.filter(({ state }) => state === one).length;
  return {
    file: world.theCase.file,
    passed: failure === "",
    failure,
    answers: world.answers.map((one) => `${one.step} ${one.status}`),
    judged,
    skipped: judged.flatMap((one) => one.skipped ?? []).length,
    manual: count("manual"),
    network: seenOnNetwork(world).map((one) => `${one.method} ${one.url}`),
    tookMs: performance.now() - startedAt,
  };
}

function createWorld(stage: Stage): World {
  const { server, tokens, folder, network } = stage;
  for (const [id, actor] of Object.entries(folder.index.actors))
    network.addActor(indexedActor(id, actor));
  const world: World = {
    ...stage,
    services: {
      alice: new Service(server.caller, tokens.alice),
      bob: new Service(server.caller, tokens.bob),
      anonymous: new Service(server.caller),
    },
    operator: new Service(server.caller, tokens.operator),
    baseUrl: BASE_URL,
    host: HOST,
    placeholders: new Map(),
    answers: [],
    mark: 0,
    connectionsMark: 0,
    newestNotification: new Map(),
    foundPeople: new Map(),
    before: new Map(),
    deliveredAtMs: Date.now(),
  };
  for (const [name, value] of Object.entries({
    base: BASE_URL,
    host: HOST,
    alice: localActor(world, "alice"),
    aliceHandle: `alice@${HOST}`,
    aliceFollowers: `${localActor(world, "alice")}/followers`,
    bob: localActor(world, "bob"),
  }))
    world.placeholders.set(name, value);
  return world;
}

async function setUp(world: World): Promise<void> {
  const { theCase, folder } = world;
  const later = await serveDocuments(world, theCase.documents ?? {});
  const { relations } = folder.index.defaults;
  const given = [
    ...relations.map((follow): Item => ({ follow })),
    ...(theCase.given ?? []),
  ];
  for (const item of given)
    await attempt("cannot set up", item, () => makeStep(world, item, "given"));
  const [never] = Object.keys(await serveDocuments(world, later));
  if (never !== undefined)
    throw new Error(`cannot set up: nothing has defined what ${never} names`);
  const { quietMs } = folder.index.defaults.settle;
  if (given.length > 0) await waitForQuiet(world, quietMs * ECHO_SHARE, 0);
  await mark(world);
}

/** @returns those that refer to objects the steps have yet to create */
async function serveDocuments(
  world: World,
  documents: Readonly<Record<string, ServedDocument>>,
): Promise<Record<string, ServedDocument>> {
  const later: Record<string, ServedDocument> = {};
  for (const [url, document] of Object.entries(documents))
    try {
      const filled = fillInAll(world, [url, document] as const);
      await serveDocument(world, ...filled);
    } catch (error) {
      if (!(error instanceof CannotDo)) throw error;
      later[url] = document;
    }
  return later;
}

async function mark(world: World): Promise<void> {
  const words = world.theCase.check.flatMap(({ unchanged }) =>
    Array.isArray(unchanged) ? (unchanged as string[]) : [],
  );
  await keepSnapshot(world, words);
  for (const user of ["alice", "bob"] as const) {
    const [newest] = await world.services[user].list("/notifications");
    world.newestNotification.set(user, Number(newest?.["ID"] ?? 0));
  }
  world.mark = world.network.log.length;
  world.connectionsMark = world.server.listConnections().length;
}

async function act(world: World): Promise<void> {
  const { when = world.folder.index.defaults.when } = world.theCase;
  for (const item of when)
    await attempt("cannot act", item, () => makeStep(world, item, "when"));
}

async function attempt(
  otherwise: string,
  item: Item,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const what = error instanceof CannotDo ? otherwise : "refused";
    throw new Error(`${what}: ${describe(item)}: ${message}`, { cause: error });
  }
}

/** Lets the action take effect, and checks every assertion once. */
async function judge(world: World): Promise<Judged[]> {
  const { settle } = world.folder.index.defaults;
  const actedAtMs = performance.now();
  const deadline = actedAtMs + settle.holdsWithinMs;
  const [fromLog, others] = [true, false].map((wanted) =>
    world.theCase.check.filter(
      (item) => isPositive(item) && isFromLog(item) === wanted,
    ),
  );
  // Other assertions make requests, which should follow the expected ones.
  for (const waiting of [fromLog, others])
    await untilTheyHold(world, waiting ?? [], deadline);
  await waitForQuiet(world, settle.quietMs, actedAtMs);
  return lookAtAll(world);
}

async function untilTheyHold(
  world: World,
  items: readonly Item[],
  deadline: number,
): Promise<void> {
  for (let waiting = items; ;) {
    const records = new Records(world);
    const missing: Item[] = [];
    for (const item of waiting) {
      const { state } = await check(world, records, item);
      if (state === "fails") missing.push(item);
    }
    waiting = missing;
    if (waiting.length === 0 || performance.now() > deadline) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function lookAtAll(world: World): Promise<Judged[]> {
  const all = world.theCase.check;
  const rank = (item: Item) =>
    isFromLog(item) ? 0 : wordOf(item) === "alive" ? 2 : 1;
  const order = [0, 1, 2].flatMap((wanted) =>
    all.filter((item) => rank(item) === wanted),
  );
  const records = new Records(world);
  const judged: Judged[] = [];
  for (const item of order) {
    const outcome = await check(world, records, item);
    judged.push({ assertion: wordOf(item), ...outcome });
  }
  return judged;
}

const NO_EFFECT = new Set(["status", "answered", "alive"]);

function firstFailure(world: World, judged: readonly Judged[]): string {
  const broken = world.answers.find(({ status }) => status >= 500);
  if (broken) return `${broken.step} was answered ${broken.status}`;
  const bad = judged.find(
    ({ state }) => state === "fails" || state === "cannot",
  );
  if (bad) {
    const what = bad.state === "cannot" ? "cannot check: " : "";
    return `${what}${bad.assertion}: ${bad.evidence}`;
  }
  const isShown = judged.some(
    ({ state, assertion }) => state === "holds" && !NO_EFFECT.has(assertion),
  );
  return isShown
    ? ""
    : `no effect of ${world.theCase.file} can be seen: all are manual or skipped`;
}

function describe(item: Item): string {
  const text = JSON.stringify(item);
  return text.length > 140 ? `${text.slice(0, 140)}…` : text;
}

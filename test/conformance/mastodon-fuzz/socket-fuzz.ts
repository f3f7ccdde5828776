import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import {
  MastodonClient,
  type StatusRecord,
} from "../../../packages/server/test/support/mastodon/mastodon-client.ts";
import { IS_LONG_RUN } from "../../../packages/server/test/support/scenes/long-run.ts";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import {
  useKith,
  type KithServer,
} from "../../../packages/server/test/support/server/kith-server.ts";
import { Random } from "../../support/random.ts";
import { MastodonWorld, type Caller, type Owner } from "./mastodon-world.ts";
import { frame, RawSocket } from "./raw-socket.ts";
import { nextBytes } from "./socket-frames.ts";

const SEED = Number(process.env["KITH_FUZZ_SEED"] ?? 20_261_129);
const STEPS = Number(
  process.env["KITH_FUZZ_CALLS"] ?? (IS_LONG_RUN ? 5_000 : 400),
);
const PATH = "/api/v1/streaming";
const MAX_OPEN = 24;
/** Sockets of one account. */
const LIMIT = 10;

/** An open socket of somebody, whose frames are odd. */
type Open = {
  readonly raw: RawSocket;
  readonly caller: Caller;
  /** Frames that a server refuses were sent: it must be closed. */
  isBroken: boolean;
  read: number;
};

/** Sends odd frames to the WebSocket of the streams, while others write private texts. */
export function fuzzSocketsOn(kind: DatabaseKind): void {
  describe(kind, () => {
    const kith = useKith(kind);

    test(`${STEPS} steps of sockets, KITH_FUZZ_SEED=${SEED}`, async (t) => {
      const counts = await fuzz(kith(), new Random(SEED));
      t.diagnostic(JSON.stringify(counts));
      assert.ok(counts.events > 0 && counts.refused > 0 && counts.closed > 0);
    });

    test("an account has ten sockets at a time, and others are not kept out", async () => {
      const [ann, bob] = [await kith().person(), await kith().person()];
      const open = (token: string) =>
        RawSocket.open(kith().baseUrl, `${PATH}?access_token=${token}`);
      const all: RawSocket[] = [];
      for (let n = 0; n < LIMIT; n += 1) all.push(await open(ann.token));
      const more = await open(ann.token);
      await until(() => more.closeCode !== undefined);
      assert.equal(more.closeCode, 1013);
      assert.ok(all.every(({ isOpen }) => isOpen));
      const other = await open(bob.token);
      await all[0]?.leave(true);
      await until(() => countOpen(kith()) === LIMIT);
      const again = await open(ann.token);
      await until(() => countOpen(kith()) === LIMIT + 1);
      for (const one of [...all, more, other, again]) await one.leave(false);
      await until(() => countOpen(kith()) === 0);
    });
  });
}

const countOpen = (kith: KithServer): number =>
  kith.server.features.changes.countOpen();

async function until(isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 1_000; n += 1) {
    if (isSo()) return;
    await wait(10);
  }
  assert.fail("It did not come to that");
}

type Counts = Record<
  "opened" | "refused" | "closed" | "events" | "errors",
  number
>;

async function fuzz(kith: KithServer, random: Random): Promise<Counts> {
  const counts = { opened: 0, refused: 0, closed: 0, events: 0, errors: 0 };
  const world = await MastodonWorld.open(kith);
  await addLists(kith, world);
  await kith.settle();
  const watcher = await kith.person();
  const steady = await RawSocket.open(
    kith.baseUrl,
    `${PATH}?stream=user&access_token=${watcher.token}`,
  );
  assert.equal(steady.status, 101, steady.answer);
  let open: Open[] = [];
  for (let n = 0; n < STEPS; n += 1) {
    const what = `step ${n} of seed ${SEED}`;
    if (open.length < MAX_OPEN && random.isLikely(0.2)) {
      const one = await openOne(kith, world, random, what);
      if (one) open.push(one);
      counts[one ? "opened" : "refused"] += 1;
    } else if (random.isLikely(0.25)) await write(kith, world, random);
    else await act(world, open, random);
    for (const one of open) checkTexts(world, one, counts, what);
    const left = open.filter(({ raw }) => raw.isOpen);
    counts.closed += open.length - left.length;
    open = left;
  }
  await kith.settle();
  for (const one of open) {
    if (one.isBroken) await until(() => !one.raw.isOpen);
    checkTexts(world, one, counts, "the end");
    await one.raw.leave(random.isLikely(0.5));
  }
  await until(() => countOpen(kith) === 1);
  await assertSteady(kith, steady, watcher);
  return counts;
}

/** A socket that behaves has received all of its own, and none of the private texts. */
async function assertSteady(
  kith: KithServer,
  steady: RawSocket,
  watcher: Awaited<ReturnType<KithServer["person"]>>,
): Promise<void> {
  assert.ok(steady.isOpen);
  assert.deepEqual(steady.texts, []);
  const { id } = await MastodonClient.of(kith, watcher).write("still here");
  await until(() => steady.texts.length > 0);
  const [text = ""] = steady.texts;
  assert.ok(text.includes(`\\"id\\":\\"${id}\\"`), text);
  await steady.leave(false);
  await until(() => countOpen(kith) === 0);
  const health = await fetch(`${kith.baseUrl}${PATH}/health`);
  assert.equal(await health.text(), "OK");
}

/** Each has a list with the next one, and names those of others by their numbers. */
async function addLists(kith: KithServer, world: MastodonWorld): Promise<void> {
  for (const [at, owner] of world.people.entries()) {
    const app = MastodonClient.of(kith, owner.person);
    const { id } = await app.post<{ id: string }>("/v1/lists", { title: "l" });
    world.learnId("List", id, owner);
    const next = world.people[at + 1];
    if (!next) return;
    // Those in a list read what followers read.
    world.secrets.relate(owner, next);
    await app.post(`/v1/lists/${id}/accounts`, {
      account_ids: [String(next.person.record.ID)],
    });
  }
}

const KEYS = ["Sec-WebSocket-Protocol", "Authorization", "query"] as const;

/** Opens a socket with any kind of token, in any of its places. */
async function openOne(
  kith: KithServer,
  world: MastodonWorld,
  random: Random,
  what: string,
): Promise<Open | undefined> {
  const caller = world.chooseCaller(false, random);
  const { token } = caller;
  const place = random.pick(KEYS);
  const stream = random.pick(["", "user", "public", "list", "nonsense", "%00"]);
  const query = new URLSearchParams();
  if (stream !== "") query.set("stream", stream);
  if (place === "query" && token !== undefined)
    query.set("access_token", token);
  const isPlain = token !== undefined && /^[\x21-\x7e]+$/.test(token);
  const headers =
    place === "query" || !isPlain
      ? undefined
      : {
          [place]: place === "Authorization" ? `Bearer ${token}` : token,
        };
  const raw = await RawSocket.open(
    kith.baseUrl,
    `${PATH}?${query.toString()}`,
    headers,
  );
  const said = `${what}: ${place} ${String(token).slice(0, 80)}: ${raw.answer.slice(0, 300)}`;
  if (raw.status === 429) kith.clock.advance(60_000);
  if (raw.status !== 101) {
    assert.ok(raw.status >= 400 && raw.status < 500, said);
    world.secrets.check(raw.answer, undefined, () => said);
    return undefined;
  }
  // A narrow token may read; one of nobody, a revoked one and none may not.
  assert.ok(caller.viewer !== undefined, said);
  return { raw, caller, isBroken: false, read: 0 };
}

/** Sends something odd, leaves, or does so in the midst of a frame. */
async function act(
  world: MastodonWorld,
  open: readonly Open[],
  random: Random,
): Promise<void> {
  const one = random.pickAny(open);
  if (!one) return;
  const { raw, caller } = one;
  if (random.isLikely(0.08)) {
    if (random.isLikely(0.5)) raw.send(frame("x".repeat(200)).subarray(0, 20));
    return raw.leave(random.isLikely(0.5));
  }
  const { bytes, isAllowed } = nextBytes(world, caller.owner, random);
  // Cut anywhere: what comes later belongs to the same frame.
  const cut = random.isLikely(0.3) ? random.below(bytes.length) : 0;
  if (cut > 0) raw.send(bytes.subarray(0, cut));
  raw.send(bytes.subarray(cut));
  if (isAllowed || one.isBroken) return;
  one.isBroken = true;
  await until(() => !raw.isOpen);
}

/** Somebody writes: for everybody, for followers, or for one other. */
async function write(
  kith: KithServer,
  world: MastodonWorld,
  random: Random,
): Promise<void> {
  const owner = random.pick(world.people);
  const other = random.pick(world.people);
  const app = MastodonClient.of(kith, owner.person);
  const choice = random.below(4);
  if (choice === 0) {
    const status = await app.write("for all #row");
    world.learnId("Status", status.id, owner);
  } else if (choice === 1)
    await app.write(world.secrets.ofFollowers(owner), {
      visibility: "private",
    });
  else if (choice === 2) await writeTo(app, world, owner, other);
  else {
    const id = world.findId("Status", owner, random) ?? "0";
    const path = `/v1/statuses/${id}`;
    if (random.isLikely(0.5)) await app.call("POST", `${path}/favourite`);
    else await app.call("PUT", path, { status: "for all, again" });
  }
}

async function writeTo(
  app: MastodonClient,
  { secrets }: MastodonWorld,
  owner: Owner,
  other: Owner,
): Promise<void> {
  const [text, readers] = secrets.among([owner, other]);
  const status: StatusRecord = await app.write(
    `@${other.person.handle} ${text}`,
    { visibility: "direct" },
  );
  secrets.remember(status.id, readers);
}

/** Only known messages come, and nothing that is not for this reader. */
function checkTexts(
  { secrets }: MastodonWorld,
  one: Open,
  counts: Counts,
  what: string,
): void {
  const { raw, caller } = one;
  for (const text of raw.texts.slice(one.read)) {
    const said = () => `${what}: ${text.slice(0, 500)}`;
    const message = JSON.parse(text) as Record<string, unknown>;
    if ("error" in message) {
      assert.deepEqual(Object.keys(message), ["error", "status"], said());
      counts.errors += 1;
    } else {
      assert.deepEqual(
        Object.keys(message),
        ["stream", "event", "payload"],
        said(),
      );
      counts.events += 1;
    }
    secrets.check(text, caller.viewer, said);
  }
  one.read = raw.texts.length;
}

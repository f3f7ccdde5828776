import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import { eventually } from "../support/kith-process.ts";
import { kindsInTime } from "../support/long-run.ts";
import { Resident } from "../support/resident.ts";
import { Ledger } from "./walk/ledger.ts";
import { BARE, viewPost } from "./walk/look.ts";
import { actAtRandom, randomNumbers, type Actor } from "./walk/random-acts.ts";
import { startServers, type Servers } from "./walk/town.ts";

const SEED = Number(process.env["KITH_FUZZ_SEED"] ?? 1);
const ACTS = 16;
const SETTLED_WITHIN_MS = 120_000;

for (const database of kindsInTime("sqlite"))
  describe(`nine people on three servers act at once over diaspora alone, ${database}`, () =>
    actAtOnce(database));

function actAtOnce(database: DatabaseKind): void {
  const ledger = new Ledger();
  let town: Servers;
  let actors: Actor[];

  before(async () => {
    town = await startServers(database, "diaspora");
    const { one, two, three, ann, abe, bob, bea, cid, cat } = town;
    const more = [
      await Resident.settle(one, "ada"),
      await Resident.settle(two, "ben"),
      await Resident.settle(three, "cis"),
    ];
    const people = [ann, abe, bob, bea, cid, cat, ...more];
    actors = [];
    for (const [index, who] of people.entries())
      actors.push(await befriend(who, people, SEED * 100 + index, ledger));
    // All notifications have arrived: from now on all posts go everywhere.
    for (const who of people)
      await eventually(async () => {
        const notifications = await who.api.getList("/notifications?limit=100");
        assert.equal(notifications.length, people.length - 1, who.name);
      });
  });
  after(() => town.remove());

  test(`in the end everyone sees exactly the actions of all (seed ${SEED})`, async () => {
    await Promise.all(actors.map((actor) => actAtRandom(actor, ACTS)));
    for (const guid of ledger.guids)
      for (const { who } of actors) {
        const expected = ledger.expect(guid, who.name);
        const whole =
          expected === "hidden" ? expected : { ...BARE, ...expected };
        await eventually(async () => {
          const seen = await viewPost(who, guid);
          assert.deepEqual(seen, whole, `as ${who.name} sees ${guid}`);
        }, SETTLED_WITHIN_MS);
      }
    await assertStreams(actors, ledger);
  });

  test("no failure was logged", () => {
    for (const { output } of town.servers)
      assert.doesNotMatch(output, /"level":(?:50|60)/);
  });
}

/** Follows everyone, and adds about half of them to an aspect. */
async function befriend(
  who: Resident,
  people: readonly Resident[],
  seed: number,
  ledger: Ledger,
): Promise<Actor> {
  const random = randomNumbers(seed);
  const others = people.filter((one) => one !== who);
  const chosen = others.filter(() => random() < 0.5);
  await who.gather("all", others);
  const aspect = await who.gather("some", chosen);
  const members = new Set(chosen.map(({ name }) => name));
  return { who, aspect, members, random, ledger };
}

/** Each person's stream contains exactly the posts visible to them, once. */
async function assertStreams(
  actors: readonly Actor[],
  ledger: Ledger,
): Promise<void> {
  for (const { who } of actors) {
    const listed = await who.api.getList("/posts?limit=100");
    const expected = ledger.guids.filter(
      (guid) => ledger.expect(guid, who.name) !== "hidden",
    );
    assert.ok(expected.length < 100, "all of it is on one page");
    assert.deepEqual(
      listed.map(({ Guid }) => String(Guid)).toSorted(),
      expected.toSorted(),
      `the stream of ${who.name}`,
    );
  }
}

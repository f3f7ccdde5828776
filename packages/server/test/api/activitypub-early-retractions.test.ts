import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { examineLeftovers } from "../../src/federation/doctor/examine-leftovers.ts";
import { forEachDatabase } from "../support/databases.ts";
import { useKith, type TestPerson } from "../support/kith-server.ts";
import { carriedOut } from "../support/linked-data.ts";
import { RemoteServer, type RemoteActor } from "../support/remote-server.ts";
import { DAY_MS } from "../support/test-clock.ts";

/** What is kept of one server. */
const MAX_OF_ORIGIN = 1000;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let home: RemoteServer;
  let elsewhere: RemoteServer;
  let ann: TestPerson;
  let names = 0;
  before(async () => {
    home = await RemoteServer.start();
    elsewhere = await RemoteServer.start();
    ann = await kith().person();
    await kith().server.prepare();
  });
  after(async () => {
    await home.close();
    await elsewhere.close();
  });

  const author = async (): Promise<RemoteActor> => {
    const one = home.actor(`author${++names}`);
    await carriedOut(kith(), ann, { type: "Follow", object: one.id });
    await kith().settle();
    return one;
  };
  const early = (origin: string) =>
    kith()
      .db.read.selectFrom("tombstones")
      .select("uri")
      .where("origin", "=", origin)
      .execute();
  const isHere = async ({ id }: JsonObject) =>
    (await kith().server.features.posts.find({ uri: id as string })) !==
    undefined;
  const createOf = (by: RemoteActor, object: JsonObject) =>
    by.activity("Create", { object, to: [PUBLIC] });

  for (const type of ["Delete", "Undo"])
    test(`a ${type} in advance by somebody of another server changes nothing, nor does it keep out the author's own`, async () => {
      const eve = await author();
      const mallory = elsewhere.actor(`mallory${++names}`);
      const neighbour = home.actor(`neighbour${++names}`);
      const object = eve.note();
      const id = object["id"] as string;
      const announce = eve.activity("Announce", { object: id, to: [PUBLIC] });
      const taken = type === "Delete" ? id : (announce["id"] as string);
      for (const other of [mallory, neighbour])
        await other.tell(kith(), other.activity(type, { object: taken }));
      assert.deepEqual(await early(elsewhere.origin), []);
      const all = await kith()
        .db.read.selectFrom("tombstones")
        .select("person_id")
        .where("uri", "=", taken)
        .execute();
      assert.equal(all.length, 1, "the neighbour's, which is about nothing");
      await eve.tell(kith(), eve.activity(type, { object: taken }));
      await eve.tell(kith(), createOf(eve, object));
      await eve.tell(kith(), announce);
      assert.equal(await isHere(object), type === "Undo");
      assert.equal(await isHere(announce), false);
    });

  test("what others take back in advance comes all the same", async () => {
    const eve = await author();
    const object = eve.note();
    const id = object["id"] as string;
    for (const other of [
      elsewhere.actor(`mallory${++names}`),
      home.actor(`neighbour${++names}`),
    ])
      await other.tell(kith(), other.activity("Delete", { object: id }));
    await eve.tell(kith(), createOf(eve, object));
    assert.equal(await isHere(object), true);
  });

  test("of one server only so many are kept, the latest, and each for a week", async () => {
    const eve = await author();
    const person = await kith().server.features.people.find({
      actorUri: eve.id,
    });
    assert.ok(person);
    const { retractions } = kith().server.features;
    const [one, other] = ["https://one.example", "https://other.example"];
    const record = (origin: string, name: string) =>
      retractions.recordEarly({
        uri: `${origin}/${name}`,
        personId: person.id,
        origin,
      });
    await record(other, "kept");
    await record(one, "first");
    kith().clock.advance(1000);
    for (let i = 0; i < MAX_OF_ORIGIN; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, j) => record(one, String(i + j))),
      );
    kith().clock.advance(1000);
    await record(one, "last");
    const kept = await early(one);
    assert.equal(kept.length, MAX_OF_ORIGIN);
    const uris = kept.map(({ uri }) => uri);
    assert.ok(uris.includes(`${one}/last`));
    assert.ok(!uris.includes(`${one}/first`));
    assert.equal((await early(other)).length, 1);
    const { check, state } = await examineLeftovers({ retractions });
    assert.equal(`${check} ${state}`, "leftovers ok");
    kith().clock.advance(9 * DAY_MS);
    assert.equal((await examineLeftovers({ retractions })).state, "warning");
    await kith().settle();
    assert.equal((await examineLeftovers({ retractions })).state, "ok");
    assert.deepEqual([...(await early(one)), ...(await early(other))], []);
  });
});

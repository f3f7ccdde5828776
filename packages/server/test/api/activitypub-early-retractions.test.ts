import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { lockNames } from "../../src/db/lock-names.ts";
import { examineLeftovers } from "../../src/doctor/examine-leftovers.ts";
import type { PersonId } from "../../src/features/ids.ts";
import { newGuid } from "../../src/lib/guids.ts";
import { timestamp } from "../../src/lib/time/clock.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { sendFollow } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

/** The limit per server. */
const MAX_OF_ORIGIN = 1000;
/** The limit per person. */
const MAX_OF_PERSON = 100;

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
    await sendFollow(kith(), ann, one);
    return one;
  };
  /** Remote people whom a local person follows. */
  async function newPeople(count: number): Promise<PersonId[]> {
    const ids: PersonId[] = [];
    for (let i = 0; i < count; i++) {
      const { id: actorUri } = await author();
      const found = await kith().server.features.people.find({ uri: actorUri });
      ids.push(found?.id ?? assert.fail());
    }
    return ids;
  }
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
    test(`a ${type} in advance by a person of another server has no effect, and does not displace the author's own`, async () => {
      const eve = await author();
      const mallory = elsewhere.actor(`mallory${++names}`);
      const remotePerson = home.actor(`other${++names}`);
      const object = eve.note();
      const id = object["id"] as string;
      const announce = eve.activity("Announce", { object: id, to: [PUBLIC] });
      const taken = type === "Delete" ? id : (announce["id"] as string);
      for (const other of [mallory, remotePerson])
        await other.deliver(kith(), other.activity(type, { object: taken }));
      assert.deepEqual(await early(elsewhere.origin), []);
      const all = await kith()
        .db.read.selectFrom("tombstones")
        .select("person_id")
        .where("uri", "=", taken)
        .execute();
      assert.equal(all.length, 1, "the other person's, which is about nothing");
      await eve.deliver(kith(), eve.activity(type, { object: taken }));
      await eve.deliver(kith(), createOf(eve, object));
      await eve.deliver(kith(), announce);
      assert.equal(await isHere(object), type === "Undo");
      assert.equal(await isHere(announce), false);
    });

  test("an object retracted in advance by others is accepted all the same", async () => {
    const eve = await author();
    const object = eve.note();
    const id = object["id"] as string;
    for (const other of [
      elsewhere.actor(`mallory${++names}`),
      home.actor(`other${++names}`),
    ])
      await other.deliver(kith(), other.activity("Delete", { object: id }));
    await eve.deliver(kith(), createOf(eve, object));
    assert.equal(await isHere(object), true);
  });

  test("a Delete that looks for its object while that is being stored deletes it", async () => {
    const eve = await author();
    const object = eve.note();
    const uri = object["id"] as string;
    const { db, server } = kith();
    const { id: personId } =
      (await server.features.people.find({ uri: eve.id })) ?? assert.fail();
    let deleted: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await lockNames(tx, db.dialect, [uri]);
      deleted = eve.deliver(kith(), eve.activity("Delete", { object: uri }));
      // On PostgreSQL it has not found the post by then; on SQLite it waits.
      await setTimeout(500);
      const stored = await server.features.posts.receive(
        {
          guid: newGuid(),
          type: "post",
          personId,
          public: true,
          listed: true,
          text: "stored meanwhile",
          providerName: "",
          rootGuid: null,
          rootPersonId: null,
          uri,
          url: uri,
          createdAt: timestamp(kith().clock.now()),
          recipients: [],
        },
        tx,
      );
      assert.equal(stored.kind, "stored");
    });
    await deleted;
    await kith().settle();
    assert.equal(await isHere(object), false);
    assert.deepEqual(
      (await early(home.origin)).filter((it) => it.uri === uri),
      [],
    );
  });

  test("of one server only so many are kept, the latest, and each for a week", async () => {
    const { retractions } = kith().server.features;
    const [one, other] = ["https://one.example", "https://other.example"];
    const [eve = assert.fail(), mallory = assert.fail(), ...flood] =
      await newPeople(2 + MAX_OF_ORIGIN / 50);
    const record = (origin: string, name: string, personId = eve) =>
      retractions.recordEarly(
        { uri: `${origin}/${name}`, personId, origin },
        () => Promise.resolve(false),
      );
    await record(other, "kept");
    await record(one, "first");
    kith().clock.advance(1000);
    for (let i = 0; i < 2 * MAX_OF_PERSON; i++)
      await record(one, `of-one-${i}`, mallory);
    const ofFew = (await early(one)).map(({ uri }) => uri);
    assert.equal(ofFew.length, MAX_OF_PERSON + 1);
    assert.ok(ofFew.includes(`${one}/first`), "another person's has its place");
    kith().clock.advance(1000);
    // Few at once, as each waits for the lock of this origin.
    for (const person of flood)
      for (let sent = 0; sent < 50; sent += 10)
        await Promise.all(
          Array.from({ length: 10 }, (_, j) =>
            record(one, `of-${person}-${sent + j}`, person),
          ),
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

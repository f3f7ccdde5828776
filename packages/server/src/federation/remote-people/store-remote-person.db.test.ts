import { createWriteWatch } from "../../features/freshness/index.ts";
import { createIndexing } from "../../features/indexing/index.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  forEachDatabase,
  openTestDatabase,
  type DatabaseKind,
} from "../../../test/support/server/databases.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { systemClock } from "../../lib/time/clock.ts";
import type { Db, Tx } from "../../db/db.ts";
import { NO_ADDRESSES } from "../../db/schema/remote-person.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import { isGuid, newGuid } from "../../lib/guids.ts";
import { createFacts, type Effects } from "../../features/facts.ts";
import type { PersonId, UserId } from "../../features/ids.ts";
import { findPersonKey } from "./remote-key-store.ts";
import {
  createPeople,
  type People,
  type Person,
} from "../../features/people/index.ts";
import { guidAtHome } from "./proven-origins.ts";
import { insertRemotePerson } from "./remote-person-store.ts";
import {
  storeRemotePerson,
  type DiscoveredPerson,
  type StoreDeps,
} from "./store-remote-person.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const TIMES = { created_at: TIME, updated_at: TIME };
const NO_EFFECTS = {} as Effects;
const WELCOME = { shutOut: false, silenced: false, mediaRejected: false };

const FOUND: DiscoveredPerson = {
  handle: "cid@elsewhere.example",
  keys: [
    {
      keyId: "https://elsewhere.example/cid#main-key",
      publicKeyPem: "the key of Cid",
    },
  ],
  protocols: ["activitypub"],
  addresses: { ...NO_ADDRESSES, actorUri: "https://elsewhere.example/cid" },
  profile: { fullName: "Cid" },
};

/** A person whose Guid is confirmed by the diaspora* side. */
const confirmed = (name: string, guid: string): DiscoveredPerson => ({
  handle: `${name}@pod.example`,
  guid,
  publicKeyPem: `the key of ${name}`,
  keys: [],
  protocols: ["diaspora"],
  addresses: { ...NO_ADDRESSES, seedLocation: "https://pod.example/" },
  profile: {},
});

/** A person whose Guid only the actor claims. */
const claimed = (name: string, guid: string): DiscoveredPerson => ({
  ...FOUND,
  handle: `${name}@elsewhere.example`,
  guid,
  keys: [],
  addresses: {
    ...NO_ADDRESSES,
    actorUri: `https://elsewhere.example/${name}`,
  },
});

async function open(
  kind: DatabaseKind,
  standingOn: StoreDeps["standingOn"] = async () => WELCOME,
) {
  const { db, close } = await openTestDatabase(kind);
  const clock = systemClock;
  const jobs = createJobs({ db, clock });
  const facts = createFacts(jobs, NO_EFFECTS);
  const writeWatch = createWriteWatch({ db });
  const people = createPeople({
    ...{ db, clock, facts, standingOn },
    ...{ indexing: createIndexing({ db, clock, jobs }), writeWatch },
  });
  const deps = { db, clock, facts, people, standingOn };
  const store = (found: DiscoveredPerson) => storeRemotePerson(deps, found);
  return { db, close, people, store, writeWatch };
}

type Stored = { readonly db: Db; readonly people: People };

/** A person as an earlier version stored it: under the Guid that its actor claimed. */
async function storeClaimer(
  { db, people }: Stored,
  guid: string,
  changes: { handle?: string; publicKeyPem?: string } = {},
) {
  const { handle, addresses } = claimed(`old${newGuid()}`, guid);
  const person = { guid, handle, publicKeyPem: "", ...changes };
  const remote = {
    hasDiasporaKey: changes.publicKeyPem !== undefined,
    diasporaGuid: null,
    protocol: "activitypub",
    isProtocolOpen: false,
    addresses,
  } as const;
  return db.transaction(async (tx) => {
    const personId =
      (await people.elsewhere.create(tx, { ...person, addresses }, {})) ??
      assert.fail();
    assert.ok(await insertRemotePerson(tx, { ...remote, personId }, TIME));
    return personId;
  });
}

async function insertUser(tx: Tx): Promise<UserId> {
  const user = await tx
    .insertInto("users")
    .values({
      username: "ann",
      password_hash: "",
      role: "user",
      state: "active",
      locale: "en",
      time_zone: "UTC",
      last_seen_at: null,
      ...TIMES,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return user.id;
}

async function storeLocal(
  { db, people }: Stored,
  guid: string,
  handle: string,
) {
  return db.transaction(async (tx) => {
    const userId = await insertUser(tx);
    const person = { guid, handle, userId, publicKeyPem: "" };
    return (await people.createLocal(tx, person)) ?? assert.fail();
  });
}

/** Notifications and reports contain a person's Guid, too. */
async function insertReferences(
  db: Db,
  personId: PersonId,
  guid: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const userId = await insertUser(tx);
    await tx
      .insertInto("notifications")
      .values({
        user_id: userId,
        person_id: personId,
        reason: "contact",
        shareable_type: "Contact",
        shareable_guid: guid,
        unread: true,
        ...TIMES,
      })
      .execute();
    await tx
      .insertInto("reports")
      .values({
        guid: newGuid(),
        host: "home.example",
        person_id: personId,
        target_kind: "person",
        target_guid: guid,
        objects: storeJson([]),
        text: "",
        forwarded: false,
        created_at: TIME,
      })
      .execute();
  });
}

async function listReferences({ read }: Db): Promise<unknown[]> {
  const notes = await read
    .selectFrom("notifications")
    .select("shareable_guid as guid")
    .execute();
  const reports = await read
    .selectFrom("reports")
    .select("target_guid as guid")
    .execute();
  return [...notes, ...reports].map(({ guid }) => guid);
}

const at = async (stored: Promise<Person | undefined>) =>
  (await stored) ?? assert.fail();

forEachDatabase((kind) => {
  test("a new person is stored with its profile and the decision on its server, and caches drop nothing", async () => {
    const kept: boolean[] = [];
    let silenced = false;
    const { db, close, store, writeWatch } = await open(kind, async () => ({
      ...WELCOME,
      silenced,
    }));
    try {
      writeWatch.listen((touched) => kept.push(touched !== undefined));
      const cid = await at(store({ ...FOUND, profile: { bio: "A smith" } }));
      assert.equal(cid.profile.bio, "A smith");
      assert.equal(cid.profile.fullName, "");
      assert.equal(cid.state, "active");
      silenced = true;
      const { id } = await at(store(claimed("quiet", newGuid())));
      const quiet = await db.read
        .selectFrom("people")
        .select("silenced")
        .where("id", "=", id)
        .executeTakeFirst();
      assert.equal(Boolean(quiet?.silenced), true);
      assert.equal(kept.includes(false), false);
      const renamed = await at(store(FOUND));
      assert.equal(renamed.profile.fullName, "Cid");
      assert.equal(renamed.profile.bio, "A smith");
      assert.equal(kept.includes(false), true);
    } finally {
      await close();
    }
  });

  test("discoveries of the same person at once find one person", async () => {
    const { db, close } = await openTestDatabase(kind);
    try {
      const clock = systemClock;
      const standingOn = async () => WELCOME;
      const jobs = createJobs({ db, clock });
      const facts = createFacts(jobs, NO_EFFECTS);
      const people = createPeople({
        ...{ db, clock, facts, standingOn },
        indexing: createIndexing({ db, clock, jobs }),
        writeWatch: createWriteWatch({ db }),
      });
      const deps = { db, clock, facts, people, standingOn };
      const store = () => storeRemotePerson(deps, FOUND);
      // With open connections, no look-up waits for another.
      const again = Array.from({ length: 12 });
      await Promise.all(
        again.map((_, i) =>
          storeRemotePerson(deps, {
            ...FOUND,
            handle: `${i}@elsewhere.example`,
            addresses: NO_ADDRESSES,
            keys: [],
          }),
        ),
      );
      const stored = await Promise.all(again.map(store));
      assert.deepEqual(
        new Set(stored.map((person) => person?.id)),
        new Set([stored[0]?.id]),
      );
      assert.equal(stored[0]?.handle, FOUND.handle);
    } finally {
      await close();
    }
  });

  describe("a Guid", () => {
    const withPeople = async (
      run: (home: Awaited<ReturnType<typeof open>>) => Promise<void>,
    ) => {
      const home = await open(kind);
      await run(home).finally(home.close);
    };

    test("that an actor alone claims is given up to the person of whom its own server confirms it", () =>
      withPeople(async ({ people, store }) => {
        const guid = newGuid();
        const eve = await at(store(claimed("eve", guid)));
        assert.deepEqual([eve.guid, eve.diasporaGuid], [guid, null]);
        const second = await at(store(claimed("oscar", guid)));
        const vic = await at(store(confirmed("vic", guid)));
        const after = await at(store(claimed("mallory", guid)));
        const again = await at(store(claimed("eve", guid)));
        assert.equal(vic.guid, guid);
        assert.equal((await people.find({ guid }))?.id, vic.id);
        assert.equal(again.id, eve.id);
        const guids = [second.guid, again.guid, after.guid];
        assert.ok(guids.every((it) => isGuid(it) && it !== guid));
        assert.equal(new Set(guids).size, 3);
      }));

    test("that somebody claimed earlier goes to its owner, and references to the other person stay", () =>
      withPeople(async ({ db, people, store }) => {
        const guid = newGuid();
        const eve = await storeClaimer({ db, people }, guid);
        await insertReferences(db, eve, guid);
        const vic = await at(store(confirmed("vic", guid)));
        assert.equal(vic.guid, guid);
        const other = await people.find({ id: eve });
        assert.ok(other && isGuid(other.guid) && other.guid !== guid);
        assert.deepEqual(await listReferences(db), [other.guid, other.guid]);
      }));

    test("is learnt of somebody who was known over ActivityPub alone", () =>
      withPeople(async ({ store }) => {
        const guid = newGuid();
        const actor = claimed("ada", guid);
        const before = await at(store(actor));
        const both = { ...confirmed("ada", guid), handle: actor.handle };
        const after = await at(store(both));
        assert.equal(after.id, before.id);
        assert.equal(after.guid, guid);
      }));

    test("takes nothing from somebody here", () =>
      withPeople(async ({ db, people, store }) => {
        const guid = newGuid();
        const ann = await storeLocal({ db, people }, guid, "ann@home.example");
        const mallory = await at(store(confirmed("mallory", guid)));
        assert.equal((await people.find({ guid }))?.id, ann);
        assert.notEqual(mallory.guid, guid);
      }));

    test("that a pod confirms of two reaches both: each at its own server", () =>
      withPeople(async ({ store }) => {
        const guid = newGuid();
        const first = await at(store(confirmed("mallory", guid)));
        const second = await at(store(confirmed("vic", guid)));
        assert.equal(first.guid, guid);
        assert.notEqual(second.guid, guid);
        assert.deepEqual([first, second].map(guidAtHome), [guid, guid]);
      }));

    test("stays the first one that was confirmed", () =>
      withPeople(async ({ store }) => {
        const guid = newGuid();
        await store(confirmed("vic", guid));
        const again = await at(store(confirmed("vic", newGuid())));
        assert.deepEqual([again.guid, guidAtHome(again)], [guid, guid]);
      }));

    test("of somebody stored under a wrong one by an earlier version is mended", () =>
      withPeople(async ({ db, people, store }) => {
        const [guid, key] = [newGuid(), "the key of vic"];
        const { handle } = confirmed("vic", guid);
        const old = { handle, publicKeyPem: key };
        const id = await storeClaimer({ db, people }, newGuid(), old);
        const vic = await at(store(confirmed("vic", guid)));
        assert.deepEqual([vic.id, vic.guid], [id, guid]);
      }));

    test("has one owner when several come at once", () =>
      withPeople(async ({ db, people, store }) => {
        const guid = newGuid();
        const names = Array.from({ length: 6 }, (_, n) => `p${n}`);
        await storeClaimer({ db, people }, guid);
        const found = await Promise.all(
          names.flatMap((name) => [
            at(store(confirmed(name, guid))),
            at(store(claimed(name, guid))),
          ]),
        );
        const owners = found.filter((person) => person.guid === guid);
        assert.equal(owners.length, 1);
        assert.equal(owners[0]?.hasDiasporaKey, true);
        assert.equal(new Set(found.map((it) => it.guid)).size, 12);
      }));
  });

  test("an actor that its host or the handle's withdraws is forgotten, with its keys", async () => {
    const { db, close, store } = await open(kind);
    try {
      const both: DiscoveredPerson = {
        ...confirmed("bob", newGuid()),
        keys: [{ keyId: "https://elsewhere.example/bob#k", publicKeyPem: "k" }],
        protocols: ["activitypub", "diaspora"],
        addresses: {
          ...NO_ADDRESSES,
          actorUri: "https://elsewhere.example/bob",
          inboxUri: "https://elsewhere.example/bob/inbox",
          profileUrl: "https://elsewhere.example/@bob",
          seedLocation: "https://pod.example/",
        },
      };
      const fields = [{ name: "Site", value: "x" }];
      await store({ ...both, profile: { ...both.profile, fields } });
      const alone = { ...confirmed("bob", both.guid ?? ""), keys: [] };
      const away = await at(store(alone));
      assert.deepEqual(away.addresses, both.addresses);
      assert.deepEqual(away.profile.fields, fields);
      const gone = await at(store({ ...alone, isActorWithdrawn: true }));
      assert.deepEqual(gone.profile.fields, []);
      assert.deepEqual(gone.addresses, alone.addresses);
      assert.equal(gone.protocol, "diaspora");
      const keyId = both.keys[0]?.keyId ?? "";
      assert.equal(await findPersonKey(db.read, keyId), undefined);
    } finally {
      await close();
    }
  });
});

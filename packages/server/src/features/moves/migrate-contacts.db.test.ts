import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import {
  openHomeServer,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import type { Db } from "../../db/db.ts";
import type { Fact } from "../facts.ts";
import type { Person } from "../people/index.ts";
import {
  migrateContacts,
  type MigrateContactsDeps,
} from "./migrate-contacts.ts";

const AT_ONCE = 200;

forEachDatabase((kind) => {
  let home: HomeServer;
  let owner: Person;
  let from: Person;
  let to: Person;
  let facts: Fact[];
  let count = 0;
  before(async () => {
    home = await openHomeServer(kind);
  });
  after(() => home.close());
  beforeEach(async () => {
    count += 1;
    facts = [];
    owner = await home.signUp(`owner${count}`);
    from = (await home.remotePerson(`from${count}`)).person;
    to = (await home.remotePerson(`to${count}`)).person;
  });

  const userId = () => owner.userId ?? assert.fail();
  const deps = (db: Db): MigrateContactsDeps => ({
    ...home.features,
    db,
    facts: {
      record: async (_tx, fact) => void facts.push(fact),
      noteArrival: async () => {},
      note: async () => {},
    },
  });
  const migrate = (db = home.deps.db, withContent = true) =>
    migrateContacts(deps(db), { from, to, withContent }, AT_ONCE);
  const contactWith = async (person: Person) => {
    const known = await home.features.contacts.find(userId(), person.id);
    return {
      follows: known?.following ?? false,
      shares: known?.sharing ?? false,
    };
  };
  const follow = async (person: Person) => {
    const { aspects } = home.features;
    const { id } = await aspects.create(userId(), "friends");
    const by = { userId: userId(), personId: owner.id };
    await aspects.addPerson({ ...owner, ...by }, id, person.id);
  };

  test("a contact goes on as the new person in both directions, once", async () => {
    await follow(from);
    await home.features.contacts.receiveSharing(userId(), from.id, true);
    assert.equal(await migrate(), true);
    assert.deepEqual(await contactWith(to), { follows: true, shares: true });
    assert.deepEqual(await contactWith(from), {
      follows: false,
      shares: false,
    });
    assert.equal(await migrate(), false, "nothing is left");
    assert.deepEqual(facts, [
      {
        type: "contact.moved",
        userId: userId(),
        to: to.id,
        by: from.id,
      },
    ]);
  });

  test("the followers alone follow where nothing else goes along", async () => {
    await follow(from);
    await home.features.contacts.receiveSharing(userId(), from.id, true);
    await migrate(home.deps.db, false);
    assert.deepEqual(await contactWith(to), { follows: true, shares: false });
    assert.deepEqual(await contactWith(from), { follows: false, shares: true });
  });

  /** Starts migrating. @returns the pending result, once the migration wants its transaction */
  const migrateWhile = async () => {
    const { db } = home.deps;
    let migrated: Promise<boolean> | undefined;
    await new Promise<void>((resolve) => {
      migrated = migrate({
        ...db,
        transaction: (work) => {
          resolve();
          return db.transaction(work);
        },
      });
    });
    return { migrated };
  };

  test("a contact that changes before its turn is migrated as it is then", async () => {
    const { aspects, contacts } = home.features;
    const { db } = home.deps;
    await contacts.receiveSharing(userId(), from.id, true);
    const { migrated } = await db.transaction(async (tx) => {
      await aspects.lock(tx, [userId()]);
      const waiting = await migrateWhile();
      await contacts.endSharing(tx, userId(), from.id);
      return waiting;
    });
    await migrated;
    assert.deepEqual(await contactWith(to), { follows: false, shares: false });
    assert.deepEqual(facts, [], "it was no contact any more");
  });

  test("so does what changes in a transaction that is committed together with it", async () => {
    const { contacts } = home.features;
    const { db } = home.deps;
    await contacts.receiveSharing(userId(), from.id, true);
    let change: Promise<void> | undefined;
    const { migrated } = await db.transaction(async () => {
      change = db.transaction((tx) =>
        contacts.endSharing(tx, userId(), from.id),
      );
      // PostgreSQL commits the two transactions separately.
      if (kind === "postgres") await change;
      return kind === "postgres"
        ? { migrated: migrate() }
        : await migrateWhile();
    });
    await Promise.all([change, migrated]);
    assert.deepEqual(await contactWith(to), { follows: false, shares: false });
    assert.deepEqual(facts, []);
  });
});

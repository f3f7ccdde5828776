import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { OWNED_TABLES } from "../../src/features/moves/index.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  countReferences,
  listReferences,
  nameOf,
} from "../support/remote/references.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import {
  giveEverythingTo,
  wholePerson,
} from "../support/scenes/whole-person.ts";

/** References to a person that are not reassigned, and the reasons. */
const NOT_HANDED_OVER: Readonly<Record<string, string>> = {
  "aspect_memberships.person_id": "contacts follow one by one",
  "contacts.person_id": "contacts follow one by one",
  "calendar_shares.person_id": "people here alone are given calendars",
  "follow_requests.person_id": "requests end",
  "blocks.person_id": "each holds for both",
  "blocks.blocked_person_id": "each holds for both",
  "host_blocks.person_id": "each holds for both",
  "ignores.person_id": "each holds for both",
  "ignores.ignored_person_id": "each holds for both",
  "move_documents.person_id": "it says of the old one that it has moved",
  "people.moved_to_id": "it says of the old one that it has moved",
  "person_keys.person_id": "every person has its own keys",
  "remote_people.person_id": "every person has its own addresses",
  "person_words.person_id": "every person is found by its own name",
  "person_notes.person_id": "what somebody noted about the old one",
  "profiles.person_id": "every person has its own profile",
  "person_decisions.person_id": "what was decided of the old one",
  "reports.person_id": "what was said about the old one",
  "reports.reporter_id": "people here alone report something",
  "strikes.person_id": "what was decided of the old one",
  "spam_hits.person_id": "what rules met under the old one's name",
  "sent_activities.person_id": "what was said in the old one's name",
};

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("every column that refers to people is reassigned, or has a reason not to be", async () => {
    const named = (await listReferences(kith()))
      .filter(({ to }) => to === "people")
      .map(nameOf);
    const handed = OWNED_TABLES.map(
      ({ table, column = "person_id" }) => `${table}.${column}`,
    );
    const expected = new Set([...handed, ...Object.keys(NOT_HANDED_OVER)]);
    assert.deepEqual(named.toSorted(), [...expected].toSorted());
  });

  test("the new person owns everything that the old remote one had, row by row", async () => {
    const { who } = await wholePerson(kith());
    const from = await remotePerson(kith(), "zoe@remote.example");
    const to = await remotePerson(kith(), "zora@remote.example");
    await giveEverythingTo(kith(), who, from);
    // In the fixture another person has moved to the one who now moves.
    await kith().db.transaction(async (tx) => {
      await kith().server.features.people.forgetMovesTo(tx, from.id);
      await sql`delete from move_documents`.execute(tx);
    });
    const before = await countReferences(kith(), from.id, null);
    const { moves } = kith().server.features;
    const document = { text: "signed by both", public: true };
    const move = { from: from.id, to: to.id, document };
    assert.deepEqual(await moves.start(move), { kind: "moved" });
    await kith().settle();
    assert.deepEqual(await moves.start(move), { kind: "known" });
    const had = await countReferences(kith(), to.id, null);
    const left = await countReferences(kith(), from.id, null);
    for (const { table, column = "person_id" } of OWNED_TABLES) {
      const name = `${table}.${column}`;
      assert.ok((before.get(name) ?? 0) > 0, `${name} is not tested`);
      // Contacts of the old person are notified of the move as well.
      const added = name === "notifications.person_id" ? 1 : 0;
      assert.equal(had.get(name), (before.get(name) ?? 0) + added, name);
      assert.equal(left.get(name), 0, name);
    }
    assert.equal(had.get("people.moved_to_id"), 1);
    assert.equal(left.get("contacts.person_id"), 0);
    const key = { id: from.id };
    const old = await kith().server.features.people.find(key);
    assert.deepEqual([old?.state, old?.movedToId], ["closed", to.id]);
  });
});

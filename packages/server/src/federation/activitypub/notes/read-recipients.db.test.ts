import assert from "node:assert/strict";
import { createWriteWatch } from "../../../features/freshness/index.ts";
import { before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import {
  useKith,
  type TestPerson,
} from "../../../../test/support/server/kith-server.ts";
import { WatchedReads } from "../../../../test/support/scenes/query-plans.ts";
import { remotePerson } from "../../../../test/support/remote/remote-people.ts";
import { createContacts } from "../../../features/contacts/index.ts";
import { createPeople, type Person } from "../../../features/people/index.ts";
import { listMentionedUsers } from "../records/find-local.ts";
import { readRecipients } from "./read-recipients.ts";
import { createUris } from "../records/uris.ts";

const PEOPLE = 12;
const FOLLOWERS = "https://remote.example/users/author/followers";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const people: TestPerson[] = [];
  let author: Person;
  let watched: WatchedReads;

  before(async () => {
    for (let count = 0; count < PEOPLE; count += 1)
      people.push(await kith().person());
    const known = await remotePerson(kith(), "author@remote.example");
    const addresses = { ...known.addresses, followersUri: FOLLOWERS };
    author = { ...known, addresses };
    watched = new WatchedReads(kith().db);
  });

  const deps = () => {
    const { clock, host, baseUrl } = kith();
    const from = { db: watched.db, clock, facts: {} as never };
    const standingOn = () => assert.fail("nobody is stored");
    return {
      people: createPeople({
        ...{ ...from, standingOn },
        indexing: {} as never,
        writeWatch: createWriteWatch(from),
      }),
      contacts: createContacts({ ...from, people: {} as never }),
      uris: createUris(baseUrl),
      handleHost: host,
    };
  };
  const actorOf = ({ username }: TestPerson) =>
    createUris(kith().baseUrl).actor(username);
  const idsOf = (some: readonly TestPerson[]) =>
    some.map(({ record }) => record.ID).sort((a, b) => a - b);
  const read = async (to: string[], cc: string[] = []) => {
    watched.take();
    const found = await readRecipients(deps(), { to, cc }, author, null);
    const ids: number[] = [...found.people].sort((a, b) => a - b);
    return { ids, queries: watched.take().length };
  };

  test("many people whom a document names are found as fast as one", async () => {
    const one = await read(people.slice(0, 1).map(actorOf));
    assert.deepEqual(one.ids, idsOf(people.slice(0, 1)));
    const nobody = `${kith().baseUrl}/u/nobody_here`;
    const many = await read([PUBLIC, nobody], people.map(actorOf));
    assert.deepEqual(many.ids, idsOf(people));
    assert.equal(many.queries, one.queries);
    const tags = people.map((one) => ({
      type: "Mention",
      href: actorOf(one),
    }));
    watched.take();
    const mentioned = await listMentionedUsers(deps(), { tags } as never);
    assert.deepEqual([...mentioned], idsOf(people));
    assert.equal(watched.take().length, one.queries);
  });

  test("followers whom it is for are found in one query, and only those whose Follow was accepted", async () => {
    const none = await read([FOLLOWERS]);
    assert.deepEqual(none.ids, []);
    const { contacts } = kith().server.features;
    await kith().db.transaction(async (tx) => {
      for (const { record } of people) {
        const { ID: personId, UserID: userId } = record;
        const by = { personId, userId } as never;
        await contacts.setFollowing(tx, by, author, true);
      }
      const [first] = people;
      assert.ok(first);
      await tx
        .updateTable("contacts")
        .set({ confirmed: true })
        .where("person_id", "=", author.id)
        .where("user_id", "<>", first.record.UserID)
        .execute();
    });
    const many = await read([FOLLOWERS]);
    assert.deepEqual(many.ids, idsOf(people.slice(1)));
    assert.equal(many.queries, none.queries);
  });
});

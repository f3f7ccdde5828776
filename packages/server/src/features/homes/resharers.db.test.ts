import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  remotePerson,
  remotePost,
} from "../../../test/support/remote/remote-people.ts";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import {
  useKith,
  type TestPerson,
} from "../../../test/support/server/kith-server.ts";
import type { AspectRecord } from "../../../test/support/server/wire.ts";
import type { AspectId } from "../ids.ts";
import type { Person } from "../people/index.ts";
import type { Post } from "../posts/index.ts";

/** A crowd, more than a few, and a few: each is counted in a way of its own. */
const SIZES = [503, 250, 5];
/** The places of people of the home among the resharers of each post. */
const FRIENDS = [1, 3];
const FAMILY = [3, 4];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let reader: TestPerson;
  let crowd: readonly Person[];
  let roots: readonly Post[];
  const aspects: AspectId[] = [];

  const receive = async (post: ReturnType<typeof remotePost>) => {
    const received = await kith().server.features.posts.receive(post);
    assert.equal(received.kind, "stored");
    return received.value;
  };
  const personOf = (place: number) => crowd[place] ?? assert.fail("nobody");

  before(async () => {
    reader = await kith().person();
    const people = Array.from({ length: SIZES[0] ?? 0 }, (_, n) =>
      remotePerson(kith(), `p${n}@crowd.example`),
    );
    crowd = await Promise.all(people);
    const author = await remotePerson(kith(), "author@crowd.example");
    const followed: [string, readonly number[]][] = [
      ["friends", FRIENDS],
      ["family", FAMILY],
    ];
    for (const [name, places] of followed) {
      const { ID } = await reader.post<AspectRecord>("/aspects", { name });
      aspects.push(ID);
      for (const place of places)
        await reader.post(`/people/${personOf(place).id}/aspects/${ID}`);
    }
    roots = await Promise.all(SIZES.map(() => receive(remotePost(author))));
    for (const [which, { guid, personId }] of roots.entries())
      for (const person of crowd.slice(0, SIZES[which]))
        await receive(
          remotePost(person, {
            ...{ type: "reshare", rootGuid: guid, rootPersonId: personId },
          }),
        );
  });

  const listed = async (aspectIds: readonly AspectId[]) => {
    const user = { userId: reader.record.UserID, personId: reader.record.ID };
    const choice = { aspectIds, reshares: true };
    const { homes } = kith().server.features;
    const shown = await homes.list(user, choice, { limit: 20, offset: 0 });
    return new Map(shown.map((it) => [it.post.guid, it.resharedBy]));
  };

  test("those of the home are named in their order and counted, however many others reshared too", async () => {
    const cases: [readonly AspectId[], readonly number[]][] = [
      [[], [...new Set([...FRIENDS, ...FAMILY])]],
      [aspects.slice(0, 1), FRIENDS],
      [aspects.slice(1), FAMILY],
    ];
    for (const [aspectIds, places] of cases) {
      const found = await listed(aspectIds);
      const people = places.map((place) => personOf(place).id);
      for (const { guid } of roots)
        assert.deepEqual(found.get(guid), { people, count: people.length });
    }
  });

  test("not one whose reshares the reader does not want, and not one that is blocked", async () => {
    const [unwanted, blocked] = [personOf(3), personOf(4)];
    const choices = `/people/${unwanted.id}/follow_choices`;
    await reader.put(choices, { reshares: "false" });
    await reader.post(`/people/${blocked.id}/block`);
    const found = await listed([]);
    const people = [personOf(1).id];
    for (const { guid } of roots)
      assert.deepEqual(found.get(guid), { people, count: 1 });
  });
});

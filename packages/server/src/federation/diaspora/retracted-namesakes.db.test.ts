import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signRelayable, type Entity, type Like } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Fact } from "../../features/facts.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import {
  assertDone,
  assertRefused,
  commentOf,
  publish,
  statusMessage,
} from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { deleteSignatures } from "./records/relayable-store.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
    eve = await home.remotePerson("eve");
  });
  after(() => home.close());

  type Make = (by: RemotePersonWithKey, guid: string) => Promise<Entity>;
  const post: Make = async (by, guid) => ({ ...statusMessage(by), guid });

  async function makersOf(parentGuid: string): Promise<Record<string, Make>> {
    const signed = ({ privateKey }: RemotePersonWithKey, entity: Entity) =>
      signRelayable(entity as Like, privateKey);
    return {
      Post: post,
      Comment: (by, guid) => signed(by, { ...commentOf(by, parentGuid), guid }),
      Like: (by, guid) =>
        signed(by, {
          type: "like",
          author: by.handle,
          guid,
          parentGuid,
          parentType: "Post",
          positive: true,
        }),
      Photo: async ({ handle }, guid) => ({
        type: "photo",
        author: handle,
        guid,
        public: true,
        createdAt: "2020-02-03T04:05:06Z",
        remotePhotoPath: "https://pictures.example/",
        remotePhotoName: `${guid}.png`,
      }),
    };
  }

  const retract = (
    by: RemotePersonWithKey,
    targetType: string,
    targetGuid: string,
  ) =>
    home.receivePublicly(
      { type: "retraction", author: by.handle, targetGuid, targetType },
      by,
    );
  const tombstones = async (guid: string) => {
    const rows = await home.deps.db.read
      .selectFrom("tombstones")
      .select("person_id")
      .where("guid", "=", guid)
      .orderBy("person_id")
      .execute();
    return rows.map(({ person_id: id }) => id);
  };

  /** As the job does that sends the retraction. */
  const forgetSignature = async (guid: string) => {
    for (const signed of ["Comment", "Like"] as const)
      await deleteSignatures(home.deps.db, signed, [guid]);
  };
  const retractedFacts = async (guid: string): Promise<unknown[]> => {
    const jobs = await home.deps.db.read
      .selectFrom("jobs")
      .select("payload")
      .where("kind", "=", "fan-out")
      .where("payload", "like", `%retracted%${guid}%`)
      .orderBy("id")
      .execute();
    return jobs.map(({ payload }) => JSON.parse(payload) as unknown);
  };

  for (const type of ["Post", "Comment", "Like", "Photo"])
    test(`a retracted ${type} stays gone for its author although a stranger took back one of the same Guid first`, async () => {
      const { guid: parent } = await publish(home, alice);
      const make = (await makersOf(parent))[type] ?? assert.fail();
      const guid = newGuid();
      for (const by of [eve, bob]) {
        const original = await make(by, guid);
        assertDone(await home.receivePublicly(original, by), "stored");
        assertDone(await retract(by, type, guid), "retracted");
        await forgetSignature(guid);
        assertRefused(await home.receivePublicly(original, by));
      }
      assert.deepEqual(await tombstones(guid), [bob.person.id, eve.person.id]);
      for (const by of [eve, bob])
        assertRefused(await home.receivePublicly(await make(by, guid), by));
    });

  test("a stranger's retraction of one kind does not prevent another kind of anybody", async () => {
    const { guid: parent } = await publish(home, alice);
    const makers = await makersOf(parent);
    for (const [first, second] of [
      ["Comment", "Post"],
      ["Post", "Like"],
      ["Like", "Comment"],
    ] as const) {
      const guid = newGuid();
      const taken = await makers[first]?.(eve, guid);
      assertDone(
        await home.receivePublicly(taken ?? assert.fail(), eve),
        "stored",
      );
      assertDone(await retract(eve, first, guid), "retracted");
      await forgetSignature(guid);
      const named = await makers[second]?.(bob, guid);
      assertDone(
        await home.receivePublicly(named ?? assert.fail(), bob),
        "stored",
      );
    }
  });

  test("the author of the post takes back each comment of one Guid, and each again", async () => {
    const { guid: parent } = await publish(home, alice);
    const mine = statusMessage(bob);
    assertDone(await home.receivePublicly(mine, bob), "stored");
    const guid = newGuid();
    const said = await signRelayable(
      { ...commentOf(eve, mine.guid), guid },
      eve.privateKey,
    );
    const elsewhere = await signRelayable(
      { ...commentOf(bob, parent), guid },
      bob.privateKey,
    );
    assertDone(await home.receivePublicly(elsewhere, bob), "stored");
    assertDone(await retract(bob, "Comment", guid), "retracted");
    await forgetSignature(guid);
    assertDone(await home.receivePublicly(said, bob), "stored");
    // It is about the object stored now.
    assertDone(await retract(bob, "Comment", guid), "retracted");
    assertDone(await retract(bob, "Comment", guid), "known");
    assertDone(await retract(eve, "Comment", guid), "known");
    assertRefused(await home.receivePublicly(said, bob));
    assertRefused(await home.receivePublicly(elsewhere, bob));
  });

  test("a retraction is sent, whatever a stranger retracted under the same Guid", async () => {
    const { guid: parent } = await publish(home, alice);
    const make = (await makersOf(parent))["Comment"] ?? assert.fail();
    const guid = newGuid();
    for (const by of [eve, bob]) {
      const { id } = by.person;
      assertDone(
        await home.receivePublicly(await make(by, guid), by),
        "stored",
      );
      assertDone(await retract(by, "Comment", guid), "retracted");
      const facts = await retractedFacts(guid);
      assert.deepEqual(facts.at(-1), {
        ...{ type: "comment.retracted", guid, authorId: id, by: id },
      });
      const outgoing = await loadOutgoing(home.features, facts.at(-1) as Fact);
      assert.ok(outgoing?.kind === "comment_retraction");
      assert.equal(outgoing.author.id, id);
      await forgetSignature(guid);
    }
  });
});

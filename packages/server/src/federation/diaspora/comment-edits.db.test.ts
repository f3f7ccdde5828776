import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signMigration, signRelayable, type Comment } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { MoveInProgress } from "../../features/moves/index.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { assertDone, commentOf, publish } from "./entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { findSignature } from "./records/relayable-store.ts";

const FIRST = "2024-01-01T00:00:00Z";
const SECOND = "2024-01-02T00:00:00Z";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let count = 0;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
  });
  after(() => home.close());

  const say = async (comment: Comment, by: RemotePersonWithKey) =>
    home.receivePublicly(await signRelayable(comment, by.privateKey), by);
  const textOf = async ({ guid }: Comment) =>
    (await home.features.comments.find({ guid }))?.text;

  test("an edit names the post by either of its Guids", async () => {
    const post = await publish(home, alice);
    const otherGuid = newGuid();
    await home.deps.db.transaction((tx) =>
      tx
        .updateTable("posts")
        .set({ other_guid: otherGuid })
        .where("id", "=", post.id)
        .execute(),
    );
    const comment = commentOf(bob, otherGuid);
    assertDone(await say(comment, bob), "stored");
    for (const [parentGuid, editedAt, text] of [
      [otherGuid, "2099-01-01T00:00:00Z", "by the second"],
      [post.guid, "2099-01-01T00:00:01Z", "by the first"],
    ] as const) {
      const edit = { ...comment, parentGuid, editedAt, text };
      assertDone(await say(edit, bob), "changed");
      assert.equal(await textOf(comment), text);
    }
  });

  test("the first edit counts within the second of the comment, the second one by the time of the first", async () => {
    const post = await publish(home, alice);
    const createdAt = SECOND;
    const comment = { ...commentOf(bob, post.guid), createdAt };
    assertDone(await say(comment, bob), "stored");
    const edit = { ...comment, editedAt: SECOND, text: "at once" };
    assertDone(await say(edit, bob), "changed");
    const older = { ...comment, editedAt: FIRST, text: "older" };
    assertDone(await say(older, bob), "known");
    assertDone(await say({ ...edit, text: "again" }, bob), "known");
    assert.equal(await textOf(comment), "at once");
  });

  const migrate = async (
    from: RemotePersonWithKey,
    to: RemotePersonWithKey,
  ) => {
    const result = await home.receivePublicly(
      {
        type: "account_migration",
        author: from.handle,
        profile: {
          type: "profile",
          author: to.handle,
          firstName: "Moved",
          searchable: true,
          public: true,
          nsfw: false,
        },
        signature: await signMigration(from.handle, to.handle, to.privateKey),
      },
      from,
    );
    assertDone(result, "moved");
  };
  const applyMigration = async ({ person }: RemotePersonWithKey) => {
    const from = await home.features.people.find({ id: person.id });
    const id = from?.movedToId ?? assert.fail();
    const to = (await home.features.people.find({ id })) ?? assert.fail();
    const move: MoveInProgress = {
      ...{ from: from ?? assert.fail(), to },
      ...{ withContent: true, photoPath: null },
    };
    for (const step of home.features.movingSteps)
      while (await step.run(move, 10));
  };

  for (const isHandedOver of [false, true])
    test(`somebody who has moved edits what it wrote before, ${isHandedOver ? "after" : "before"} that is handed over`, async () => {
      count += 1;
      const from = await home.remotePerson(`old${count}`);
      const to = await home.remotePerson(`new${count}`);
      const post = await publish(home, alice);
      const comment = commentOf(from, post.guid);
      assertDone(await say(comment, from), "stored");
      await migrate(from, to);
      if (isHandedOver) await applyMigration(from);
      const edit = {
        ...comment,
        author: to.handle,
        editedAt: "2099-01-01T00:00:00Z",
        text: "moved",
      };
      assertDone(await say(edit, to), "changed");
      assert.equal(await textOf(comment), "moved");
      const { guid } = comment;
      const kept = await findSignature(home.deps.db.read, "Comment", guid);
      assert.ok(
        kept?.properties.some(
          ([name, value]) => name === "author" && value === to.handle,
        ),
      );
    });

  test("nobody else edits it", async () => {
    const eve = await home.remotePerson("eve");
    const post = await publish(home, alice);
    const comment = commentOf(bob, post.guid);
    assertDone(await say(comment, bob), "stored");
    const theft = {
      ...comment,
      author: eve.handle,
      editedAt: "2099-01-01T00:00:00Z",
      text: "stolen",
    };
    const result = await say(theft, eve);
    assert.deepEqual(result, {
      kind: "done",
      outcome: "refused: the Guid is another author's",
    });
    assert.equal(await textOf(comment), comment.text);
  });
});

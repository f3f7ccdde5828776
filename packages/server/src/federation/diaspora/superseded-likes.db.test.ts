import assert from "node:assert/strict";
import { test } from "node:test";
import { signRelayable, type Like } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { assertDone, assertRefused, publish } from "./entities.fixture.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { renderFor } from "./rendered.fixture.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  const likeOf = (post: Post, positive: boolean) =>
    signRelayable<Like>(
      {
        type: "like",
        author: bob.handle,
        guid: newGuid(),
        parentGuid: post.guid,
        parentType: "Post",
        positive,
      },
      bob.privateKey,
    );
  const current = async ({ id }: Post) => {
    const page = { offset: 0, limit: 10 };
    const list = await home.features.likes.list({ post: { id } }, null, page);
    return list.map(({ guid, positive }) => [guid, positive]);
  };
  /** In the order of execution. */
  const waiting = async (): Promise<string[]> => {
    const jobs = await home.deps.db.read
      .selectFrom("jobs")
      .select("payload")
      .where("payload", "like", "%like.%")
      .where("kind", "=", "fan-out")
      .orderBy("id")
      .execute();
    return jobs.map(({ payload }) => payload);
  };

  test("a dislike in the place of a like takes it back where it went, and nothing brings it again", async () => {
    const { retractions, likes } = home.features;
    const post = await publish(home, alice);
    const liked = await likeOf(post, true);
    const disliked = await likeOf(post, false);
    const again = await likeOf(post, true);
    let replaced: Like | undefined;
    for (const like of [liked, disliked, again]) {
      assertDone(await home.receivePublicly(like, bob), "stored");
      assert.deepEqual(await current(post), [[like.guid, like.positive]]);
      if (replaced) {
        const { guid } = replaced;
        const authorId = bob.person.id;
        const gone = { kind: "Like", guid, personId: authorId } as const;
        assert.ok(await retractions.find(gone));
        const [first, second] = (await waiting()).slice(-2);
        assert.ok(first?.includes(guid), "it is taken back first");
        const { id } = (await likes.find({ guid: like.guid })) ?? {};
        assert.ok(second?.includes(`"likeId":${id}`));
        const fact = {
          type: "like.retracted",
          guid,
          authorId,
          by: authorId,
        } as const;
        const [sent] = await renderFor(home, fact, alice, [eve]);
        assert.ok(sent?.type === "retraction");
        assert.deepEqual([sent.targetType, sent.targetGuid], ["Like", guid]);
      }
      replaced = like;
    }
    for (const old of [liked, disliked])
      assertRefused(await home.receivePublicly(old, bob));
    assert.deepEqual(await current(post), [[again.guid, true]]);
  });
});

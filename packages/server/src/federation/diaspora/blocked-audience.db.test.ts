import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Fact } from "../../features/facts.ts";
import type { Person } from "../../features/people/index.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import { createFanOutSender } from "../outbound/fan-out.ts";
import { createDiasporaSender } from "./create-sender.ts";
import {
  useHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;
  let eve: RemotePersonWithKey;
  useHomeServer(kind, (town) => ({ home, alice, bob, eve } = town));

  /** The recipient servers of a fact. */
  const hostsReached = async (fact: Fact): Promise<string[]> => {
    const hosts: string[] = [];
    const send = createFanOutSender({
      ...home.features,
      senders: { diaspora: createDiasporaSender(home.deps) },
      dispatch: async (dispatches) => {
        for (const { deliveries } of dispatches)
          hosts.push(...deliveries.map(({ url }) => new URL(url).hostname));
      },
    });
    await send((await loadOutgoing(home.features, fact)) ?? assert.fail());
    return hosts.toSorted();
  };

  test("people blocked by the author get nothing new, but retractions of earlier posts", async () => {
    const { blocks, comments, posts } = home.features;
    const personId = alice.id;
    const author = { userId: alice.userId ?? assert.fail(), personId };
    const personIds = [bob.person.id, eve.person.id];
    const limited = () =>
      posts.publish({
        author,
        text: "limited",
        audience: { kind: "people", personIds },
      });
    const renderFor = (postId: Awaited<ReturnType<typeof limited>>["id"]) =>
      hostsReached({ type: "post.published", postId, by: personId });
    const comment = async (guid: string) => {
      const { id } = await comments.create({
        author,
        on: { guid },
        text: "more",
      });
      return hostsReached({
        type: "comment.created",
        commentId: id,
        by: personId,
      });
    };
    const [both, bobOnly] = [["bob.example", "eve.example"], ["bob.example"]];

    const post = await limited();
    assert.deepEqual(await renderFor(post.id), both);
    assert.deepEqual(await comment(post.guid), both);
    await blocks.block(author, eve.person.id);
    assert.deepEqual(await comment(post.guid), bobOnly);
    assert.deepEqual(await renderFor((await limited()).id), bobOnly);
    const mentioning = await posts.publish({
      author,
      text: `hello @{${bob.handle}} and @{${eve.handle}}`,
    });
    assert.deepEqual(await renderFor(mentioning.id), bobOnly);
    await posts.deleteOrHide(author, post.guid);
    const { guid } = post;
    assert.deepEqual(
      await hostsReached({ type: "post.retracted", guid, by: personId }),
      both,
    );
  });
});

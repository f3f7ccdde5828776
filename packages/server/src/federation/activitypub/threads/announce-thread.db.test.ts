import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import { useKith } from "../../../../test/support/server/kith-server.ts";
import type { PostRecord } from "../../../../test/support/server/wire.ts";
import { FAN_OUT, type Outgoing } from "../../outbound/outgoing.ts";
import {
  createNoteThreadChanged,
  createAnnounceThread,
  ANNOUNCE_THREAD,
} from "./announce-thread.ts";
import { noteNews } from "./thread-news-store.ts";

const FAR = "https://far.example";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  /**
   * A limited post of ann's, and the announcement below it: for all servers but the one with the
   * news.
   */
  async function setScene() {
    const ann = await kith().person();
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "few" });
    const { ID: postId } = await ann.post<PostRecord>("/posts", {
      post: "for few",
      aspectID: String(aspect.ID),
    });
    const { server, db, clock } = kith();
    const told: (string | undefined)[] = [];
    let isBroken = false;
    const handler = createAnnounceThread(
      { ...server.features, db, clock },
      async (outgoing: Outgoing) => {
        if (isBroken) throw new Error("The connection to the database broke");
        assert.ok(outgoing.kind === "thread_change");
        told.push(outgoing.from);
      },
    );
    const job = { job: {} as never, signal: new AbortController().signal };
    const run = () => handler({ postId: postId }, job);
    return {
      postId: postId,
      told,
      run,
      runBroken: async () => {
        isBroken = true;
        await assert.rejects(run());
        isBroken = false;
      },
      note: (origin: string) =>
        db.transaction((tx) => noteNews(tx, postId as never, origin)),
    };
  }

  test("the news waits until the post itself has gone out", async () => {
    const { postId, note } = await setScene();
    await note(FAR);
    const { server, db, clock } = kith();
    await createNoteThreadChanged({ ...server.features, db, clock })(
      postId,
      FAR,
    );
    const waiting = await db.read
      .selectFrom("jobs")
      .select(["kind", "lane", "follows"])
      .where("kind", "in", [FAN_OUT.name, ANNOUNCE_THREAD.name])
      .orderBy("id")
      .execute();
    const [post, news] = [waiting.at(0), waiting.at(-1)];
    assert.deepEqual([post?.kind, news?.kind], ["fan-out", "tell-thread"]);
    assert.equal(news?.follows, post?.lane);
    await kith().settle();
  });

  test("the one server that said something is left out, and nobody where several did", async () => {
    const { told, run, note } = await setScene();
    await note(FAR);
    await run();
    await note(FAR);
    await note("https://third.example");
    await run();
    await run();
    assert.deepEqual(told, [FAR, undefined, undefined]);
  });

  test("what was to be told when telling failed is told the next time, to a server that said something since as well", async () => {
    const { told, run, runBroken, note } = await setScene();
    await note("");
    await runBroken();
    await note(FAR);
    await run();
    assert.deepEqual(told, [undefined]);
    await note(FAR);
    await run();
    assert.deepEqual(told, [undefined, FAR], "and then it has been told");
  });
});

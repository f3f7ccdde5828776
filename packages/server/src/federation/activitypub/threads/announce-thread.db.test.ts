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
    const announcedFrom: (string | undefined)[] = [];
    let isBroken = false;
    const handler = createAnnounceThread(
      { ...server.features, db, clock },
      async (outgoing: Outgoing) => {
        if (isBroken) throw new Error("The connection to the database broke");
        assert.ok(outgoing.kind === "thread_change");
        announcedFrom.push(outgoing.from);
      },
    );
    const job = { job: {} as never, signal: new AbortController().signal };
    const run = () => handler({ postId: postId }, job);
    return {
      postId: postId,
      announcedFrom,
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

  test("the only server that sent news is left out, and none where several did", async () => {
    const { announcedFrom, run, note } = await setScene();
    await note(FAR);
    await run();
    await note(FAR);
    await note("https://third.example");
    await run();
    await run();
    assert.deepEqual(announcedFrom, [FAR, undefined, undefined]);
  });

  test("news whose announcement failed is announced the next time, also to a server that sent news since", async () => {
    const { announcedFrom, run, runBroken, note } = await setScene();
    await note("");
    await runBroken();
    await note(FAR);
    await run();
    assert.deepEqual(announcedFrom, [undefined]);
    await note(FAR);
    await run();
    assert.deepEqual(
      announcedFrom,
      [undefined, FAR],
      "and then it has been announced",
    );
  });
});

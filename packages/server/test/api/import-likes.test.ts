import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import {
  diasporaArchive,
  entity,
  guidOf,
  oldStatus,
} from "../support/imports/diaspora-archive.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  LikeRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kith-import-likes-"));
  });
  after(() => rm(folder, { recursive: true }));

  const run = ({ record }: TestPerson, file: string, isRehearsal = false) =>
    kith().server.imports.run({
      user: { userId: record.UserID, personId: record.ID },
      ...{ file, isRehearsal },
    });

  /** Likes of these things, by their Guids. */
  const archive = async (
    name: string,
    likes: readonly (readonly [guid: string, positive: boolean])[],
  ) => {
    const file = path.join(folder, `${name}.json`);
    const relayables = likes.map(([guid, positive], at) =>
      entity("like", {
        ...{ guid: `${at}`.padStart(32, "f"), parent_guid: guid },
        ...{ parent_type: "Post", positive },
      }),
    );
    const posts = [oldStatus(`own of ${name}`)];
    await writeFile(file, diasporaArchive({ posts, relayables }));
    return file;
  };

  const likersOf = async (who: TestPerson, { Guid }: { Guid: string }) =>
    (await who.get<LikeRecord[]>(`/posts/${Guid}/likes`)).map(
      ({ PersonID }) => PersonID,
    );

  test("likes of what is known here come once, and notify nobody", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspect = await bob.post<AspectRecord>("/aspects", {
      aspect_name: "few",
    });
    const [liked, disliked, hidden] = [
      await bob.post<PostRecord>("/posts", { post: "liked" }),
      await bob.post<PostRecord>("/posts", { post: "disliked" }),
      await bob.post<PostRecord>("/posts", {
        post: "for me",
        aspectID: aspect.ID,
      }),
    ];
    const comment = await bob.post<CommentRecord>(
      `/posts/${liked.Guid}/comments`,
      { comment: "a comment" },
    );
    await kith().settle();
    const notified = await bob.get<unknown[]>("/notifications");
    const file = await archive("first", [
      [liked.Guid, true],
      [disliked.Guid, false],
      [hidden.Guid, true],
      [comment.Guid, true],
      [guidOf("own of first"), true],
      ["0".repeat(32), true],
    ]);
    const written = await kith().snapshot();
    const { like: expected } = await run(ann, file, true);
    assert.deepEqual(await kith().snapshot(), written);
    const jobs = () =>
      kith().db.read.selectFrom("jobs").select("kind").execute();
    const waiting = await jobs();
    const { like } = await run(ann, file);
    assert.deepEqual(like, expected);
    assert.deepEqual(
      [like?.added, like?.leftOut.unknown_post?.count],
      [4, 2],
      JSON.stringify(like),
    );
    assert.deepEqual(await jobs(), waiting);
    await kith().settle();
    assert.deepEqual(await bob.get("/notifications"), notified);
    assert.deepEqual(await likersOf(bob, liked), [ann.record.ID]);
    // Taken back, it stays so.
    const user = { userId: ann.record.UserID, personId: ann.record.ID };
    const key = { post: { guid: liked.Guid } };
    await kith().server.features.likes.unlike(user, key);
    const again = await run(ann, file);
    assert.deepEqual([again.like?.added, again.like?.known], [0, 4]);
    assert.deepEqual(await likersOf(bob, liked), []);
  });

  test("of two imports at once one brings the like", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await bob.post<PostRecord>("/posts", {
      ...{ post: "hello" },
    });
    const { likes } = kith().server.features;
    const by = { userId: ann.record.UserID, personId: ann.record.ID };
    const key = { post: { guid: post.Guid } };
    const createdAt = "2019-01-01T00:00:00Z";
    const once = (guid: string) =>
      likes.import({ by, guid, key, positive: true, createdAt });
    const added = await Promise.all([
      once("a".repeat(32)),
      once("b".repeat(32)),
    ]);
    assert.deepEqual(added.toSorted(), [false, true]);
    assert.deepEqual(await likersOf(bob, post), [ann.record.ID]);
  });
});

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
import { mastodonFiles } from "../support/imports/mastodon-archive.ts";
import { writeZip } from "../support/imports/packed.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
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

  const FRIENDICA = "https://f.example";
  const OWNER = `${FRIENDICA}/profile/ann`;
  const LIKE = "http://activitystrea.ms/schema/1.0/like";
  const DISLIKE = "http://purl.org/macgirvin/dfrn/1.0/dislike";

  /** Friendica's backup, with the account in its first line. */
  const backup = async (name: string, items: readonly object[]) => {
    const file = path.join(folder, `${name}.backup`);
    const account = {
      ...{ version: "2024.12", schema: 1571, baseurl: FRIENDICA },
      contact: [{ id: 1, self: 1, url: OWNER }],
    };
    const lines = [account, { item: items }];
    await writeFile(file, lines.map((it) => JSON.stringify(it)).join("\n"));
    return file;
  };
  let items = 0;
  const item = (fields: object) => ({
    ...{ id: (items += 1), uri: `${FRIENDICA}/objects/item${items}` },
    ...{ gravity: 0, deleted: 0, private: 0, title: "", body: "words" },
    ...{ created: "2018-01-02 03:04:05", "author-link": OWNER },
    ...{ verb: "http://activitystrea.ms/schema/1.0/post" },
    ...fields,
  });
  const liking = (uri: string, fields: object = {}) =>
    item({ ...{ gravity: 3, verb: LIKE, "thr-parent": uri }, ...fields });
  const dateOf = async (who: TestPerson, guid: string) => {
    const row = await kith()
      .db.read.selectFrom("likes")
      .innerJoin("posts", "posts.id", "likes.post_id")
      .select(["likes.created_at", "likes.positive"])
      .where("posts.guid", "=", guid)
      .where("likes.person_id", "=", who.record.ID)
      .executeTakeFirst();
    return row && [row.created_at.slice(0, 10), Boolean(row.positive)];
  };

  test("likes of Friendica's backup are found by address, by Guid, or in the backup itself", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const far = await remotePerson(kith(), "far@remote.example");
    const byUri = remotePost(far, { uri: "https://m.example/notes/1" });
    const overDiaspora = remotePost(far, { uri: null });
    const { posts } = kith().server.features;
    for (const post of [byUri, overDiaspora]) await posts.receive(post);
    const here = await bob.post<PostRecord>("/posts", { post: "here" });
    const aspect = await bob.post<AspectRecord>("/aspects", { name: "few" });
    const hidden = await bob.post<PostRecord>("/posts", {
      ...{ post: "for me", aspectID: aspect.ID },
    });
    await kith().settle();
    const notified = await bob.get<unknown[]>("/notifications");
    const addressOf = ({ Guid }: PostRecord) =>
      `${kith().baseUrl}/api/v1/ap/object/${Guid}`;
    const own = item({ body: "own" });
    const comment = item({ gravity: 6, "thr-parent": own.uri });
    const theirs = { "author-link": `${FRIENDICA}/profile/bob` };
    const file = await backup("friendica", [
      // Those of what comes later in the file are found, too.
      liking(comment.uri),
      liking(own.uri),
      liking("https://m.example/notes/1"),
      liking(`https://pod.example/objects/${overDiaspora.guid}`, {
        ...{ gravity: "3", verb: DISLIKE, created: "0001-01-01 00:00:00" },
      }),
      liking(addressOf(here)),
      liking(addressOf(hidden)),
      liking("https://m.example/notes/unknown"),
      liking(""),
      liking(addressOf(here), theirs),
      liking(addressOf(here), { deleted: 1 }),
      liking(addressOf(here), {
        verb: "http://purl.org/zot/activity/attendyes",
      }),
      liking(addressOf(here), {
        verb: "https://www.w3.org/ns/activitystreams#Announce",
      }),
      own,
      comment,
    ]);
    const written = await kith().snapshot();
    const expected = await run(ann, file, true);
    assert.deepEqual(await kith().snapshot(), written);
    const report = await run(ann, file);
    assert.deepEqual(report, expected);
    const { like, reshare } = report;
    assert.equal(like?.added, 5, JSON.stringify(like));
    assert.deepEqual(
      Object.entries(like.leftOut).map(([why, it]) => [why, it.count]),
      [
        ["unknown_post", 2],
        ["malformed", 1],
        ["of_others", 1],
        ["would_tell", 1],
      ],
    );
    assert.equal(reshare?.leftOut.would_tell?.count, 1);
    await kith().settle();
    assert.deepEqual(await bob.get("/notifications"), notified);
    assert.deepEqual(await likersOf(bob, here), [ann.record.ID]);
    assert.deepEqual(await dateOf(ann, byUri.guid), ["2018-01-02", true]);
    const today = kith().clock.now().toISOString().slice(0, 10);
    assert.deepEqual(await dateOf(ann, overDiaspora.guid), [today, false]);
    const again = await run(ann, file);
    assert.deepEqual([again.like?.added, again.like?.known], [0, 5]);
  });

  test("likes of Mastodon's archive find what people of this server wrote", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await bob.post<PostRecord>("/posts", { post: "here" });
    const orderedItems = [
      `${kith().baseUrl}/api/v1/ap/object/${post.Guid}`,
      "https://m.example/notes/unknown",
    ];
    const file = await writeZip(
      path.join(folder, "mastodon.zip"),
      mastodonFiles([], { "likes.json": JSON.stringify({ orderedItems }) }),
    );
    const { like } = await run(ann, file);
    assert.deepEqual([like?.added, like?.leftOut.unknown_post?.count], [1, 1]);
    assert.deepEqual(await likersOf(bob, post), [ann.record.ID]);
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

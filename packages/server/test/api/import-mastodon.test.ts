import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { tinyPng } from "../../../../test/conformance/tiny-png.ts";
import {
  FOLLOWERS_ONLY,
  mastodonFiles,
  oldNote,
  oldPost,
  UNLISTED,
} from "../support/imports/mastodon-archive.ts";
import { writeTarGz, writeZip } from "../support/imports/packed.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let folder: string;
  let number = 0;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kith-import-"));
  });
  after(() => rm(folder, { recursive: true }));

  const fresh = () => path.join(folder, String((number += 1)));

  const userOf = ({ record }: TestPerson) => ({
    userId: record.UserID,
    personId: record.ID,
  });

  const run = (who: TestPerson, file: string, isRehearsal = false) =>
    kith().server.imports.run({ user: userOf(who), file, isRehearsal });

  const postsOf = (who: TestPerson) =>
    kith().server.features.posts.listOf(who.record.ID, userOf(who), {
      ...{ offset: 0, limit: 100 },
    });

  const jobs = async () =>
    (await kith().db.read.selectFrom("jobs").select("kind").execute()).map(
      (row) => row.kind,
    );

  const count = async (table: "posts" | "comments" | "photos") => {
    const all = kith().db.read.selectFrom(table).select("id");
    return (await all.execute()).length;
  };

  const ACTIVITIES = [
    oldNote("first", {
      content: `<p>Hello <strong>world</strong> <a href="https://old.example/tags/Kith" class="mention hashtag">#Kith</a><script>alert(1)</script></p>`,
      tag: [
        {
          type: "Hashtag",
          name: "#Kith",
          href: "https://old.example/tags/Kith",
        },
      ],
      contentMap: {},
      summary: "about the world",
      sensitive: true,
    }),
    oldNote("unlisted", UNLISTED),
    oldNote("followers", FOLLOWERS_ONLY),
    oldNote("unknown audience", { to: ["https://x.example/odd"], cc: "odd" }),
    oldNote("thread", { inReplyTo: oldPost("first") }),
    oldNote("narrow", { inReplyTo: oldPost("first"), ...FOLLOWERS_ONLY }),
    oldNote("answer", { inReplyTo: "https://other.example/posts/1" }),
    oldNote("picture", {
      attachment: [
        {
          ...{ type: "Document", mediaType: "image/png" },
          url: "/media_attachments/files/1/original/a.png",
          ...{ name: "a tiny picture", focalPoint: [0.5, -0.5] },
        },
        { type: "Document", url: "/media_attachments/files/2/lost.png" },
        { type: "Document", url: "/media_attachments/files/3/text.png" },
      ],
    }),
    oldNote("poll", {
      type: "Question",
      oneOf: [
        { name: "Yes & no", replies: { totalItems: 3 } },
        { name: "*No*", replies: { totalItems: 0 } },
      ],
    }),
    oldNote("undated", { published: "yesterday" }),
    oldNote("stranger", { attributedTo: "https://other.example/users/eve" }),
    oldNote("blank", { content: "" }),
    oldNote("tomorrow", { published: "2999-01-01T00:00:00Z" }),
    { type: "Announce", id: "a", object: "https://other.example/1" },
    { type: "Odd" },
  ];
  const FILES = mastodonFiles(ACTIVITIES, {
    "media_attachments/files/1/original/a.png": tinyPng(),
    "media_attachments/files/3/text.png": "no picture",
  });

  const EXPECTED = {
    post: { added: 7, known: 0 },
    comment: { added: 1, known: 0 },
    picture: { added: 1, known: 0 },
  };

  const sums = (report: Awaited<ReturnType<typeof run>>) =>
    Object.fromEntries(
      Object.entries(report)
        .filter(([, { added, known }]) => added + known > 0)
        .map(([name, { added, known }]) => [name, { added, known }]),
    );

  test("Mastodon's archive is rehearsed without a change, and says what is left out and why", async () => {
    const ann = await kith().person();
    const file = await writeTarGz(fresh(), FILES);
    const written = await kith().snapshot();
    const report = await run(ann, file, true);
    assert.deepEqual(await kith().snapshot(), written);
    assert.deepEqual(sums(report), EXPECTED);
    const reasons = Object.entries(report).flatMap(([name, { leftOut }]) =>
      Object.entries(leftOut).map(
        ([fault, { count: sum, examples }]) =>
          `${name} ${fault} ${sum} ${examples.join()}`,
      ),
    );
    assert.deepEqual(reasons.toSorted(), [
      "bookmark unknown_post 1 https://other.example/2",
      `comment reply 1 ${oldPost("answer")}`,
      `comment wider 1 ${oldPost("narrow")}`,
      "like unknown_post 1 https://other.example/1",
      "picture missing 1 /media_attachments/files/2/lost.png",
      "picture unreadable 1 media_attachments/files/3/text.png",
      `post empty 1 ${oldPost("blank")}`,
      "post malformed 1 ",
      `post no_date 1 ${oldPost("undated")}`,
      `post of_others 1 ${oldPost("stranger")}`,
      "reshare would_tell 1 a",
    ]);
  });

  test("Mastodon's archive becomes old posts with text, date, audience, warning and pictures, and tells nobody", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    await kith().server.features.aspects.follow(
      userOf(bob),
      ann.record.ID,
      "Contacts",
    );
    await bob.post("/posts", { post: "a new post" });
    await kith().settle();
    const before = await jobs();
    const notified = await bob.get<unknown[]>("/notifications");
    const report = await run(ann, await writeZip(fresh(), FILES));
    assert.deepEqual(sums(report), EXPECTED);
    assert.deepEqual(await jobs(), before);
    assert.deepEqual(await bob.get<unknown[]>("/notifications"), notified);
    const posts = await postsOf(ann);
    const shown = posts.map((post) => [
      post.text,
      post.public ? (post.listed ? "everyone" : "unlisted") : post.limitedTo,
      post.createdAt.slice(0, 10),
    ]);
    const today = kith().clock.now().toISOString().slice(0, 10);
    assert.deepEqual(
      shown.toSorted(),
      [
        ["Hello **world** #Kith", "everyone", "2019-03-04"],
        ["followers", "self", "2019-03-04"],
        ["picture", "everyone", "2019-03-04"],
        ["poll\n\n- Yes & no (3)\n- \\*No\\* (0)", "everyone", "2019-03-04"],
        ["tomorrow", "everyone", today],
        ["unknown audience", "self", "2019-03-04"],
        ["unlisted", "unlisted", "2019-03-04"],
      ].toSorted(),
    );
    const first = posts.find(({ nsfw }) => nsfw);
    assert.equal(first?.warning, "about the world");
    const thread = await ann.get<{ Text: string; CreatedAt: string }[]>(
      `/posts/${first?.guid ?? ""}/comments`,
    );
    assert.equal(thread.length, 1);
    assert.equal(thread[0]?.Text, "thread");
    const pictured = posts.find(({ text }) => text === "picture");
    const photos = await kith().server.features.photos.listOf(
      pictured ? [pictured.id] : [],
    );
    const [photo, ...more] = [...photos.values()].flat();
    assert.deepEqual(more, []);
    assert.equal(photo?.text, "a tiny picture");
    assert.deepEqual(photo?.focus, [0.5, -0.5]);
  });

  test("old posts are below newer ones in the home of a follower", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { aspects, homes } = kith().server.features;
    await aspects.follow(userOf(bob), ann.record.ID, "Contacts");
    const own = await bob.post<{ Guid: string }>("/posts", { post: "new" });
    await run(ann, await writeZip(fresh(), mastodonFiles([oldNote("old")])));
    const page = { offset: 0, limit: 10 };
    const choice = { aspectIds: [], reshares: true };
    const home = await homes.list(userOf(bob), choice, page);
    assert.equal(home[0]?.post.guid, own.Guid);
    // An edit does not make it new either.
    const [old] = await postsOf(ann);
    await ann.put(`/posts/${old?.guid ?? ""}`, { post: "edited" });
    const guids = (await homes.list(userOf(bob), choice, page)).map(
      ({ post }) => post.guid,
    );
    assert.deepEqual(guids, [own.Guid]);
  });

  test("the same archive imported again, or twice at once, adds nothing", async () => {
    const ann = await kith().person();
    const file = await writeZip(fresh(), FILES);
    const [one, other] = await Promise.allSettled([
      run(ann, file),
      run(ann, file),
    ]);
    assert.deepEqual(
      [one.status, other.status].toSorted(),
      ["fulfilled", "rejected"],
      "one import at a time",
    );
    const stored = [await count("posts"), await count("comments")];
    const photos = await count("photos");
    const again = await run(ann, file);
    assert.deepEqual(sums(again), {
      post: { added: 0, known: 7 },
      comment: { added: 0, known: 1 },
    });
    assert.deepEqual([await count("posts"), await count("comments")], stored);
    assert.equal(await count("photos"), photos);
    const bob = await kith().person();
    assert.deepEqual(sums(await run(bob, file)), EXPECTED);
    // Nor does it bring back what its author has deleted since.
    const { posts } = kith().server.features;
    for (const { guid } of await postsOf(ann))
      await posts.deleteOrHide(userOf(ann), guid);
    assert.equal((await run(ann, file)).post?.added, 0);
    assert.deepEqual(await postsOf(ann), []);
  });

  test("a damaged archive changes nothing, and leaves no file", async () => {
    const ann = await kith().person();
    const whole = mastodonFiles([oldNote("kept"), oldNote("lost")]);
    const cut = {
      ...whole,
      "outbox.json": whole["outbox.json"]?.slice(0, -9) ?? "",
    };
    const written = await kith().snapshot();
    await assert.rejects(run(ann, await writeZip(fresh(), cut)), {
      code: "bad_request",
    });
    const others = await writeZip(fresh(), { "readme.txt": "hello" });
    await assert.rejects(run(ann, others), /no known program/);
    assert.deepEqual(await kith().snapshot(), written);
  });

  test("an import that stops in the middle is completed by the next one, each post once", async () => {
    const ann = await kith().person();
    const many = Array.from({ length: 20 }, (_, at) => oldNote(`post ${at}`));
    const file = await writeZip(fresh(), mastodonFiles(many));
    const stopped = kith().server.imports.run({
      ...{ user: userOf(ann), file, isRehearsal: false },
      onProgress: (done) => {
        if (done === 7) throw new Error("stopped");
      },
    });
    await assert.rejects(stopped, /stopped/);
    assert.equal((await postsOf(ann)).length, 7);
    assert.deepEqual(sums(await run(ann, file)), {
      post: { added: 13, known: 7 },
    });
    const texts = (await postsOf(ann)).map(({ text }) => text);
    assert.equal(new Set(texts).size, 20);
    assert.equal(texts.length, 20);
  });
});

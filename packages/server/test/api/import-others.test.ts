import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { tinyPng } from "../../../../test/conformance/tiny-png.ts";
import {
  diasporaArchive,
  entity,
  guidOf,
  oldContact,
  oldRelayable,
  oldStatus,
} from "../support/imports/diaspora-archive.ts";
import { writeZip } from "../support/imports/packed.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let folder: string;
  let number = 0;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kith-others-"));
  });
  after(() => rm(folder, { recursive: true }));

  /** The pod, from which pictures are fetched. */
  const pod = createServer((request, response) => {
    const isThere = request.url === "/uploads/images/far.png";
    response.writeHead(isThere ? 200 : 404, { "content-type": "image/png" });
    response.end(isThere ? tinyPng() : "");
  });
  before(() => once(pod.listen(0, "127.0.0.1"), "listening"));
  after(() => pod.close());

  const fresh = (name: string) => path.join(folder, `${(number += 1)}-${name}`);

  const write = async (name: string, content: unknown) => {
    const file = fresh(name);
    const text = typeof content === "string" ? content : undefined;
    await writeFile(file, text ?? JSON.stringify(content));
    return file;
  };

  const userOf = ({ record }: TestPerson) => ({
    userId: record.UserID,
    personId: record.ID,
  });

  const run = (who: TestPerson, file: string, isRehearsal = false) =>
    kith().server.imports.run({ user: userOf(who), file, isRehearsal });

  /** Each kind with what was added, and what was left out for each reason. */
  const shown = (report: Awaited<ReturnType<typeof run>>) =>
    Object.fromEntries(
      Object.entries(report).map(([name, { added, leftOut }]) => [
        name,
        [
          added,
          ...Object.entries(leftOut).map(([why, it]) => `${why} ${it.count}`),
        ],
      ]),
    );

  const postsOf = async (who: TestPerson) => {
    const page = { offset: 0, limit: 100 };
    const posts = await kith().server.features.posts.listOf(
      ...([who.record.ID, userOf(who), page] as const),
    );
    return posts.map((post) => [
      post.text,
      post.public ? (post.listed ? "everyone" : "unlisted") : post.limitedTo,
      post.createdAt.slice(0, 4),
    ]);
  };

  const notices = (who: TestPerson) => who.get<unknown[]>("/notifications");

  test("diaspora*'s archive brings posts, comments on them, contacts by aspect, blocks and tags", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const { port } = pod.address() as AddressInfo;
    const picture = (name: string) =>
      entity("photo", {
        remote_photo_path: `http://127.0.0.1:${port}/uploads/images/`,
        ...{ remote_photo_name: name, guid: guidOf(name), text: null },
      });
    const user = {
      contacts: [
        oldContact(bob.handle, ["Friends", "Work"]),
        oldContact(cat.handle, [], false),
      ],
      posts: [
        oldStatus("first #tag", {
          photos: ["here.png", "far.png", "gone.png"].map(picture),
          location: entity("location", {
            ...{ address: "Bern", lat: "46.94", lng: "7.44" },
          }),
        }),
        oldStatus("limited", { public: false }),
        oldStatus("asked", {
          poll: entity("poll", {
            ...{ guid: guidOf("poll"), question: "Tea?" },
            poll_answers: [
              entity("poll_answer", { guid: guidOf("a"), answer: "yes" }),
            ],
          }),
        }),
        oldStatus("undated", { created_at: null }),
        entity("reshare", { guid: guidOf("r"), root_guid: guidOf("x") }),
      ],
      blocks: [cat.handle],
      followed_tags: ["gardens", "not a tag"],
      relayables: [
        oldRelayable("comment", "own", "first #tag", {
          ...{ text: "more", created_at: "2016-04-01T00:00:00Z" },
        }),
        oldRelayable("comment", "lost", "of somebody else", {
          ...{ text: "hm", created_at: "2016-04-01T00:00:00Z" },
        }),
        oldRelayable("like", "l", "of somebody else"),
        oldRelayable("like", "m", "first #tag"),
      ],
    };
    const others = [oldRelayable("comment", "theirs", "first #tag")];
    const archive = diasporaArchive(user, others);
    const zip = await writeZip(fresh("both.zip"), {
      "ann_diaspora_data.json": archive,
      "photos/here.png": tinyPng(),
    });
    const written = await kith().snapshot();
    const rehearsed = await run(ann, zip, true);
    assert.deepEqual(await kith().snapshot(), written);
    assert.deepEqual(shown(rehearsed)["post"], [3, "no_date 1"]);
    const before = [await notices(bob), await notices(cat)];
    const report = shown(await run(ann, zip));
    assert.deepEqual(report, {
      follow: [2],
      picture: [2, "missing 1"],
      post: [3, "no_date 1"],
      reshare: [0, "would_tell 1"],
      block: [1],
      tag: [1, "malformed 1"],
      comment: [1, "of_others 1", "reply 1"],
      like: [1, "unknown_post 1"],
      account: [0, "not_asked 1"],
    });
    assert.deepEqual(
      (await postsOf(ann)).toSorted(),
      [
        ["first #tag", "everyone", "2016"],
        ["limited", "self", "2016"],
        ["asked\n\n**Tea?**\n\n- yes", "everyone", "2016"],
      ].toSorted(),
    );
    assert.deepEqual(await notices(cat), before[1]);
    const { aspects, streams } = kith().server.features;
    const names = await aspects.listHolding(ann.record.UserID, bob.record.ID);
    assert.deepEqual(names.map(({ name }) => name).toSorted(), [
      "Friends",
      "Work",
    ]);
    assert.ok(await streams.isFollowingTag(ann.record.UserID, "gardens"));
    // The pod's own form, compressed: nothing comes twice.
    const plain = fresh("ann_diaspora_data.json.gz");
    await writeFile(plain, gzipSync(archive));
    const again = await run(ann, plain);
    for (const { added } of Object.values(again)) assert.equal(added, 0);
    assert.equal((await postsOf(ann)).length, 3);
  });

  test("Misskey's notes keep their dates and audiences", async () => {
    const ann = await kith().person();
    const note = (id: string, fields: object) => ({
      ...{ id, text: id, createdAt: "2020-05-06T07:08:09.000Z", fileIds: [] },
      ...{ files: [], replyId: null, renoteId: null, poll: null, cw: null },
      ...{ visibility: "public", visibleUserIds: [], localOnly: false },
      ...{ reactionAcceptance: null, ...fields },
    });
    const file = await write("notes-2024-01-01.json", [
      note("a", { cw: "careful" }),
      note("home", { visibility: "home" }),
      note("followers", { visibility: "followers" }),
      note("local", { localOnly: true }),
      note("thread", { replyId: "a" }),
      note("answer", { replyId: "z" }),
      note("renote", { text: null, renoteId: "z" }),
      note("poll", { poll: { choices: ["x", "y"], votes: [2, 0] } }),
      note("file", { fileIds: ["9abc"], files: undefined }),
    ]);
    assert.deepEqual(shown(await run(ann, file)), {
      post: [6],
      comment: [1, "reply 1"],
      reshare: [0, "would_tell 1"],
      picture: [0, "missing 1"],
    });
    assert.deepEqual(
      (await postsOf(ann)).toSorted(),
      [
        ["a", "everyone", "2020"],
        ["home", "unlisted", "2020"],
        ["followers", "self", "2020"],
        ["local", "self", "2020"],
        ["poll\n\n- x (2)\n- y (0)", "everyone", "2020"],
        ["file", "everyone", "2020"],
      ].toSorted(),
    );
    const again = await run(ann, file);
    assert.equal(again.post?.added, 0);
  });

  test("Pixelfed's files follow, mute and block people, and bring posts", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [name = ""] = bob.handle.split("@");
    const address = `http://${kith().host}/users/${name}`;
    const status = (id: string, fields: object) => ({
      ...{ _v: 1, id, uri: `https://pix.example/p/ann/${id}`, reblog: null },
      ...{ in_reply_to_id: null, content: `<p>${id} &amp; more</p>` },
      ...{ created_at: "2021-02-03T04:05:06.000Z", visibility: "public" },
      ...{ spoiler_text: "", sensitive: false, media_attachments: [] },
      ...{ tags: [], language: null, ...fields },
    });
    const following = await write("pixelfed-following.json", [address]);
    assert.deepEqual(shown(await run(ann, following)), { follow: [1] });
    const away = { muted: [address], blocked: ["https://pix.example/x/y/z"] };
    const file = await write("muted-and-blocked-accounts.json", away);
    assert.deepEqual(shown(await run(ann, file)), {
      ignore: [1],
      block: [0, "malformed 1"],
    });
    const statuses = await write("pixelfed-statuses.json", [
      status("1", {}),
      status("2", { visibility: "private" }),
      status("3", { in_reply_to_id: "1" }),
      status("4", { reblog: { id: "9" } }),
    ]);
    assert.deepEqual(shown(await run(ann, statuses)), {
      post: [2],
      comment: [1],
      reshare: [0, "would_tell 1"],
    });
    assert.deepEqual((await postsOf(ann)).toSorted(), [
      ["1 & more", "everyone", "2021"],
      ["2 & more", "self", "2021"],
    ]);
  });

  test("Friendica's account follows contacts, with their circles", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const contact = (id: number, addr: string, rel: number) => ({
      ...{ id, addr, rel, url: "", self: 0, deleted: 0, blocked: 1 },
    });
    const file = await write("ann.account", {
      ...{ version: "2024.12", schema: 1571, baseurl: "https://f.example" },
      user: { uid: 1, nickname: "ann" },
      contact: [
        { ...contact(1, "ann@f.example", 0), self: 1 },
        contact(2, bob.handle, 3),
        contact(3, cat.handle, 1),
      ],
      ...{ profile: [], profile_fields: [], photo: [], pconfig: [] },
      circle: [{ id: 7, name: "Choir", deleted: 0 }],
      circle_member: [{ gid: "7", "contact-id": "2" }],
    });
    assert.deepEqual(shown(await run(ann, file)), { follow: [1] });
    const { aspects } = kith().server.features;
    const names = await aspects.listHolding(ann.record.UserID, bob.record.ID);
    assert.deepEqual(
      names.map(({ name }) => name),
      ["Choir"],
    );
    const csv = await write(
      "ann-contacts-following.csv",
      `Account address, Show boosts\n${cat.handle}, true\n`,
    );
    assert.deepEqual(shown(await run(ann, csv)), { follow: [1] });
  });

  test("Friendica's backup brings posts and comments, from BBCode, with their dates and audiences", async () => {
    const ann = await kith().person();
    const { port } = pod.address() as AddressInfo;
    const item = (name: string, fields: object = {}) => ({
      ...{ id: 1, uri: `https://f.example/objects/${name}`, gravity: 0 },
      ...{ created: "2018-01-02 03:04:05", edited: "2018-01-02 03:04:05" },
      ...{ verb: "http://activitystrea.ms/schema/1.0/post", private: "0" },
      ...{ "author-link": "http://f.example/profile/ann/", deleted: 0 },
      ...{ title: "", body: name, coord: "", allow_cid: "", deny_cid: null },
      ...fields,
    });
    const account = {
      ...{ version: "2024.12", schema: 1571, baseurl: "https://f.example" },
      user: { uid: 1, nickname: "ann" },
      contact: [{ id: 1, self: 1, url: "https://f.example/profile/ann" }],
    };
    const late = item("late", { gravity: "6", "thr-parent": item("rich").uri });
    const items = [
      late,
      item("rich", {
        title: "A title",
        body: `[b]one[/b] #[url=https://f.example/search?tag=tea]tea[/url][img]http://127.0.0.1:${port}/uploads/images/far.png[/img]`,
        ...{ coord: "46.94 7.44", location: "Bern" },
      }),
      item("quiet", { private: 2 }),
      item("for some", { private: 1, allow_cid: "<3>" }),
      item("undated", { created: "0001-01-01 00:00:00" }),
      item("theirs", { "author-link": "https://f.example/profile/bob" }),
      item("like", { gravity: 3 }),
      item("share", { body: "[share author='x']words[/share]" }),
      item("gone", { deleted: 1 }),
      item("NUL \0", { body: "with \0 in it" }),
      item("stray", { gravity: 6, "thr-parent": "https://x.example/1" }),
    ];
    const lines = [
      account,
      { item: items.slice(0, 4) },
      { item: items.slice(4) },
    ];
    const file = await write(
      "ann.backup",
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    assert.deepEqual(shown(await run(ann, file)), {
      picture: [1],
      post: [4, "no_date 1", "of_others 1"],
      like: [0, "would_tell 1"],
      reshare: [0, "would_tell 1"],
      comment: [1, "reply 1"],
    });
    assert.deepEqual((await postsOf(ann)).toSorted(), [
      ["### A title\n\n**one** #tea", "everyone", "2018"],
      ["for some", "self", "2018"],
      ["quiet", "unlisted", "2018"],
      ["with in it", "everyone", "2018"],
    ]);
    const again = await run(ann, file);
    assert.equal(again.post?.added, 0);
  });

  test("lists of GoToSocial and Misskey are read as these servers write them", async () => {
    const [ann, bob, cat, dan] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const { aspects } = kith().server.features;
    const aspectsOf = async (who: TestPerson) =>
      (await aspects.listHolding(ann.record.UserID, who.record.ID)).map(
        ({ name }) => name,
      );
    // GoToSocial: a heading for follows and mutes, none for the others.
    const follows = await write(
      "following.csv",
      `Account address,Show boosts\n${bob.handle},true\n`,
    );
    assert.deepEqual(shown(await run(ann, follows)), { follow: [1] });
    const lists = await write("lists.csv", `Chœur,${bob.handle}\n`);
    assert.deepEqual(shown(await run(ann, lists)), { follow: [1] });
    const mutes = await write(
      "mutes.csv",
      `Account address,Hide notifications\n${cat.handle},false\n`,
    );
    assert.deepEqual(shown(await run(ann, mutes)), { ignore: [1] });
    const blocks = await write("blocks.csv", `${dan.handle}\n`);
    assert.deepEqual(shown(await run(ann, blocks)), { block: [1] });
    assert.ok((await aspectsOf(bob)).includes("Chœur"));
    // Misskey: no headings, dates in the names, with replies or without, and local names alone.
    const following = await write(
      "following-2024-05-06-07-08-09.csv",
      `${cat.handle},withReplies=false\r\n@${bob.handle},withReplies=true\r\nlocal\r\n`,
    );
    assert.deepEqual(shown(await run(ann, following)), {
      follow: [1, "malformed 1"],
    });
    for (const [name, content, expected] of [
      ["mute-2024-05-06.csv", `${cat.handle}\n`, { ignore: [0] }],
      ["blocking-2024-05-06.csv", `${dan.handle}\n`, { block: [0] }],
      [
        "user-lists-2024-05-06.csv",
        `Band,${cat.handle},true\n`,
        { follow: [1] },
      ],
    ] as const)
      assert.deepEqual(
        shown(await run(ann, await write(name, content))),
        expected,
        name,
      );
    assert.ok((await aspectsOf(cat)).includes("Band"));
  });

  test("NUL in the names and texts of any file ends no import", async () => {
    const ann = await kith().person();
    const { handle } = await kith().person();
    const nul = "a\0b";
    const times = { createdAt: "2020-05-06T07:08:09.000Z" };
    const note = {
      id: nul,
      text: nul,
      ...times,
      fileIds: [nul],
      visibility: "public",
    };
    const status = {
      ...{ _v: 1, id: nul, uri: nul, content: nul, visibility: "public" },
      ...{
        created_at: times.createdAt,
        spoiler_text: nul,
        tags: [{ name: nul }],
      },
      media_attachments: [{ url: nul, description: nul }],
    };
    const files = [
      await write("notes.json", [note]),
      await write("pixelfed-statuses.json", [status]),
      await write("pixelfed-following.json", [`https://x.example/${nul}`]),
      await write("ann.account", {
        ...{ version: "2024.12", schema: 1571, baseurl: "https://f.example" },
        contact: [
          { id: 1, rel: 3, addr: `${nul}@f.example`, url: nul },
          { id: 2, rel: 3, addr: handle },
        ],
        circle: [{ id: 7, name: nul }],
        circle_member: [{ gid: "7", "contact-id": "2" }],
      }),
      await write(
        "diaspora.json",
        diasporaArchive({
          posts: [
            oldStatus(nul, {
              text: nul,
              location: entity("location", {
                address: nul,
                lat: "46.9",
                lng: "7.4",
              }),
              photos: [entity("photo", { remote_photo_name: nul, text: nul })],
              poll: entity("poll", {
                question: nul,
                poll_answers: [entity("poll_answer", { answer: nul })],
              }),
            }),
          ],
          contacts: [oldContact(nul, [nul]), oldContact(handle, [nul])],
          blocks: [nul],
          followed_tags: [nul],
          private_key: nul,
          profile: entity("profile", { author: nul }),
          relayables: [
            oldRelayable("comment", nul, nul, {
              text: nul,
              created_at: "2016-04-01T00:00:00Z",
            }),
          ],
        }),
      ),
      await write("lists.csv", `${nul},${handle}\n${nul},${nul}\n`),
      await write("following.csv", `${nul}\n${nul}@x.example\n`),
      await write("blocked_domains.csv", `${nul}\nx${nul}.example\n`),
      await write("bookmarks.csv", `${nul}\nhttps://x.example/${nul}\n`),
    ];
    for (const file of files)
      for (const isRehearsal of [true, false]) {
        const report = await run(ann, file, isRehearsal);
        const stored = JSON.stringify(report);
        assert.doesNotMatch(stored, /\\u0000/, file);
      }
  });

  test("a JSON file of no known program is refused", async () => {
    const ann = await kith().person();
    const file = await write("x.json", { hello: [] });
    await assert.rejects(run(ann, file), /no known program/);
  });
});

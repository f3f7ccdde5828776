import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { tinyPng } from "../../../../test/conformance/tiny-png.ts";
import { unpack } from "../support/scenes/archive.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

type Json = Record<string, unknown>;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let folder: string;
  let number = 0;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kith-import-"));
  });
  after(() => rm(folder, { recursive: true }));

  const userOf = ({ record }: TestPerson) => ({
    userId: record.UserID,
    personId: record.ID,
  });

  const importFile = (who: TestPerson, file: string, kind?: "lists") =>
    kith().server.imports.run({
      ...{ user: userOf(who), file, kind, isRehearsal: false },
    });

  const take = async (who: TestPerson) => {
    const response = await fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: who.token },
    });
    return response.bytes();
  };

  const write = async (name: string, content: string | Uint8Array) => {
    const file = path.join(folder, `${(number += 1)}-${name}`);
    await writeFile(file, content);
    return file;
  };

  /** The exported lists, in which Guids are replaced by the text of their post or comment. */
  const listsOf = async (archive: Uint8Array) => {
    const files = await unpack(archive);
    const read = (name: string) =>
      JSON.parse(files.get(`${name}.json`)?.toString() ?? "[]") as Json[];
    const posts = read("posts");
    const names = new Map(
      [...posts, ...read("comments")].map((it) => [it["guid"], it["text"]]),
    );
    const named = (guid: unknown) => names.get(guid) ?? guid;
    return {
      posts: posts.map((it) => ({ ...it, guid: named(it["guid"]) })),
      comments: read("comments").map((it) => ({
        ...{ ...it, guid: named(it["guid"]), postAuthor: "own" },
        postGuid: named(it["postGuid"]),
        parentGuid: named(it["parentGuid"]),
      })),
      photos: read("photos").map(
        ({ guid: _, file: __, createdAt: ___, ...it }) => ({
          ...it,
          postGuid: named(it["postGuid"]),
        }),
      ),
      aspects: read("aspects").map(({ createdAt: _, ...it }) => it),
      blocks: read("blocks").map(({ handle }) => handle),
      ignores: read("ignores").map(({ handle }) => handle),
      hostBlocks: read("host-blocks").map(({ host }) => host),
      bookmarks: read("bookmarks").map(({ postGuid }) => named(postGuid)),
    };
  };

  const writeMuch = async (ann: TestPerson) => {
    const friend = await kith().person();
    const [bad, bore] = [await kith().person(), await kith().person()];
    const aspect = await ann.post<AspectRecord>("/aspects", { name: "Pals" });
    await ann.post(`/people/${friend.record.ID}/aspects/${aspect.ID}`);
    await ann.post(`/people/${bad.record.ID}/block`);
    await ann.post(`/people/${bore.record.ID}/ignore`);
    const { features } = kith().server;
    await features.blocks.blockHost(userOf(ann), "bad.example");
    const theirs = await friend.post<PostRecord>("/posts", { post: "theirs" });
    const kept = await features.posts.find({ guid: theirs.Guid });
    if (kept) await features.bookmarks.add(userOf(ann), kept.id);
    const photo = await features.photos.upload({
      ...{ owner: userOf(ann), bytes: tinyPng(), text: "a tiny picture" },
      focus: [0.25, 0.75],
    });
    const posts = [
      { text: "Everyone **sees** #this", warning: "careful", language: "de" },
      { text: "unlisted", audience: { kind: "unlisted" } },
      { text: "mine alone", audience: { kind: "self" }, nsfw: true },
      {
        text: "pictured",
        photoIds: [photo.id],
        location: { address: "Bern", lat: "46.94", lng: "7.44" },
      },
    ] as const;
    for (const post of posts)
      await features.posts.publish({ author: userOf(ann), ...post });
    const [first] = await features.posts.listOf(ann.record.ID, userOf(ann), {
      ...{ offset: 3, limit: 1 },
    });
    const on = { guid: first?.guid ?? "" };
    const author = userOf(ann);
    const top = await features.comments.create({ author, on, text: "one" });
    const reply = { author, on, text: "two", parentGuid: top.guid };
    await features.comments.create(reply);
  };

  test("exporting, importing and exporting again gives the same lists", async () => {
    const [ann, ben] = [await kith().person(), await kith().person()];
    await writeMuch(ann);
    const archive = await take(ann);
    const file = await write("export.tar.gz", archive);
    kith().clock.advance(3 * 86_400_000);
    const report = await importFile(ben, file);
    const wanted = await listsOf(archive);
    assert.equal(wanted.posts.length, 4);
    assert.equal(wanted.comments.length, 2);
    assert.equal(wanted.photos.length, 1);
    assert.deepEqual(await listsOf(await take(ben)), wanted);
    assert.equal(report.post?.added, 4);
    assert.equal(report.comment?.added, 2);
    const again = await importFile(ben, file);
    assert.equal(
      Object.values(again).reduce((sum, { added }) => sum + added, 0),
      0,
    );
    assert.deepEqual(await listsOf(await take(ben)), wanted);
  });

  test("an archive of the same account brings nothing twice", async () => {
    const ann = await kith().person();
    await writeMuch(ann);
    const archive = await take(ann);
    const report = await importFile(ann, await write("own.tar.gz", archive));
    for (const { added } of Object.values(report)) assert.equal(added, 0);
    assert.deepEqual(await listsOf(await take(ann)), await listsOf(archive));
  });

  test("Mastodon's lists follow, sort, block and ignore people, and name the rest", async () => {
    const ann = await kith().person();
    const [bob, cat] = [await kith().person(), await kith().person()];
    const follows = `Account address,Show boosts\n${bob.handle},true\nnobody@${kith().host},true\nno handle,true\n${ann.handle},true\n`;
    const file = await write("following_accounts.csv", follows);
    const report = await importFile(ann, file);
    assert.equal(report.follow?.added, 1);
    const left = report.follow.leftOut;
    assert.deepEqual(left.unknown_person?.examples, [`nobody@${kith().host}`]);
    assert.deepEqual(left.malformed?.examples, ["no handle"]);
    assert.deepEqual(left.refused?.examples, [ann.handle]);
    assert.equal((await importFile(ann, file)).follow?.known, 1);
    const lists = await write(
      "x.csv",
      `Good,${bob.handle}\nGood,${cat.handle}`,
    );
    assert.equal((await importFile(ann, lists, "lists")).follow?.added, 2);
    const { features } = kith().server;
    const aspects = await features.aspects.list(ann.record.UserID);
    assert.deepEqual(aspects.map(({ name }) => name).toSorted(), [
      "Contacts",
      "Good",
    ]);
    for (const [name, text] of [
      ["blocked_accounts.csv", cat.handle],
      ["muted_accounts.csv", `Account address\n${bob.handle}`],
      ["domain_blocks.csv", "bad.example\nnot a host\n"],
    ] as const)
      await importFile(ann, await write(name, text));
    const ids = [bob.record.ID, cat.record.ID];
    const distance = await features.blocks.listDistances(ann.record.ID, ids);
    assert.equal(distance(bob.record.ID).ignore?.endsAt, null);
    assert.equal(distance(cat.record.ID).isBlocked, true);
    const page = { offset: 0, limit: 10 };
    const hosts = await features.blocks.listHosts(ann.record.ID, page);
    assert.deepEqual(
      hosts.map(({ host }) => host),
      ["bad.example"],
    );
    await assert.rejects(
      importFile(ann, await write("x.csv", "what is this")),
      /does not say what it lists/,
    );
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectOf, keepAway } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import type { PersonRecord, PostRecord } from "../support/server/wire.ts";

type SearchRecord = {
  People: PersonRecord[];
  Posts: PostRecord[];
  Tags: string[];
  Incomplete: boolean;
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const search = (by: TestPerson, q: string, more = {}) =>
    by.get<SearchRecord>("/search", { q, ...more });
  /** The texts of the posts that are found. */
  const texts = async (by: TestPerson, q: string, more = {}) => {
    const { Posts, Incomplete } = await search(by, q, {
      type: "posts",
      ...more,
    });
    assert.equal(Incomplete, false);
    return Posts.map(({ Text }) => Text);
  };
  const publish = (by: TestPerson, post: string, more = {}) =>
    by.post<PostRecord>("/posts", { post, ...more });
  /** A person who lets everyone search its public posts. */
  const open = async () => {
    const person = await kith().person();
    await person.put("/profile", { Indexable: true });
    return person;
  };

  test("words, phrases, tags and what is left out", async () => {
    const ann = await kith().person();
    await publish(ann, "The **Great** crested grebe #waterfowl");
    await publish(
      ann,
      "A little grebe, not so great: [link](https://x.example/bittern)",
    );
    await publish(ann, "東京都の鳥");
    assert.deepEqual(await texts(ann, "grebe"), [
      "A little grebe, not so great: [link](https://x.example/bittern)",
      "The **Great** crested grebe #waterfowl",
    ]);
    assert.equal((await texts(ann, "GRÉBE great")).length, 2);
    assert.equal((await texts(ann, '"great crested"')).length, 1);
    assert.equal((await texts(ann, '"crested great"')).length, 0);
    assert.equal((await texts(ann, "grebe -little")).length, 1);
    assert.equal((await texts(ann, 'grebe -"great crested"')).length, 1);
    assert.equal((await texts(ann, "grebe -#waterfowl")).length, 1);
    assert.equal((await texts(ann, "#Waterfowl")).length, 1);
    assert.equal((await texts(ann, "bittern")).length, 0);
    assert.equal((await texts(ann, "has:link grebe")).length, 1);
    assert.equal((await texts(ann, "from:me -has:link")).length, 2);
    for (const q of ["東京", "京都", "鳥", "東京都"])
      assert.deepEqual(await texts(ann, q), ["東京都の鳥"], q);
    assert.deepEqual(await texts(ann, "都京"), []);
    assert.deepEqual(await texts(ann, "-grebe -東京"), []);
  });

  test("others find public posts of people who allow it, from then on and no longer", async () => {
    const [bea, cid] = [await kith().person(), await kith().person()];
    await publish(bea, "an ibis stood there");
    await publish(bea, "an ibis for few", {
      aspectID: await aspectOf(bea, await kith().person()),
    });
    assert.deepEqual(await texts(cid, "ibis"), []);
    await bea.put("/profile", { Indexable: true });
    await kith().settle();
    assert.deepEqual(await texts(cid, "ibis"), ["an ibis stood there"]);
    assert.deepEqual(await texts(cid, "ibis in:public"), [
      "an ibis stood there",
    ]);
    assert.deepEqual(await texts(cid, "ibis in:library"), []);
    await bea.put("/profile", { Indexable: false });
    assert.deepEqual(await texts(cid, "ibis"), []);
    await kith().settle();
    assert.deepEqual(await texts(cid, "ibis"), []);
    assert.equal((await texts(bea, "ibis")).length, 2);
  });

  test("posts in which one took part are found, and no longer once one left them", async () => {
    const [dan, eve] = [await kith().person(), await kith().person()];
    const post = await publish(dan, "a heron by the lake", {
      ...{ poll_question: "Grey or white?" },
      poll_answers: ["grey", "white"],
    }).catch(() => publish(dan, "a heron by the lake"));
    assert.deepEqual(await texts(eve, "heron"), []);
    const comment = await eve.post<{ Guid: string }>(
      `/posts/${post.Guid}/comments`,
      { comment: "nice" },
    );
    assert.equal((await texts(eve, "heron")).length, 1);
    assert.equal((await texts(eve, "heron in:mine")).length, 1);
    await eve.delete(`/comments/${comment.Guid}`);
    assert.deepEqual(await texts(eve, "heron"), []);
    await eve.post(`/posts/${post.Guid}/likes`);
    assert.equal((await texts(eve, "heron")).length, 1);
    await eve.delete(`/posts/${post.Guid}/likes`);
    assert.deepEqual(await texts(eve, "heron"), []);
    await publish(dan, `@{${eve.handle}} look, a heron`);
    assert.deepEqual(await texts(eve, "heron"), [
      `@{${eve.handle}} look, a heron`,
    ]);
    await eve.post(`/posts/${post.Guid}/reshare`);
    assert.equal((await texts(eve, "heron")).length, 2);
  });

  test("limited posts are found by their recipients, and none is by others", async () => {
    const [fay, guy, out] = [await open(), await open(), await open()];
    const aspectID = await aspectOf(fay, guy);
    await publish(fay, "the osprey nests here", { aspectID });
    assert.equal((await texts(guy, "osprey")).length, 1);
    assert.equal((await texts(guy, `osprey from:${fay.username}`)).length, 1);
    assert.equal((await texts(guy, `osprey from:@${fay.handle}`)).length, 1);
    assert.deepEqual(await texts(guy, "osprey from:me"), []);
    assert.deepEqual(await texts(guy, "osprey from:nobody"), []);
    assert.deepEqual(await texts(out, "osprey"), []);
    const { ID } = await guy.post<{ ID: number }>("/aspects", {
      name: "Bird People",
    });
    await guy.post(`/people/${fay.record.ID}/aspects/${ID}`);
    assert.equal((await texts(guy, 'osprey in:"bird people"')).length, 1);
    await guy.badRequest("GET", "/search", {
      query: { q: "osprey in:nowhere" },
    });
  });

  test("a post is found by what it says now, and not once it is gone", async () => {
    const hal = await kith().person();
    const ida = await remotePerson(kith(), "ida@remote.example");
    const { posts, people } = kith().server.features;
    await people.receiveProfile(ida.id, { indexable: true });
    const post = remotePost(ida, { text: "a dunlin", warning: "waders" });
    await posts.receive(post);
    assert.deepEqual(await texts(hal, "dunlin waders"), ["a dunlin"]);
    const editedAt = "2026-01-03T00:00:00.000Z";
    const edit = { guid: post.guid, by: ida.id, text: "a knot", editedAt };
    assert.equal(await posts.receiveEdit(edit), "changed");
    assert.deepEqual(await texts(hal, "dunlin"), []);
    assert.deepEqual(await texts(hal, "knot"), ["a knot"]);
    await posts.receiveRetraction({ guid: post.guid }, ida.id);
    assert.deepEqual(await texts(hal, "knot"), []);
  });

  test("avoided people and invisible posts are not found", async () => {
    const [jan, ...others] = [
      await open(),
      await open(),
      await open(),
      await open(),
    ];
    const [ignorer, blocker, blocked] = others;
    assert.ok(ignorer && blocker && blocked);
    const { Guid } = await publish(jan, "a wandering albatross");
    for (const by of others)
      assert.equal((await texts(by, "albatross")).length, 1);
    await keepAway(kith(), "ignores", ignorer, jan);
    await keepAway(kith(), "blocks", blocker, jan);
    await keepAway(kith(), "blocks", jan, blocked);
    for (const by of others) {
      assert.deepEqual(await texts(by, "albatross"), []);
      assert.deepEqual(await texts(by, `from:${jan.username}`), []);
    }
    const other = await open();
    await other.delete(`/posts/${Guid}`);
    assert.deepEqual(await texts(other, "albatross"), []);
  });

  test("pages go on from a post both ways, without gaps or doubles", async () => {
    const kim = await kith().person();
    const ids: number[] = [];
    for (let count = 0; count < 7; count += 1)
      ids.unshift((await publish(kim, `plover ${count}`)).ID);
    const page = async (more: object) =>
      (await search(kim, "plover", { type: "posts", ...more })).Posts.map(
        ({ ID }) => ID,
      );
    assert.deepEqual(await page({ limit: 3 }), ids.slice(0, 3));
    assert.deepEqual(await page({ limit: 3, before: ids[2] }), ids.slice(3, 6));
    assert.deepEqual(await page({ limit: 3, before: ids[5] }), ids.slice(6));
    assert.deepEqual(await page({ limit: 3, after: ids[6] }), ids.slice(3, 6));
    assert.deepEqual(await page({ limit: 3, after: ids[3] }), ids.slice(0, 3));
    assert.deepEqual(
      await page({ after: ids[5], before: ids[1] }),
      ids.slice(2, 5),
    );
    assert.deepEqual(await page({ limit: 2, offset: 3 }), ids.slice(3, 5));
  });

  test("days bound what is found", async () => {
    const lea = await kith().person();
    const mo = await remotePerson(kith(), "mo@remote.example");
    const { posts, people } = kith().server.features;
    await people.receiveProfile(mo.id, { indexable: true });
    for (const day of ["2025-03-01", "2025-03-02", "2025-03-03"])
      await posts.receive(
        remotePost(mo, {
          text: `stint ${day}`,
          createdAt: `${day}T23:59:59.000Z`,
        }),
      );
    assert.deepEqual(await texts(lea, "stint before:2025-03-02"), [
      "stint 2025-03-01",
    ]);
    assert.deepEqual(await texts(lea, "stint after:2025-03-02"), [
      "stint 2025-03-03",
    ]);
    assert.deepEqual(
      await texts(lea, "stint after:2025-03-01 before:2025-03-03"),
      ["stint 2025-03-02"],
    );
  });

  test("people are found by the beginnings of their names", async () => {
    const [ned, oda] = [await kith().person(), await kith().person()];
    await oda.put("/profile", { FirstName: "Ödä", LastName: "Zwitscherer" });
    const names = async (q: string, by = ned) =>
      (await search(by, q, { type: "people" })).People.map(({ ID }) => ID);
    for (const q of ["zwit", "ODA zw", "zwitscherer oda", oda.username])
      assert.ok((await names(q)).includes(oda.record.ID), q);
    assert.deepEqual(await names(oda.handle), [oda.record.ID]);
    assert.deepEqual(await names("witscherer"), []);
    await oda.put("/profile", { LastName: "Other" });
    assert.deepEqual(await names("zwit"), []);
    await oda.put("/profile", { LastName: "Zwitscherer", Searchable: false });
    assert.deepEqual(await names("zwit"), []);
    assert.deepEqual(await names("zwit", oda), [oda.record.ID]);
    await aspectOf(ned, oda);
    assert.deepEqual(await names("zwit"), [oda.record.ID]);
    await keepAway(kith(), "blocks", oda, ned);
    assert.deepEqual(await names("zwit"), []);
  });

  test("tags are found where a visible post has them, and hidden posts do not reveal them", async () => {
    const [pam, quin] = [await kith().person(), await kith().person()];
    await publish(pam, "#tystie #tystiesecond");
    await publish(pam, "#tystiesecret", {
      aspectID: await aspectOf(pam, await kith().person()),
    });
    const tags = async (by: TestPerson, q: string) =>
      (await search(by, q, { type: "tags" })).Tags;
    assert.deepEqual(await tags(quin, "#Tyst"), ["tystie", "tystiesecond"]);
    assert.deepEqual(await tags(pam, "tystie"), [
      ...["tystie", "tystiesecond", "tystiesecret"],
    ]);
    assert.deepEqual(await tags(quin, "two words"), []);
  });

  test("a pasted address is what it names", async () => {
    const [ron, sue] = [await kith().person(), await kith().person()];
    const { Guid } = await publish(ron, "not to be searched");
    const { Posts } = await search(sue, `${kith().baseUrl}/posts/${Guid}`);
    assert.deepEqual(
      Posts.map((post) => post.Guid),
      [Guid],
    );
    const { People } = await search(sue, `@${ron.handle}`);
    assert.deepEqual(
      People.map(({ ID }) => ID),
      [ron.record.ID],
    );
  });

  test("a meaningless search is refused", async () => {
    const tom = await kith().person();
    for (const q of ["has:nothing", "before:now", "x".repeat(1_001)])
      await tom.badRequest("GET", "/search", { query: { q } });
    await tom.badRequest("GET", "/search", { query: { q: "x", type: "else" } });
    await tom.blank("GET", "/search");
    assert.deepEqual(await texts(tom, '" OR 1 NEAR(a) {x} ^b* "'), []);
  });
});

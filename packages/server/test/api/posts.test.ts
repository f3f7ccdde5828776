import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  OWN_GUID,
  TIMESTAMP,
  type AspectRecord,
  type CommentRecord,
  type PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post, aspectID });
  const guids = async (by: TestPerson, query: Record<string, number>) => {
    const list = await by.get<PostRecord[]>("/posts", query);
    return list.map(({ Guid }) => Guid);
  };
  /** An aspect of `by` that holds these people. */
  const aspectOf = async (by: TestPerson, ...members: TestPerson[]) => {
    const { ID } = await by.post<AspectRecord>("/aspects", { name: "a" });
    for (const { record } of members)
      await by.post(`/people/${record.ID}/aspects/${ID}`);
    return ID;
  };

  test("a new post has every field", async () => {
    const ann = await kith().person();
    const post = await publish(ann, "hello *world*\r\nsecond line");
    assert.match(post.Guid, OWN_GUID);
    assert.match(post.CreatedAt, TIMESTAMP);
    assert.ok(Number.isSafeInteger(post.ID) && post.ID > 0);
    const { ID, Guid, CreatedAt, UpdatedAt, Person, ...rest } = post;
    assert.equal(UpdatedAt, CreatedAt);
    assert.equal(Person.ID, ann.record.ID);
    assert.equal(Person.Profile.Author, ann.handle);
    assert.deepEqual(rest, {
      PersonID: ann.record.ID,
      Public: true,
      Type: "StatusMessage",
      Text: "hello *world*\nsecond line",
      ProviderName: "",
      RootGuid: null,
      RootPersonID: 0,
      Comments: [],
      Photos: [],
      Poll: null,
      LikesCount: 0,
      DislikesCount: 0,
      CommentsCount: 0,
      ResharesCount: 0,
      Root: null,
      Event: null,
      Url: `${kith().baseUrl}/posts/${Guid}`,
    });
    for (const key of [ID, Guid]) {
      assert.deepEqual(await ann.get(`/posts/${key}`), post);
      assert.deepEqual(await ann.post(`/posts/${key}`), post);
    }
  });

  test("a post needs a text that is not blank nor too long", async () => {
    const bea = await kith().person();
    for (const post of ["", " ", "\n\t\r"])
      await bea.blank("POST", "/posts", { form: { post } });
    await bea.blank("POST", "/posts");
    const form = { post: "x".repeat(65_536) };
    await bea.badRequest("POST", "/posts", { form });
    const longest = "🦌".repeat(65_535);
    assert.equal((await publish(bea, longest)).Text, longest);
  });

  test("missing objects are not attached", async () => {
    const carl = await kith().person();
    const post = "with more";
    await carl.notFound("POST", "/posts", { form: { post, eventID: 1 } });
    await carl.notFound("POST", "/posts", { form: { post, photoID: 1 } });
    const harmless = { post, eventID: 0, aspectID: "", nsfw: false };
    assert.equal(
      (await carl.post<PostRecord>("/posts", harmless)).Public,
      true,
    );
  });

  test("a private post is for its aspect; another user's aspect is unknown", async () => {
    const [dora, emil] = [await kith().person(), await kith().person()];
    const own = await aspectOf(dora);
    assert.equal((await publish(dora, "mine", own)).Public, false);
    const post = "x";
    for (const aspectID of [own, 999_999])
      await emil.notFound("POST", "/posts", { form: { post, aspectID } });
    for (const aspectID of ["abc", -1, "1.5", "0x1", "9".repeat(17), true])
      await dora.badRequest("POST", "/posts", { form: { post, aspectID } });
  });

  test("each audience sees its part of the stream", async () => {
    const [fay, member, stranger] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const aspect = await aspectOf(fay, member);
    const open = await publish(fay, "open");
    const closed = await publish(fay, "closed", aspect);
    const newest = { limit: 2 };
    const all = [closed.Guid, open.Guid];
    assert.deepEqual(await guids(fay, newest), all);
    assert.deepEqual(await guids(member, newest), all);
    assert.equal((await guids(stranger, newest))[0], open.Guid);
    for (const by of [fay, member, stranger]) {
      const [first] = await guids(by, { visibility: 1, limit: 1 });
      assert.equal(first, open.Guid);
    }
    for (const by of [fay, member])
      assert.deepEqual(await guids(by, { visibility: 2 }), [closed.Guid]);
    assert.deepEqual(await guids(stranger, { visibility: 2 }), []);
    for (const visibility of [3, -1, "x", "0,1"])
      await fay.badRequest("GET", "/posts", { query: { visibility } });
  });

  test("a new member of an aspect does not get its earlier posts", async () => {
    const [gil, hal] = [await kith().person(), await kith().person()];
    const aspect = await aspectOf(gil);
    const before = await publish(gil, "before", aspect);
    const member = `/people/${hal.record.ID}/aspects/${aspect}`;
    await gil.post(member);
    const during = await publish(gil, "during", aspect);
    await gil.call("DELETE", member);
    const after = await publish(gil, "after", aspect);
    assert.deepEqual(await guids(hal, { visibility: 2 }), [during.Guid]);
    await hal.notFound("GET", `/posts/${before.ID}`);
    await hal.notFound("GET", `/posts/${after.Guid}`);
  });

  test("lists come by pages of ten, newest first", async () => {
    const ida = await kith().person();
    const made: string[] = [];
    for (let n = 0; n < 13; n++)
      made.unshift((await publish(ida, `post ${n}`)).Guid);
    assert.deepEqual(await guids(ida, {}), made.slice(0, 10));
    const limit = 3;
    assert.deepEqual(await guids(ida, { limit }), made.slice(0, 3));
    assert.deepEqual(await guids(ida, { limit, offset: 2 }), made.slice(2, 5));
    const far = await guids(ida, { offset: Number.MAX_SAFE_INTEGER });
    assert.deepEqual(far, []);
    for (const query of [
      { offset: -1 },
      { offset: "x" },
      { offset: 1.5 },
      { offset: 2 ** 53 },
      { offset: "1e3" },
      { limit: 0 },
      { limit: 101 },
      { limit: "ten" },
    ])
      await ida.badRequest("GET", "/posts", { query });
  });

  test("its author deletes a post; others only hide it", async () => {
    const [lea, max, ned] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const post = await publish(lea, "to be or not to be");
    const path = `/posts/${post.Guid}`;
    const see = async (by: TestPerson) =>
      (await guids(by, { limit: 1 }))[0] === post.Guid;
    await max.delete(path);
    await max.delete(path);
    assert.deepEqual(
      [await see(lea), await see(max), await see(ned)],
      [true, false, true],
    );
    assert.deepEqual(
      await max.get(path),
      post,
      "the post itself is still there",
    );
    const comment = await ned.post<CommentRecord>(`${path}/comments`, {
      comment: "x",
    });
    await lea.delete(path);
    for (const by of [lea, max, ned]) {
      await by.notFound("GET", path);
      await by.notFound("DELETE", path);
      await by.notFound("GET", `/comments/${comment.Guid}`);
    }
  });

  test("a post that is hidden is hidden in every stream of that user", async () => {
    const [ola, pit] = [await kith().person(), await kith().person()];
    const post = await publish(ola, "closed", await aspectOf(ola, pit));
    assert.deepEqual(await guids(pit, { visibility: 2 }), [post.Guid]);
    await pit.delete(`/posts/${post.ID}`);
    assert.deepEqual(await guids(pit, { visibility: 2 }), []);
    assert.deepEqual(await guids(ola, { visibility: 2 }), [post.Guid]);
  });

  test("the newest ten comments come with a post, oldest first", async () => {
    const quin = await kith().person();
    const post = await publish(quin, "talk");
    const path = `/posts/${post.ID}`;
    const made: string[] = [];
    for (let n = 0; n < 12; n++) {
      const comment = `comment ${n}`;
      const { Guid } = await quin.post<CommentRecord>(`${path}/comments`, {
        comment,
      });
      made.push(Guid);
    }
    const shown = await quin.get<PostRecord>(path);
    assert.equal(shown.CommentsCount, 12);
    assert.deepEqual(
      shown.Comments.map(({ Guid }) => Guid),
      made.slice(2),
    );
    const [listed] = await quin.get<PostRecord[]>("/posts", { limit: 1 });
    assert.deepEqual(listed, shown);
  });
});

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { upload } from "../support/scenes/pictures.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Version = {
  Text: string;
  ContentWarning?: string;
  Photos?: { Guid: string; Text: string }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let ben: TestPerson;
  before(async () => {
    ann = await kith().person();
    ben = await kith().person();
  });

  const edit = async <T>(
    by: TestPerson,
    path: string,
    form: object,
  ): Promise<T> => {
    const answer = await by.call("PUT", path, { json: form });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as T;
  };
  const versions = (by: TestPerson, path: string) =>
    by.get<Version[]>(`${path}/history`);
  const mentions = async (by: TestPerson, guid: string) => {
    await kith().settle();
    const all = await by.get<NotificationRecord[]>("/notifications");
    return all.filter(({ TargetGuid }) => TargetGuid === guid).length;
  };
  const publish = async (form: object): Promise<PostRecord> => {
    const answer = await ann.call("POST", "/posts", { json: form });
    return JSON.parse(answer.text) as PostRecord;
  };

  test("an author edits a post: tags, mentions and the history follow, all else stays", async () => {
    const post = await publish({
      ...{ post: "#one first", content_warning: "Spoilers", language: "en" },
      poll_question: "Tea?",
      poll_answer: ["yes", "no"],
    });
    const path = `/posts/${post.ID}`;
    const changed = await edit<PostRecord>(ann, path, { post: "#two second" });
    assert.equal(changed.Text, "#two second");
    const { ContentWarning, Language, Poll } = changed as PostRecord & {
      ContentWarning: string;
      Language: string;
    };
    assert.deepEqual([ContentWarning, Language], ["Spoilers", "en"]);
    assert.deepEqual(Poll, post.Poll);
    assert.ok(changed.UpdatedAt > post.UpdatedAt);
    assert.equal(changed.CreatedAt, post.CreatedAt);
    const tagged = (tag: string) => ann.get<PostRecord[]>(`/tags/${tag}/posts`);
    const guids = async (tag: string) =>
      (await tagged(tag)).map(({ Guid }) => Guid);
    assert.ok(!(await guids("one")).includes(post.Guid));
    assert.ok((await guids("two")).includes(post.Guid));
    const [first, ...more] = await versions(ben, path);
    assert.equal(first?.Text, "#one first");
    assert.equal(first.ContentWarning, "Spoilers");
    assert.deepEqual(more, []);
    const tame = await edit<object>(ann, path, { content_warning: "" });
    assert.ok(!("ContentWarning" in tame));
    assert.equal((await versions(ann, path)).length, 2);
  });

  test("an edit that changes nothing leaves no trace", async () => {
    const post = await publish({ post: "same" });
    const jobs = () => kith().db.read.selectFrom("jobs").select("id").execute();
    const before = (await jobs()).length;
    for (const form of [{ post: "same" }, {}, { aspectID: [0] }]) {
      const again = await edit<PostRecord>(ann, `/posts/${post.ID}`, form);
      assert.deepEqual(again, await ann.get(`/posts/${post.ID}`));
    }
    assert.deepEqual(await versions(ann, `/posts/${post.ID}`), []);
    assert.equal((await jobs()).length, before);
  });

  test("only people whom no earlier version mentions are notified, once", async () => {
    const post = await publish({ post: `@{${ben.handle}}` });
    assert.equal(await mentions(ben, post.Guid), 1);
    const cat = await kith().person();
    const both = `@{${ben.handle}} @{${cat.handle}}`;
    for (const text of [`${both} now`, "nobody", `${both} again`])
      await edit(ann, `/posts/${post.ID}`, { post: text });
    assert.equal(await mentions(cat, post.Guid), 1);
    assert.equal(await mentions(ben, post.Guid), 1);
    const comment = await ann.post<CommentRecord>(
      `/posts/${post.ID}/comments`,
      { comment: "hello" },
    );
    for (const text of ["1", "2"])
      await edit(ann, `/comments/${comment.ID}`, { text: `${both} ${text}` });
    assert.equal(await mentions(cat, comment.Guid), 1);
  });

  test("an edit of a limited post notifies nobody outside its audience", async () => {
    const { ID: aspectID } = await ann.post<{ ID: number }>("/aspects", {
      name: "few",
    });
    const post = await publish({ post: "hush", aspectID: [aspectID] });
    await edit(ann, `/posts/${post.ID}`, {
      post: `hush @{${ben.handle}}`,
      aspectID: [aspectID],
      audience: "aspects",
    });
    assert.equal(await mentions(ben, post.Guid), 0);
    for (const other of [
      { aspectID: [0] },
      { aspectID: [aspectID, aspectID + 1] },
      { audience: "everyone" },
      { audience: "self" },
    ]) {
      const json = { post: "open", ...other };
      await ann.badRequest("PUT", `/posts/${post.ID}`, { json });
    }
    await ben.notFound("PUT", `/posts/${post.ID}`, { json: { post: "mine" } });
  });

  test("nobody edits what is another's, gone, a reshare, blank or too long", async () => {
    const post = await publish({ post: "mine" });
    const path = `/posts/${post.ID}`;
    const comment = await ben.post<CommentRecord>(`${path}/comments`, {
      comment: "his",
    });
    const reshare = await ben.post<PostRecord>(`${path}/reshare`);
    const long = "x".repeat(65_536);
    await ben.notFound("PUT", path, { json: { post: "his" } });
    await ann.notFound("PUT", `/comments/${comment.ID}`, {
      json: { text: "hers" },
    });
    await ben.badRequest("PUT", `/posts/${reshare.ID}`, {
      json: { post: "text" },
    });
    for (const text of ["", " \n"]) {
      await ann.blank("PUT", path, { json: { post: text } });
      await ben.blank("PUT", `/comments/${comment.ID}`, { json: { text } });
    }
    await ann.badRequest("PUT", path, { json: { post: long } });
    const at = `/comments/${comment.ID}`;
    await ben.badRequest("PUT", at, { json: { text: long } });
    await ann.badRequest("PUT", path, {
      json: { content_warning: "x".repeat(501) },
    });
    await ann.badRequest("PUT", path, { json: { language: "no language" } });
    await ann.delete(`/comments/${comment.ID}`);
    await ben.notFound("PUT", `/comments/${comment.ID}`, {
      json: { text: "late" },
    });
    await ann.delete(path);
    await ann.notFound("PUT", path, { json: { post: "late" } });
  });

  test("a comment is edited as long as its post is visible to the author", async () => {
    const post = await publish({ post: "well" });
    const { ID } = await ben.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "frist",
      content_warning: "Joke",
    });
    const changed = await edit<CommentRecord>(ben, `/comments/${ID}`, {
      comment: " first ",
    });
    assert.equal(changed.Text, "first");
    assert.equal(
      (changed as CommentRecord & { ContentWarning: string }).ContentWarning,
      "Joke",
    );
    const [before] = await versions(ann, `/comments/${ID}`);
    assert.equal(before?.Text, "frist");
    await ann.post(`/people/${ben.record.ID}/block`);
    await ben.notFound("PUT", `/comments/${ID}`, { json: { text: "more" } });
    await ann.delete(`/people/${ben.record.ID}/block`);
  });

  test("pictures are put in order, added, removed and described anew, with history", async () => {
    const [one, two, three] = [
      await upload(ann),
      await upload(ann),
      await upload(ann),
    ];
    const post = await publish({ post: "look", photoID: [one.ID, two.ID] });
    const path = `/posts/${post.ID}`;
    const photosOf = async () =>
      (await ben.get<PostRecord>(path)).Photos.map(({ ID }) => ID);
    await edit(ann, path, { photoID: [two.ID, three.ID, one.ID] });
    assert.deepEqual(await photosOf(), [two.ID, three.ID, one.ID]);
    await edit(ann, path, { photoID: [three.ID, two.ID] });
    assert.deepEqual(await photosOf(), [three.ID, two.ID]);
    await ann.notFound("GET", `/photos/${one.ID}`);
    const described = await edit<PhotoRecord>(ann, `/photos/${two.ID}`, {
      text: " A deer ",
    });
    assert.equal(described.Text, "A deer");
    const [latest, middle, first] = await versions(ben, path);
    const guids = (version?: Version) =>
      version?.Photos?.map(({ Guid }) => Guid);
    assert.deepEqual(guids(first), [one.Guid, two.Guid]);
    assert.deepEqual(guids(middle), [two.Guid, three.Guid, one.Guid]);
    assert.deepEqual(
      latest?.Photos?.map(({ Text }) => Text),
      ["", ""],
    );
    const foreign = await upload(ben);
    for (const photoID of [[foreign.ID], [one.ID], [three.ID, 999_999]])
      await ann.notFound("PUT", path, { json: { photoID } });
    const many = Array.from({ length: 21 }, (_, index) => index + 1);
    await ann.badRequest("PUT", path, { json: { photoID: many } });
    const form = { text: "his now" };
    await ben.notFound("PUT", `/photos/${two.ID}`, { form });
    assert.deepEqual(await photosOf(), [three.ID, two.ID]);
  });

  test("a thousand edits keep a hundred versions, and concurrent ones all end", async () => {
    const post = await publish({ post: "edit 0" });
    const author = {
      personId: ann.record.ID,
      userId: ann.record.UserID,
    } as Parameters<typeof posts.edit>[0];
    const { posts } = kith().server.features;
    for (let round = 0; round < 25; round += 1)
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          posts.edit(
            author,
            { guid: post.Guid },
            { text: `edit ${round}.${index}` },
          ),
        ),
      );
    const rows = await kith()
      .db.read.selectFrom("text_versions")
      .select("text")
      .where("post_id", "=", post.ID)
      .execute();
    assert.equal(rows.length, 100);
    const { UpdatedAt } = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.ok(UpdatedAt > post.UpdatedAt);
  });
});

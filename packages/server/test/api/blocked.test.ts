import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { block } from "../support/scenes/distance.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  LikeRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let author: TestPerson;
  let blocked: TestPerson;
  let other: TestPerson;
  let open: PostRecord;
  let closed: PostRecord;
  beforeEach(async () => {
    author = await kith().person();
    blocked = await kith().person();
    other = await kith().person();
    const { ID } = await author.post<AspectRecord>("/aspects", { name: "a" });
    await author.post(`/people/${blocked.record.ID}/aspects/${ID}`);
    open = await author.post<PostRecord>("/posts", { post: "open" });
    closed = await author.post<PostRecord>("/posts", {
      post: "closed",
      aspectID: ID,
    });
  });

  const blockNow = () => block(kith().db, author.record.ID, blocked.record.ID);
  const guids = async (of: TestPerson, path: string) =>
    (await of.get<PostRecord[]>(path)).map(({ Guid }) => Guid);
  const pageStatus = async (guid: string) =>
    (await fetch(`${kith().baseUrl}/posts/${guid}`)).status;

  test("a blocked person finds none of the author's posts, in no way", async () => {
    const [people, lists] = [
      `/people/${author.record.ID}/stream`,
      ["/posts", "/posts?visibility=1", "/posts?visibility=2"],
    ];
    assert.deepEqual(await guids(blocked, people), [closed.Guid, open.Guid]);
    await blockNow();
    for (const { ID, Guid } of [open, closed])
      for (const below of ["", "/comments", "/likes", "/reshares"])
        for (const key of [ID, Guid])
          await blocked.notFound("GET", `/posts/${key}${below}`);
    for (const path of [people, ...lists])
      for (const guid of await guids(blocked, path))
        assert.ok(guid !== open.Guid && guid !== closed.Guid, path);
    for (const below of ["/comments", "/likes", "/reshare"])
      await blocked.notFound("POST", `/posts/${open.Guid}${below}`, {
        form: { comment: "still here" },
      });
  });

  test("others, signed in or not, see the public posts as before", async () => {
    await blockNow();
    assert.equal(
      (await other.get<PostRecord>(`/posts/${open.ID}`)).ID,
      open.ID,
    );
    assert.ok((await guids(other, "/posts")).includes(open.Guid));
    assert.equal(await pageStatus(open.Guid), 200);
    assert.equal(await pageStatus(closed.Guid), 404);
  });

  test("the one who blocks still sees the other one's post by its link", async () => {
    await blockNow();
    const theirs = await blocked.post<PostRecord>("/posts", { post: "theirs" });
    const seen = await author.get<PostRecord>(`/posts/${theirs.Guid}`);
    assert.equal(seen.ID, theirs.ID);
  });

  test("a reshare shows a blocked person nothing of the author", async () => {
    const by = await other.post<PostRecord>(`/posts/${open.Guid}/reshare`);
    const own = await blocked.post<PostRecord>(`/posts/${open.Guid}/reshare`);
    await blockNow();
    await blocked.notFound("GET", `/posts/${by.ID}`);
    await blocked.notFound("POST", `/posts/${by.Guid}/reshare`);
    assert.deepEqual(
      await guids(blocked, `/people/${other.record.ID}/stream`),
      [],
    );
    assert.ok(!(await guids(blocked, "/posts")).includes(by.Guid));
    const seen = await blocked.get<PostRecord>(`/posts/${own.ID}`);
    assert.equal(seen.Root, null);
    const shown = await other.get<PostRecord>(`/posts/${by.ID}`);
    assert.equal(shown.Root?.Guid, open.Guid);
    await blocked.delete(`/posts/${own.Guid}`);
  });

  test("comments and likes below the author's posts go with them", async () => {
    const said = await other.post<CommentRecord>(`/posts/${open.ID}/comments`, {
      comment: "nice",
    });
    await blockNow();
    for (const key of [said.ID, said.Guid]) {
      await blocked.notFound("GET", `/comments/${key}`);
      await blocked.notFound("GET", `/comments/${key}/likes`);
      await blocked.notFound("POST", `/comments/${key}/likes`);
      await blocked.notFound("DELETE", `/comments/${key}`);
    }
    assert.equal(
      (await author.get<CommentRecord>(`/comments/${said.ID}`)).ID,
      said.ID,
    );
  });

  test("a blocked person can still retract their own content", async () => {
    const path = `/posts/${open.ID}`;
    const said = await blocked.post<CommentRecord>(`${path}/comments`, {
      comment: "mine",
    });
    const like = await blocked.post<LikeRecord>(`${path}/likes`);
    await blockNow();
    await blocked.delete(`/comments/${said.Guid}`);
    await blocked.delete(`/likes/${like.Guid}`);
    const { CommentsCount, LikesCount } = await author.get<PostRecord>(path);
    assert.deepEqual([CommentsCount, LikesCount], [0, 0]);
  });

  test("notifications reveal nothing of invisible content, old or new", async () => {
    const path = `/posts/${open.ID}`;
    const said = await blocked.post<CommentRecord>(`${path}/comments`, {
      comment: "mine",
    });
    const like = await other.post<LikeRecord>(`/comments/${said.ID}/likes`);
    // Notifications of different people have no fixed order.
    await kith().settle();
    await author.post(`${path}/comments`, {
      comment: `hello @{${blocked.handle}}`,
    });
    await kith().settle();
    const notifications = () =>
      blocked.get<NotificationRecord[]>("/notifications");
    const before = await notifications();
    assert.deepEqual(
      before.map(({ ShareableType }) => ShareableType),
      ["Comment", "Like", "Contact"],
    );
    const aboutLike = before[1];
    assert.equal(aboutLike?.ShareableGuid, like.Guid);
    await blockNow();
    await author.post(`${path}/comments`, {
      comment: `you there, @{${blocked.handle}}?`,
    });
    await kith().settle();
    assert.deepEqual(
      (await notifications()).map(({ ShareableType }) => ShareableType),
      ["Contact"],
    );
    await blocked.notFound("GET", `/notifications/${aboutLike.ID}`);
    await blocked.notFound("PUT", `/notifications/${aboutLike.ID}`);
  });
});

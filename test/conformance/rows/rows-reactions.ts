import assert from "node:assert/strict";
import { guids } from "./rows-people.ts";
import {
  needsToken,
  NOWHERE,
  type Rec,
  type Rows,
  type RowTest,
  type Stage,
} from "../stage.ts";

const unshown = (name: string) =>
  `service-api/Operations whose path is not shown/${name}`;
const resolved = (path: string) =>
  `service-api-resolved/Endpoints, complete/${path}`;

const createsComment = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const post = await stage.privatePost();
  const path = `/posts/${post.ID}/comments`;
  await needsToken(stage, "POST", path);
  const first = await bob.post<Rec>(path, { comment: "one" });
  assert.equal(first.PersonID, bob.record.ID);
  const answer = { text: "two", parent_guid: first.Guid };
  const second = await ann.post<Rec>(path, answer);
  assert.equal(second["ParentGuid"], first.Guid);
  assert.equal(second.Text, "two");
  await bob.blank("POST", path);
  await bob.blank("POST", path, { form: { comment: " " } });
  await cam.notFound("POST", path, { form: { comment: "x" } });
  await bob.notFound("POST", `/posts/${NOWHERE}/comments`, {
    form: { comment: "x" },
  });
  await stage.failsToSave("comments", bob, "POST", path, { comment: "x" });
};

const deletesComment = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const actor = await stage.follower("listener");
  const post = await stage.post(ann);
  const [own, other] = [
    await stage.comment(bob, post),
    await stage.comment(bob, post),
  ];
  await needsToken(stage, "DELETE", `/comments/${own.Guid}`);
  await cam.notFound("DELETE", `/comments/${own.Guid}`);
  await bob.delete(`/comments/${own.Guid}`);
  await ann.delete(`/comments/${other.Guid}`);
  await bob.notFound("GET", `/comments/${own.Guid}`);
  await stage.kith.settle();
  assert.ok(actor.got("Delete").length >= 1, "the deletion is relayed");
};

/** The liked object, as the path before `/likes`. */
const likes =
  (target: (stage: Stage) => Promise<string>, byPath: boolean): RowTest =>
  async (stage) => {
    const { bob, cam } = stage;
    const path = `${await target(stage)}/likes`;
    for (const method of ["GET", "POST", "DELETE"])
      await needsToken(stage, method, path);
    const like = await bob.post<Rec>(path);
    assert.equal(like["Positive"], true);
    assert.deepEqual(await bob.post(path, { positive: "true" }), like);
    const dislike = byPath
      ? await bob.post<Rec>(`${path}/false`)
      : await bob.post<Rec>(path, { positive: "false" });
    assert.equal(dislike["Positive"], false);
    assert.notEqual(dislike.Guid, like.Guid);
    assert.deepEqual(guids(await bob.get<Rec[]>(path)), [dislike.Guid]);
    await bob.badRequest("POST", path, { form: { positive: "maybe" } });
    await cam.notFound("POST", path);
    await bob.delete(path);
    assert.deepEqual(await bob.get(path), []);
    await stage.failsToSave("likes", bob, "POST", path);
  };

const limitedPost = async (stage: Stage) =>
  `/posts/${(await stage.privatePost()).ID}`;
const limitedComment = async (stage: Stage) => {
  const post = await stage.privatePost();
  return `/comments/${(await stage.comment(stage.bob, post)).ID}`;
};

const deletesLike = async (stage: Stage): Promise<void> => {
  const { ann, bob } = stage;
  const post = await stage.post(ann);
  const like = await stage.like(bob, post);
  const path = `/likes/${like.Guid}`;
  await needsToken(stage, "DELETE", path);
  await ann.notFound("DELETE", path);
  await bob.delete(path);
  assert.deepEqual(await ann.get(`/posts/${post.ID}/likes`), []);
  await bob.notFound("DELETE", path);
};

const listsComments: RowTest = async (stage) => {
  const { ann, bob, cam } = stage;
  const post = await stage.privatePost();
  const first = await stage.comment(ann, post);
  const second = await stage.comment(bob, post);
  const path = `/posts/${post.ID}/comments`;
  await needsToken(stage, "GET", path);
  const list = await bob.get<Rec[]>(path);
  assert.deepEqual(guids(list), [first.Guid, second.Guid]);
  const rest = await bob.get(path, { offset: 1, fields: "Guid" });
  assert.deepEqual(rest, [{ Guid: second.Guid }]);
  await cam.notFound("GET", path);
};

export const reactionRows: Rows = {
  [unshown("Create comment on post")]: createsComment,
  [unshown("Delete comment")]: deletesComment,
  [unshown("Create like on post")]: likes(limitedPost, false),
  [unshown("Delete like")]: deletesLike,
  [resolved("GET /posts/:id/comments")]: listsComments,
  [resolved("POST /posts/:id/comments")]: createsComment,
  [resolved("GET /comments/:id")]: async (stage) => {
    const { bob, cam } = stage;
    const post = await stage.privatePost();
    const comment = await stage.comment(bob, post, "you");
    for (const id of [comment.ID, comment.Guid]) {
      const path = `/comments/${id}`;
      await needsToken(stage, "GET", path);
      assert.equal((await bob.get<Rec>(path)).Text, "you");
      assert.deepEqual(await bob.get(path, { fields: "Text" }), {
        Text: "you",
      });
      await cam.notFound("GET", path);
    }
  },
  [resolved("DELETE /comments/:guid")]: deletesComment,
  [resolved("GET /posts/:id/likes")]: likes(limitedPost, false),
  [resolved("POST /posts/:id/likes and POST /posts/:id/likes/:positive")]:
    likes(limitedPost, true),
  [resolved("GET, POST, DELETE /comments/:id/likes")]: likes(
    limitedComment,
    false,
  ),
  [resolved("DELETE /likes/:guid")]: deletesLike,
  [resolved("DELETE /posts/:id/likes")]: async (stage) => {
    const { ann, bob } = stage;
    const post = await stage.post(ann);
    const path = `/posts/${post.ID}/likes`;
    await needsToken(stage, "DELETE", path);
    const kept = await stage.like(ann, post);
    await stage.like(bob, post);
    await bob.delete(path);
    assert.deepEqual(guids(await ann.get<Rec[]>(path)), [kept.Guid]);
    await bob.notFound("DELETE", path);
  },
};

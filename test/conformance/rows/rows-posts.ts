import assert from "node:assert/strict";
import { guids } from "./rows-people.ts";
import {
  needsToken,
  NOWHERE,
  type Rec,
  type Rows,
  type Stage,
} from "../stage.ts";

const unshown = (name: string) =>
  `service-api/Operations whose path is not shown/${name}`;
const resolved = (path: string) =>
  `service-api-resolved/Endpoints, complete/${path}`;

const listsPosts = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  await needsToken(stage, "GET", "/posts");
  const open = await stage.post(ann);
  const limited = await stage.privatePost();
  const see = async (who: typeof ann, visibility: number) =>
    guids(await who.get<Rec[]>("/posts", { visibility })).slice(0, 2);
  assert.deepEqual(await see(bob, 0), [limited.Guid, open.Guid]);
  assert.equal((await see(bob, 1))[0], open.Guid);
  assert.equal((await see(bob, 2))[0], limited.Guid);
  assert.equal((await see(ann, 2))[0], limited.Guid);
  assert.equal((await see(cam, 0))[0], open.Guid);
  assert.ok(!(await see(cam, 2)).includes(limited.Guid));
  const query = { offset: 1, fields: "Guid", visibility: 0 };
  const rest = await bob.get<Rec[]>("/posts", query);
  assert.deepEqual(rest[0], { Guid: open.Guid });
  for (const visibility of ["3", "-1", "x"])
    await ann.badRequest("GET", "/posts", { query: { visibility } });
};

const createsPosts = async (stage: Stage): Promise<void> => {
  const { ann, bob, friends } = stage;
  await needsToken(stage, "POST", "/posts");
  const form = { post: "x", fields: "Text,Public" };
  const cut = await ann.post("/posts", form);
  assert.deepEqual(cut, { Text: "x", Public: true });
  const aspectID = friends.ID;
  assert.equal((await stage.post(ann, { aspectID })).Public, false);
  await bob.notFound("POST", "/posts", { form: { post: "x", aspectID } });
};

const showsPost = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const post = await stage.privatePost({ post: "for you" });
  for (const id of [post.ID, post.Guid])
    for (const method of ["GET", "POST"] as const) {
      const path = `/posts/${id}`;
      await needsToken(stage, method, path);
      const shown = await bob.call(method, path);
      assert.equal((JSON.parse(shown.text) as Rec).Text, "for you");
      const query = { fields: "Text" };
      const cut = await ann.call(method, path, { query });
      assert.deepEqual(JSON.parse(cut.text), { Text: "for you" });
      await cam.notFound(method, path);
    }
  await ann.notFound("GET", `/posts/${NOWHERE}`);
};

const deletesPost = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const actor = await stage.follower("onlooker");
  const post = await stage.post(ann);
  const path = `/posts/${post.Guid}`;
  await needsToken(stage, "DELETE", path);
  await bob.delete(path);
  const lists = async (who: typeof ann) =>
    guids(await who.get<Rec[]>("/posts", { limit: 100 })).includes(post.Guid);
  await stage.kith.settle();
  assert.equal(actor.got("Delete").length, 0, "hidden for bob alone");
  assert.deepEqual([await lists(bob), await lists(ann)], [false, true]);
  await ann.delete(path);
  await ann.notFound("GET", path);
  await stage.kith.settle();
  assert.equal(actor.got("Delete").length, 1, "retracted everywhere");
  const limited = await stage.privatePost();
  await cam.notFound("DELETE", `/posts/${limited.Guid}`);
};

const resharesPost = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const root = await stage.post(ann);
  const path = `/posts/${root.Guid}/reshare`;
  await needsToken(stage, "POST", path);
  const reshare = await bob.post<Rec>(path);
  assert.equal(reshare["Type"], "Reshare");
  assert.equal(reshare["RootGuid"], root.Guid);
  assert.equal(reshare["RootPersonID"], ann.record.ID);
  assert.equal(reshare.Public, true);
  await bob.badRequest("POST", path);
  const next = await cam.post<Rec>(`/posts/${reshare.Guid}/reshare`);
  assert.equal(next["RootGuid"], root.Guid, "a reshare points to the root");
  const limited = await stage.privatePost();
  await bob.badRequest("POST", `/posts/${limited.Guid}/reshare`);
  const other = await stage.post(ann);
  const unsaved = `/posts/${other.Guid}/reshare`;
  await stage.failsToSave("posts", bob, "POST", unsaved);
  const cut = await bob.post(unsaved, { fields: "Type" });
  assert.deepEqual(cut, { Type: "Reshare" });
};

export const postRows: Rows = {
  "service-api/Posts/GET /api/v0/posts": listsPosts,
  "service-api/Posts/POST /api/v0/posts": createsPosts,
  "service-api/Posts/Post create rule 1": async ({ ann }) => {
    for (const form of [{}, { post: "" }, { post: " \n" }])
      await ann.blank("POST", "/posts", { form });
  },
  "service-api/Posts/Post create rule 2": async (stage) => {
    const before = Date.now();
    const post = await stage.post(stage.ann);
    assert.equal(post["Type"], "StatusMessage");
    assert.equal(post.PersonID, stage.ann.record.ID);
    assert.ok(Math.abs(Date.parse(post.CreatedAt) - before) < 60_000);
    assert.equal(post.Public, true);
    assert.equal((await stage.privatePost()).Public, false);
  },
  "service-api/Posts/Post create rule 3": async (stage) => {
    const { ID, Guid } = await stage.privatePost();
    const path = `/posts/${ID}`;
    for (const who of [stage.ann, stage.bob])
      assert.equal((await who.get<Rec>(path)).Guid, Guid);
    await stage.cam.notFound("GET", path);
  },
  "service-api/Posts/Post create rule 5": (stage) =>
    stage.failsToSave("posts", stage.ann, "POST", "/posts", { post: "x" }),
  "service-api/Posts/Post create rule 6": async (stage) => {
    const actor = await stage.follower("addressee");
    const post = await stage.post(stage.ann);
    await stage.kith.settle();
    const created = actor.got("Create").map((it) => JSON.stringify(it));
    assert.ok(created.some((it) => it.includes(post.Guid)));
  },
  [unshown("Show post")]: showsPost,
  [unshown("Delete post")]: deletesPost,
  [unshown("Reshare post")]: resharesPost,
  [resolved("GET /posts")]: listsPosts,
  [resolved("GET and POST /posts/:id")]: showsPost,
  [resolved("DELETE /posts/:guid")]: deletesPost,
  [resolved("POST /posts/:guid/reshare")]: resharesPost,
  [resolved("GET /posts/:id/reshares")]: async (stage) => {
    const { ann, bob, cam } = stage;
    const root = await stage.post(ann);
    const path = `/posts/${root.ID}/reshares`;
    await needsToken(stage, "GET", path);
    const reshare = await bob.post<Rec>(`/posts/${root.ID}/reshare`);
    assert.deepEqual(guids(await cam.get<Rec[]>(path)), [reshare.Guid]);
    const limited = await stage.privatePost();
    await cam.notFound("GET", `/posts/${limited.ID}/reshares`);
  },
};

import assert from "node:assert/strict";
import {
  OWN_GUID,
  TIMESTAMP,
} from "../../../packages/server/test/support/server/wire.ts";
import { tokenPlaces, unserved } from "./rows-rules.ts";
import { NOWHERE, type Rec, type Rows } from "../stage.ts";

const convention = (n: number) =>
  `service-api-resolved/Conventions/bullet ${n}`;

export const conventionRows: Rows = {
  [convention(1)]: async ({ ann }) => {
    const parameters = { name: "each way", fields: "Name" };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(parameters))
      multipart.append(name, value);
    for (const sent of [
      { form: parameters },
      { multipart },
      { query: parameters },
      { json: parameters },
      { query: { ...parameters, name: "loses" }, form: parameters },
    ]) {
      const answer = await ann.call("POST", "/aspects", sent);
      assert.deepEqual(JSON.parse(answer.text), { Name: "each way" });
    }
  },
  [convention(2)]: tokenPlaces,
  [convention(3)]: async (stage) => {
    const { CreatedAt, Person } = await stage.post(stage.cam);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(Person.Profile["Birthday"] === undefined, false);
    const fresh = await stage.kith.person();
    const path = `/people/${fresh.record.ID}/profile`;
    assert.equal((await fresh.get<Rec>(path))["Birthday"], null);
  },
  [convention(4)]: async (stage) => {
    for (let n = 0; n < 11; n += 1) await stage.post(stage.ann);
    const page = (query: Record<string, number>) =>
      stage.ann.get<Rec[]>("/posts", query);
    const first = await page({});
    assert.equal(first.length, 10);
    const times = first.map(({ CreatedAt }) => CreatedAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    const [next] = await page({ offset: 1, limit: 1 });
    assert.equal(next?.Guid, first[1]?.Guid);
    assert.equal((await page({ limit: 11 })).length, 11);
    for (const limit of [0, 101])
      await stage.ann.badRequest("GET", "/posts", { query: { limit } });
  },
  [convention(5)]: async (stage) => {
    const { ann } = stage;
    const post = await stage.post(ann);
    const query = { fields: "ID,Nothing,Person(ID:Profile(ID:ImageUrl))" };
    const { ID, Profile } = ann.record;
    const image = { ID: Profile.ID, ImageUrl: Profile.ImageUrl };
    const cut = { ID: post.ID, Person: { ID, Profile: image } };
    assert.deepEqual(await ann.get(`/posts/${post.ID}`, query), cut);
    const [first] = await ann.get<Rec[]>("/posts", query);
    assert.deepEqual(first, cut);
    for (const fields of ["(", "ID,", "Person(ID,Guid)"])
      await ann.badRequest("GET", "/posts", { query: { fields } });
  },
  [convention(6)]: async (stage) => {
    const { ann, kith } = stage;
    const post = await stage.post(ann);
    // Within one hundredth of a second the kinds have an order of their own.
    kith.clock.advance(10);
    const comment = await stage.comment(ann, post);
    kith.clock.advance(10);
    const reshare = await stage.bob.post<Rec>(`/posts/${post.ID}/reshare`);
    const ids = [post.ID, comment.ID, reshare.ID];
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, 3);
    const slot = Math.floor(post.ID / 4096);
    const hundredths = Math.floor(Date.parse(post.CreatedAt) / 10);
    assert.ok(Math.abs(slot - hundredths) < 100, `${slot} ${hundredths}`);
    assert.equal(Math.floor(post.ID / 1024) % 4, 0, "a post");
    assert.equal(Math.floor(comment.ID / 1024) % 4, 1, "a comment");
    assert.ok(stage.friends.ID === 1, "the first aspect of the server");
  },
  [convention(7)]: async (stage) => {
    assert.match((await stage.post(stage.ann)).Guid, OWN_GUID);
    await stage.ann.notFound("GET", "/posts/too-short");
  },
  [convention(8)]: async ({ ann }) => {
    for (const query of [{ offset: "-1" }, { offset: "abc" }])
      await ann.badRequest("GET", "/posts", { query });
    const large = { form: { post: "x".repeat(2_000_000) } };
    const message = "Request body too large";
    await ann.refused("POST", "/posts", large, 413, message);
    const headers = { "content-type": "text/csv", "accept-language": "de" };
    const csv = { json: "x", headers };
    const unsupported = "Unsupported media type";
    await ann.refused("POST", "/posts", csv, 415, unsupported);
  },
  [convention(9)]: async (stage) => {
    const { bob, cam } = stage;
    const { ID, Guid } = await stage.privatePost();
    const secret = await cam.call("GET", `/posts/${Guid}`);
    const missing = await cam.call("GET", `/posts/${NOWHERE}`);
    assert.deepEqual(
      [secret.status, secret.text],
      [missing.status, missing.text],
    );
    const comment = await stage.comment(stage.ann, { ID } as Rec);
    await bob.notFound("DELETE", `/comments/${comment.Guid}`);
  },
  [convention(10)]: unserved,
};

import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  fetchPicture,
  picture,
  pictureForm,
  storedFiles,
  upload,
} from "../support/scenes/pictures.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const filesOf = async ({ Guid }: { Guid: string }) =>
    (await storedFiles(kith())).filter((name) => name.startsWith(Guid));

  test("a post has its photos, in their order", async () => {
    const ida = await kith().person();
    const uploaded = [await upload(ida), await upload(ida), await upload(ida)];
    const ids = uploaded.map(({ ID }) => ID);
    const photoID = [ids[2], ids[0], ids[2], ids[1]];
    const answer = await ida.call("POST", "/posts", {
      json: { post: "three", photoID },
    });
    const post = JSON.parse(answer.text) as PostRecord;
    const expected = [ids[2], ids[0], ids[1]];
    assert.deepEqual(
      post.Photos.map(({ ID }) => ID),
      expected,
    );
    assert.ok(post.Photos.every(({ PostID }) => PostID === post.ID));
    const [listed] = await ida.get<PostRecord[]>("/posts");
    assert.deepEqual(listed?.Photos, post.Photos);
    const jan = await kith().person();
    await jan.post(`/posts/${post.Guid}/reshare`);
    const [reshare] = await jan.get<PostRecord[]>("/posts");
    assert.deepEqual(reshare?.Root?.Photos, post.Photos);
    assert.deepEqual(reshare?.Photos, []);
    // A photo of a post is not available for another one.
    for (const used of expected)
      await ida.notFound("POST", "/posts", {
        json: { post: "x", photoID: used },
      });
  });

  test("only one's own pictures are attached, at most 20, and not to nothing", async () => {
    const kim = await kith().person();
    const lea = await kith().person();
    const { ID } = await upload(kim);
    await lea.notFound("POST", "/posts", { form: { post: "x", photoID: ID } });
    await kim.notFound("POST", "/posts", {
      form: { post: "x", photoID: 999_999 },
    });
    const several = { json: { post: "x", photoID: [ID, 999_999] } };
    await kim.notFound("POST", "/posts", several);
    await kim.blank("POST", "/posts", { form: { post: " ", photoID: ID } });
    const many = Array.from({ length: 21 }, (_, n) => ID + n);
    await kim.badRequest("POST", "/posts", {
      json: { post: "x", photoID: many },
    });
    for (const photoID of [0, -1, "x", 1.5])
      await kim.badRequest("POST", "/posts", { form: { post: "x", photoID } });
    const same = Array.from({ length: 21 }, () => ID);
    const answer = await kim.call("POST", "/posts", {
      json: { post: "x", photoID: same },
    });
    assert.equal((JSON.parse(answer.text) as PostRecord).Photos.length, 1);
  });

  test("a picture for an aspect goes to a post for that aspect", async () => {
    const mia = await kith().person();
    const aspect = (name: string) =>
      mia.post<AspectRecord>("/aspects", { name });
    const [one, two] = [await aspect("one"), await aspect("two")];
    const { ID: photoID } = await upload(mia, undefined, { aspectID: one.ID });
    const form = { post: "x", photoID };
    await mia.badRequest("POST", "/posts", { form });
    await mia.badRequest("POST", "/posts", {
      form: { ...form, aspectID: two.ID },
    });
    const post = await mia.post<PostRecord>("/posts", {
      ...form,
      aspectID: one.ID,
    });
    assert.equal(post.Photos[0]?.ID, photoID);
    const nia = await kith().person();
    const multipart = pictureForm(await picture(9, 9).png().toBuffer(), {
      aspectID: one.ID,
    });
    await nia.notFound("POST", "/photos", { multipart });
  });

  test("ten posts at once, and one gets the picture", async () => {
    const ole = await kith().person();
    const { ID: photoID } = await upload(ole);
    const sent = { form: { post: "mine", photoID } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ole.call("POST", "/posts", sent)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array<number>(9).fill(404)]);
    const posts = await ole.get<PostRecord[]>("/posts", { visibility: 0 });
    const mine = posts.filter(({ Text }) => Text === "mine");
    assert.equal(mine.length, 1);
  });

  test("deleted is deleted, and the files are gone", async () => {
    const rob = await kith().person();
    const sue = await kith().person();
    const [one, two, three] = [
      await upload(rob),
      await upload(rob),
      await upload(rob),
    ];
    const json = { post: "x", photoID: [one.ID, two.ID] };
    const answer = await rob.call("POST", "/posts", { json });
    const post = JSON.parse(answer.text) as PostRecord;
    for (const { Guid } of [one, three])
      await sue.notFound("DELETE", `/photos/${Guid}`);
    assert.equal((await filesOf(one)).length, 5);
    await rob.delete(`/photos/${one.Guid}`);
    await rob.delete(`/photos/${three.Guid}`);
    await kith().settle();
    assert.deepEqual(await filesOf(one), []);
    assert.deepEqual(await filesOf(three), []);
    const left = await rob.get<PostRecord>(`/posts/${post.Guid}`);
    assert.deepEqual(
      left.Photos.map(({ ID }) => ID),
      [two.ID],
    );
    await rob.notFound("DELETE", `/photos/${one.Guid}`);
    await rob.delete(`/posts/${post.Guid}`);
    await kith().settle();
    assert.deepEqual(await filesOf(two), []);
    await rob.notFound("GET", `/photos/${two.Guid}`);
    const gone = await fetch(two.Url, { headers: { access_token: rob.token } });
    assert.equal(gone.status, 404);
  });

  test("a photo without a post is removed after a day", async () => {
    const tom = await kith().person();
    const kept = await upload(tom);
    await tom.post("/posts", { post: "kept", photoID: kept.ID });
    const waiting = await upload(tom);
    await kith().server.prepare();
    await kith().settle();
    assert.equal((await filesOf(waiting)).length, 5);
    kith().clock.advance(23 * HOUR_MS);
    const young = await upload(tom);
    kith().clock.advance(2 * HOUR_MS);
    await kith().settle();
    assert.deepEqual(await filesOf(waiting), []);
    // Notes that the token was used again after a day.
    await tom.get(`/photos/${kept.Guid}`);
    await tom.notFound("GET", `/photos/${waiting.Guid}`);
    assert.equal((await filesOf(kept)).length, 5);
    assert.equal((await filesOf(young)).length, 5);
    assert.equal((await fetchPicture(kept.Url)).width, 40);
  });

  test("files of no picture are removed once they are a day old", async () => {
    const uma = await kith().person();
    const photo = await upload(uma);
    await uma.post("/posts", { post: "kept", photoID: photo.ID });
    const orphan = await upload(uma);
    await kith().db.transaction((tx) =>
      tx.deleteFrom("photos").where("id", "=", orphan.ID).execute(),
    );
    await kith().server.prepare();
    await kith().settle();
    assert.equal((await filesOf(orphan)).length, 5);
    kith().clock.advance(25 * HOUR_MS);
    await kith().settle();
    assert.deepEqual(await filesOf(orphan), []);
    assert.equal((await filesOf(photo)).length, 5);
  });

  test("photos are in the object of their post, for programs at the addresses with access control", async () => {
    const vic = await kith().person();
    const { ID: aspectID } = await vic.post<AspectRecord>("/aspects", {
      name: "nobody",
    });
    const attached = async (extra: Record<string, number>) => {
      const { ID: photoID, Url } = await upload(vic, undefined, {
        text: "alt",
      });
      const form = { post: "x", photoID, ...extra };
      const { Guid } = await vic.post<PostRecord>("/posts", form);
      const url = `${kith().baseUrl}/api/v1/ap/object/${Guid}`;
      const headers = { access_token: vic.token };
      const response = await fetch(url, { headers });
      assert.equal(response.status, 200);
      const { attachment = [] } = (await response.json()) as {
        attachment?: Record<string, unknown>[];
      };
      return { Url, attachment };
    };
    const open = await attached({});
    assert.equal(open.attachment.length, 1);
    const [{ blurhash, ...file } = {}] = open.attachment;
    assert.ok(typeof blurhash === "string");
    assert.deepEqual(file, {
      type: "Image",
      mediaType: "image/png",
      url: open.Url,
      name: "alt",
      summary: "alt",
      width: 40,
      height: 20,
    });
    const limited = await attached({ aspectID });
    assert.deepEqual(
      limited.attachment.map(({ url }) => url),
      [limited.Url],
    );
    assert.match(limited.Url, /\/media\//);
  });
});

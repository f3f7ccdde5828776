import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post, aspectID });
  const reshare = (by: TestPerson, key: string | number) =>
    by.post<PostRecord>(`/posts/${key}/reshare`);

  test("a reshare is a public post that points to the first one", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const root = await publish(ann, "pass it on");
    const made = await reshare(bob, root.Guid);
    assert.equal(made.Type, "Reshare");
    assert.equal(made.Public, true);
    assert.equal(made.PersonID, bob.record.ID);
    assert.equal(made.RootGuid, root.Guid);
    assert.equal(made.RootPersonID, ann.record.ID);
    assert.equal(made.Text, "");
    assert.notEqual(made.Guid, root.Guid);
    assert.equal(made.Root?.ID, root.ID);
    assert.equal(made.Root?.Text, "pass it on");
    assert.equal(made.Root?.Person.ID, ann.record.ID);
    const shown = await ann.get<PostRecord>(`/posts/${root.ID}`);
    assert.equal(shown.ResharesCount, 1);
    assert.equal(shown.Root, null);
  });

  test("a reshare of a reshare points to the first post", async () => {
    const [cam, dan, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const root = await publish(cam, "far");
    const first = await reshare(dan, root.ID);
    const second = await reshare(eve, first.Guid);
    assert.equal(second.RootGuid, root.Guid);
    assert.equal(second.RootPersonID, cam.record.ID);
    const list = await cam.get<PostRecord[]>(`/posts/${root.Guid}/reshares`);
    assert.deepEqual(
      list.map(({ Guid }) => Guid),
      [second.Guid, first.Guid],
    );
    const path = `/posts/${root.ID}/reshares`;
    assert.deepEqual(await cam.get(path, { offset: 1, fields: "Guid" }), [
      { Guid: first.Guid },
    ]);
    assert.deepEqual(await cam.get(`/posts/${first.ID}/reshares`), []);
    const again = `/posts/${first.Guid}/reshare`;
    await eve.badRequest("POST", again);
  });

  test("only public posts can be reshared, and only once", async () => {
    const [fay, gil] = [await kith().person(), await kith().person()];
    const { ID } = await fay.post<AspectRecord>("/aspects", { name: "a" });
    await fay.post(`/people/${gil.record.ID}/aspects/${ID}`);
    const closed = await publish(fay, "closed", ID);
    for (const by of [fay, gil])
      await by.badRequest("POST", `/posts/${closed.Guid}/reshare`);
    const open = await publish(fay, "open");
    await reshare(gil, open.Guid);
    await gil.badRequest("POST", `/posts/${open.Guid}/reshare`);
    await reshare(fay, open.Guid);
  });

  test("a reshare that was deleted can be made again", async () => {
    const [hal, ida] = [await kith().person(), await kith().person()];
    const root = await publish(hal, "again");
    const first = await reshare(ida, root.Guid);
    await ida.delete(`/posts/${first.Guid}`);
    const second = await reshare(ida, root.Guid);
    assert.notEqual(second.Guid, first.Guid);
    const shown = await hal.get<PostRecord>(`/posts/${root.ID}`);
    assert.equal(shown.ResharesCount, 1);
  });

  test("a reshare outlives its root, without it", async () => {
    const [jan, kim, lou] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const root = await publish(jan, "gone soon");
    const made = await reshare(kim, root.Guid);
    await jan.delete(`/posts/${root.Guid}`);
    const shown = await lou.get<PostRecord>(`/posts/${made.Guid}`);
    assert.equal(shown.Root, null);
    assert.equal(shown.RootGuid, root.Guid);
    await lou.notFound("POST", `/posts/${made.Guid}/reshare`);
  });

  test("twenty reshares at once make one", async () => {
    const [max, ned] = [await kith().person(), await kith().person()];
    const root = await publish(max, "quick");
    const path = `/posts/${root.Guid}/reshare`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ned.call("POST", path)),
    );
    const texts = answers.map(({ status, text }) => `${status} ${text}`);
    const refused = texts.filter((it) =>
      it.startsWith('400 {"error":"Bad request",'),
    );
    assert.equal(
      refused.length,
      19,
      String(texts.map((it) => it.slice(0, 40))),
    );
    const shown = await max.get<PostRecord>(`/posts/${root.ID}`);
    assert.equal(shown.ResharesCount, 1);
  });
});

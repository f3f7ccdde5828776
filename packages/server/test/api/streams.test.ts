import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectOf, keepAway } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  TIMESTAMP,
  type PostRecord,
  type UserStreamRecord,
} from "../support/server/wire.ts";

type Form = Partial<Record<"name" | "tags" | "people" | "expression", string>>;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post, aspectID });
  const save = (by: TestPerson, form: Form) =>
    by.post<UserStreamRecord>("/users/streams", { name: "s", ...form });
  const read = async (by: TestPerson, id: number, query = {}) =>
    (await by.get<PostRecord[]>(`/users/streams/${id}/posts`, query)).map(
      ({ Guid }) => Guid,
    );
  const find = async (by: TestPerson, form: Form, query = {}) =>
    read(by, (await save(by, form)).ID, query);

  test("a stream is kept as it was sent, listed and deleted", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const form = {
      name: " Birds ",
      tags: "#Owl, emu,,owl",
      people: `${bob.handle}, nobody@else.example`,
      expression: "(?i)feathers?",
    };
    const stream = await save(ann, form);
    assert.match(stream.CreatedAt, TIMESTAMP);
    const { ID, CreatedAt, UpdatedAt, ...rest } = stream;
    assert.equal(UpdatedAt, CreatedAt);
    assert.deepEqual(rest, {
      UserID: ann.record.UserID,
      Name: form.name,
      Tags: form.tags,
      People: form.people,
      Expression: form.expression,
    });
    const second = await save(ann, {});
    assert.deepEqual(await read(ann, second.ID), []);
    assert.deepEqual(await ann.get("/users/streams"), [second, stream]);
    assert.deepEqual(await ann.get("/users/streams", { limit: 1 }), [second]);
    assert.deepEqual(await bob.get("/users/streams"), []);
    for (const id of [ID, 999_999, "x", 0]) {
      await bob.notFound("DELETE", `/users/streams/${id}`);
      await bob.notFound("GET", `/users/streams/${id}/posts`);
    }
    await ann.delete(`/users/streams/${ID}`);
    await ann.notFound("DELETE", `/users/streams/${ID}`);
    assert.deepEqual(await ann.get("/users/streams"), [second]);
  });

  test("posts that fulfil any one condition are in, newest first, once", async () => {
    const [carl, dora, emil] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const byTag = await publish(carl, "#heron");
    const byPerson = await publish(dora, "of dora");
    const byText = await publish(emil, "a Grebe, indeed");
    const byAll = await publish(dora, "#heron and grebe");
    await publish(emil, "nothing of it: heron");
    const conditions = { tags: "Heron", expression: "(?i)\\bgrebe\\b" };
    const expected = [byAll, byText, byPerson, byTag].map(({ Guid }) => Guid);
    const { handle, record } = dora;
    for (const people of [handle, `@${handle}`, record.Guid, `${record.ID}`])
      assert.deepEqual(await find(carl, { ...conditions, people }), expected);
    const all = { ...conditions, people: handle };
    const pageOf = (offset: number, limit: number) =>
      find(carl, all, { offset, limit });
    assert.deepEqual(await pageOf(1, 2), expected.slice(1, 3));
    assert.deepEqual(await pageOf(4, 2), []);
    assert.deepEqual(await pageOf(Number.MAX_SAFE_INTEGER, 1), []);
    const { ID } = await save(carl, all);
    const fields = { fields: "Guid", limit: 1 };
    assert.deepEqual(await carl.get(`/users/streams/${ID}/posts`, fields), [
      { Guid: byAll.Guid },
    ]);
  });

  test("a stream shows only visible and wanted posts", async () => {
    const [fay, member, stranger] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const aspect = await aspectOf(fay, member);
    const open = await publish(fay, "#ruff quail");
    const closed = await publish(fay, "#ruff quail", aspect);
    for (const form of [
      { tags: "ruff" },
      { people: fay.handle },
      { expression: "quail" },
      { tags: "ruff", people: fay.handle, expression: "quail" },
    ]) {
      const both = [closed.Guid, open.Guid];
      assert.deepEqual(await find(member, form), both);
      assert.deepEqual(await find(fay, form), both);
      assert.deepEqual(await find(stranger, form), [open.Guid]);
    }
    const everything = {
      tags: "ruff",
      people: fay.handle,
      expression: "quail",
    };
    await stranger.delete(`/posts/${open.Guid}`);
    assert.deepEqual(await find(stranger, everything), []);
    await keepAway(kith(), "ignores", member, fay);
    assert.deepEqual(await find(member, everything), []);
    const other = await kith().person();
    assert.deepEqual(await find(other, everything), [open.Guid]);
    await keepAway(kith(), "blocks", fay, other);
    assert.deepEqual(await find(other, everything), []);
  });

  test("an invalid stream is refused", async () => {
    const gus = await kith().person();
    for (const name of ["", " \t"])
      await gus.blank("POST", "/users/streams", { form: { name } });
    await gus.blank("POST", "/users/streams");
    const broken = ["(", "[z-a]", "(?<=a)b", "(a)\\1", "*", "a{1001}"];
    broken.push(
      "(a{1000}){1000}",
      "a{1000}",
      "(\\w{30}){30}",
      "x".repeat(1001),
    );
    broken.push(`(${"ab?c|".repeat(190)}x){1000}`);
    broken.push("(((((a{9}){9}){9}){9}){9}){9}", "\\pL{400}\\pN{400}");
    const list = Array.from({ length: 101 }, (_, n) => `t${n}`).join();
    const wrong: Form[] = [
      ...broken.map((expression) => ({ expression })),
      { tags: list },
      { people: list },
      { tags: "x".repeat(256) },
      { people: ",".repeat(10_000) },
      { name: "x".repeat(256) },
    ];
    for (const form of wrong)
      await gus.badRequest("POST", "/users/streams", {
        form: { name: "s", ...form },
      });
    await save(gus, { tags: list.slice(0, list.lastIndexOf(",")) });
  });

  test("a hundred streams are enough, also at once", async () => {
    const hal = await kith().person();
    const made = await Promise.all(
      Array.from({ length: 105 }, () =>
        hal.call("POST", "/users/streams", { form: { name: "s" } }),
      ),
    );
    const good = made.filter(({ status }) => status === 200);
    assert.equal(good.length, 100);
    await hal.badRequest("POST", "/users/streams", { form: { name: "s" } });
  });

  test("an expression that drives others mad costs nothing", async () => {
    const ida = await kith().person();
    await publish(ida, `${"a".repeat(60_000)}!`);
    const { Guid } = await publish(ida, "aaa");
    for (const expression of ["^(a+)+$", "^(a|aa)+$", "^(a|a?)+$"]) {
      const { ID } = await save(ida, { expression });
      const start = performance.now();
      const found = await read(ida, ID);
      assert.ok(performance.now() - start < 2_000, expression);
      assert.deepEqual(found, [Guid]);
    }
  });

  test("a hundred tags and a hundred people are one query", async () => {
    const [jan, kim] = [await kith().person(), await kith().person()];
    const post = await publish(kim, "#t99");
    const tags = Array.from({ length: 100 }, (_, n) => `t${n}`).join();
    const people = Array.from({ length: 99 }, (_, n) => `p${n}@x.example`);
    const form = { tags, people: [...people, kim.record.Guid].join() };
    assert.deepEqual(await find(jan, form), [post.Guid]);
  });
});

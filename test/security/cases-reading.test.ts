import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import { actorOf } from "../../packages/server/test/support/remote/linked-data.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import {
  fillPath,
  listRoutes,
} from "../../packages/server/test/support/server/routes.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";
import { create, useCaseServers } from "./case-town.ts";

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, good, honest, followed } = town;

  test("case 21: a Follow that was not accepted reveals nothing for followers, even if others here follow", async () => {
    const alice = await followed(honest());
    const bob = await kith().person();
    await bob.post("/search", { handle: alice.handle });
    const answer = async (type: "Accept" | "Reject", by: TestPerson) => {
      const follower = actorOf(kith(), by.username);
      const sent = good()
        .ofType("Follow")
        .map(({ activity }) => activity)
        .find((one) => one["actor"] === follower && one["object"] === alice.id);
      assert.ok(sent);
      await alice.deliver(kith(), alice.activity(type, { object: sent }));
    };
    const { ID } = await bob.post<{ ID: number }>("/aspects", { name: "x" });
    const { ID: aliceHere } = await bob.post<{ ID: number }>("/search", {
      handle: alice.handle,
    });
    await bob.post(`/people/${aliceHere}/aspects/${ID}`);
    await kith().settle();
    await answer("Accept", bob);
    const publish = async (content: string) => {
      const to = [`${alice.id}/followers`];
      const object = alice.note({ to, cc: [], content: `<p>${content}</p>` });
      const said = { ...create(alice, object), to, cc: [] };
      await alice.deliver(kith(), said);
      // To each personal inbox as well, as servers without a shared one do.
      for (const { username } of [ann(), bob])
        await alice.deliver(
          kith(),
          { ...said, id: alice.newId("activities") },
          { to: `/api/v1/ap/person/${username}/inbox` },
        );
      return idOf(object);
    };
    const sees = async (by: TestPerson, uri: string) => {
      const post = await kith().server.features.posts.find({ uri });
      const { status } = await by.call("GET", `/posts/${post?.guid ?? "0"}`);
      const listed = (await by.get<PostRecord[]>("/posts", { visibility: 2 }))
        .map(({ Guid }) => Guid)
        .includes(post?.guid ?? "");
      assert.equal(status === 200, listed);
      return listed;
    };
    const first = await publish("before she is accepted");
    assert.deepEqual(
      [await sees(ann(), first), await sees(bob, first)],
      [false, true],
    );
    await answer("Accept", ann());
    const second = await publish("once she is accepted");
    assert.deepEqual(
      [await sees(ann(), second), await sees(bob, second)],
      [true, true],
    );
    assert.equal(await sees(ann(), first), false, "nor afterwards");
    await answer("Reject", ann());
    const third = await publish("after she was put out");
    assert.deepEqual(
      [await sees(ann(), third), await sees(bob, third)],
      [false, true],
    );
  });

  describe("private data", () => {
    /** Objects of cat's that only she may see, each with a word that reveals it. */
    async function privateData() {
      const cat = await kith().person();
      const word = (of: string) => `secret${of}of${cat.username}`;
      const make = async (
        path: string,
        form: Record<string, string | number>,
      ) => (await cat.post<{ ID: number }>(path, form)).ID;
      const eve = await kith().person();
      const { ID: other } = (await kith().person()).record;
      const aspect = await make("/aspects", { name: word("aspect") });
      const calendar = await make("/calendar", { name: word("calendar") });
      const stream = await make("/users/streams", {
        name: word("stream"),
        tags: word("tag"),
        expressions: word("expression"),
      });
      await cat.post(`/tags/${word("followed")}`);
      await cat.post(`/people/${other}/aspects/${aspect}`);
      await cat.post("/posts", { post: word("post"), aspectID: aspect });
      const { ID: token } = await kith().token(cat.username, word("client"));
      await eve.post("/posts", { post: `hello @{${cat.handle}}` });
      await kith().settle();
      const [notification] = await cat.get<{ ID: number }[]>("/notifications");
      assert.ok(notification);
      const dull = await kith().person();
      await cat.post(`/people/${dull.record.ID}/ignore`);
      await cat.post(`/people/${dull.record.ID}/block`);
      const ids = [aspect, calendar, stream, token, notification.ID];
      return { cat, eve, ids, word: `of${cat.username}` };
    }

    /** Every route for tokens, with each of the ids in its path. */
    const calls = (ids: readonly number[]) =>
      listRoutes(kith().app)
        .filter(
          ({ path }) => path.startsWith("/api/v0/") && !path.includes("*"),
        )
        .filter(({ path }) => !/openapi|oauth\/tokens$|\/ap\//.test(path))
        .flatMap(({ method, path }) => {
          const called = path.replace("/api/v0", "");
          if (!called.includes(":")) return [{ method, path: called }];
          return ids.map((id) => ({
            method,
            path: fillPath(called, { aspect_id: `${id}` }, `${id}`),
          }));
        });

    test("case 24: no route shows another person's private data, by any id", async () => {
      const { cat, eve, ids, word } = await privateData();
      const asked = calls(ids).filter(({ method }) => method === "GET");
      assert.ok(asked.length > 60, String(asked.length));
      for (const { path } of asked) {
        const answer = await eve.call("GET", path, { query: { limit: 100 } });
        assert.ok(!answer.text.includes(word), `${path}: ${answer.text}`);
        assert.ok(answer.status < 500, path);
      }
      // The searched objects do exist.
      const own = await Promise.all(
        ["/aspects", "/calendar", "/users/streams", "/tags", "/posts"].map(
          async (path) => (await cat.call("GET", path)).text,
        ),
      );
      for (const text of own) assert.ok(text.includes(word), text);
    });

    test("case 25: no route changes another person's data, by any id", async () => {
      const { cat, eve, ids } = await privateData();
      const mine = await ownRows(cat);
      assert.ok(mine.size > 8, [...mine.keys()].join());
      const forms = { name: "taken", read: "true", text: "x", tags: "taken" };
      const changing = calls(ids).filter(({ method, path }) => {
        // Ann's own account is excluded, and so are objects that others may add to, such as comments.
        const own = /^\/(users($|\/password|\/self)|search)/.test(path);
        const toOthers = /^\/people\/[^/]+\/(block|ignore)$/.test(path);
        return method !== "GET" && !own && !toOthers;
      });
      assert.ok(changing.length > 60, String(changing.length));
      for (const { method, path } of changing) {
        const { status } = await eve.call(method, path, { form: forms });
        assert.ok(status < 500, `${method} ${path}: ${status}`);
      }
      assert.deepEqual(await ownRows(cat), mine);
    });

    /** All rows that name their owner, by table, except for tables that others may add to. */
    async function ownRows({ record }: TestPerson) {
      const tables = await kith().db.read.introspection.getTables();
      const rows = new Map<string, string[]>();
      for (const { name, columns } of tables)
        for (const column of ["user_id", "owner_id"]) {
          if (!columns.some((it) => it.name === column)) continue;
          const { rows: found } = await sql`select * from ${sql.table(name)}
            where ${sql.ref(column)} = ${record.UserID}`.execute(
            kith().db.read,
          );
          const lines = found.map((row) => JSON.stringify(row)).sort();
          if (lines.length > 0) rows.set(name, lines);
        }
      return rows;
    }
  });

  test("case 26: in every language, the answer for a hidden object is that for a missing one", async () => {
    const cat = await kith().person();
    const { ID } = await cat.post<{ ID: number }>("/aspects", { name: "none" });
    const hidden = await cat.post<PostRecord>("/posts", {
      post: "hidden",
      aspectID: ID,
    });
    const absent = "f".repeat(32);
    const paths = (guid: string) => [
      `/api/v0/posts/${guid}`,
      `/posts/${guid}`,
      `/api/v1/ap/object/${guid}`,
    ];
    for (const language of ["en", "de", "fr, en;q=0.5", "zh-Hant", "xx", "*"])
      for (const accept of [
        "text/html",
        "application/json",
        "application/activity+json",
      ]) {
        const answers = async (guid: string) =>
          Promise.all(
            paths(guid).map(async (path) => {
              const headers: Record<string, string> = {
                accept,
                "accept-language": language,
              };
              if (path.startsWith("/api/v0"))
                headers["access_token"] = ann().token;
              const response = await fetch(kith().baseUrl + path, { headers });
              const visible = [...response.headers].filter(
                ([name]) => name !== "date" && name !== "x-request-id",
              );
              const text = (await response.text()).replaceAll(guid, "");
              return [response.status, visible, text];
            }),
          );
        assert.deepEqual(await answers(hidden.Guid), await answers(absent));
      }
  });
});

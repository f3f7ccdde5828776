import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a hidden post looks exactly like one that does not exist", async () => {
    const [jan, kim] = [await kith().person(), await kith().person()];
    const { ID } = await jan.post<AspectRecord>("/aspects", { name: "a" });
    const form = { post: "closed", aspectID: ID };
    const post = await jan.post<PostRecord>("/posts", form);
    const calls = [
      ["GET", ""],
      ["POST", ""],
      ["DELETE", ""],
      ["POST", "/reshare"],
      ["GET", "/reshares"],
      ["GET", "/comments"],
      ["POST", "/comments"],
      ["GET", "/likes"],
      ["POST", "/likes"],
      ["POST", "/likes/true"],
      ["DELETE", "/likes"],
    ] as const;
    const comment = { comment: "let me in" };
    const sent = (method: string) =>
      method === "GET" ? {} : { form: comment };
    for (const [method, below] of calls) {
      const look = async (key: number | string) => {
        const path = `/posts/${key}${below}`;
        const answer = await kim.call(method, path, sent(method));
        const { status, text } = answer;
        const headers = [...answer.headers].filter(([name]) => name !== "date");
        return { status, text, headers };
      };
      const absent = await look("0".repeat(32));
      assert.equal(absent.status, 404);
      assert.equal(absent.text, '{"error":"Not found"}');
      for (const key of [
        post.ID,
        post.Guid,
        12_345,
        "x",
        "%00",
        "9".repeat(99),
      ])
        assert.deepEqual(await look(key), absent, `${method} ${below} ${key}`);
    }
  });
});

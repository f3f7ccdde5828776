import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Note = {
  sensitive: boolean;
  content: string;
  source: { content: string };
  oneOf?: { name: string }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const get = async (path: string, accept: string) => {
    const response = await fetch(kith().baseUrl + path, {
      headers: { accept },
    });
    assert.equal(response.status, 200);
    return response.text();
  };
  const noteOf = async (post: PostRecord) =>
    JSON.parse(
      await get(`/api/v1/ap/object/${post.Guid}`, "application/activity+json"),
    ) as Note;

  test("a post marked by its author or by its tag is behind a warning, everywhere", async () => {
    const ann = await kith().person();
    for (const [form, isMarked] of [
      [{ post: "a nude", nsfw: true }, true],
      [{ post: "a nude #Nsfw" }, true],
      [{ post: "a nude `#nsfw`", nsfw: false }, false],
      [{ post: "a nude", nsfw: "" }, false],
    ] as const) {
      const post = await ann.post<PostRecord & { Nsfw?: boolean }>(
        "/posts",
        form,
      );
      assert.equal(post.Nsfw, isMarked || undefined);
      assert.equal((await noteOf(post)).sensitive, isMarked);
      const page = await get(`/posts/${post.Guid}`, "text/html");
      assert.equal(/<details>[^]*a nude/.test(page), isMarked);
      assert.equal(/<meta[^>]*a nude/.test(page), !isMarked);
    }
    const form = { post: "x", nsfw: "yes" };
    await ann.badRequest("POST", "/posts", { form });
  });

  test("over ActivityPub a poll is a Question, which its text asks", async () => {
    const bea = await kith().person();
    const answer = await bea.call("POST", "/posts", {
      json: {
        post: "so",
        poll_question: "Up & *down*?",
        poll_answer: ["<b>up</b>", "down"],
      },
    });
    const note = await noteOf(JSON.parse(answer.text) as PostRecord);
    assert.match(note.content, /<strong>Up &amp; \*down\*\?<\/strong>/);
    assert.deepEqual(
      note.oneOf?.map(({ name }) => name),
      ["<b>up</b>", "down"],
    );
    assert.match(note.source.content, /^so\n\n\*\*Up/);
  });
});

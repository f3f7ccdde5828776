import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  readLinks,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Fields = Readonly<Record<string, unknown>>;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    const app = MastodonClient.of(kith(), who);
    const write = async (text: string, fields: Fields, pictures = 0) => {
      kith().clock.advance(1_000);
      const media_ids: string[] = [];
      while (media_ids.length < pictures)
        media_ids.push((await app.upload()).id);
      return (await app.write(text, { ...fields, media_ids })).id;
    };
    return { who, app, write };
  };

  test("the media of a profile are those of its posts and of its replies", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    await aspectOf(bob.who, ann.who);
    await aspectOf(ann.who, bob.who);
    await kith().settle();
    const open = { in_reply_to_id: await bob.write("open", {}) };
    const limited = {
      in_reply_to_id: await bob.write("limited", { visibility: "private" }),
    };
    const first = await ann.write("one", open, 1);
    await ann.write("none", open);
    const post = await ann.write("post", {}, 1);
    await ann.write("post without", {});
    const secret = await ann.write("few see it", limited, 1);
    const many = await ann.write("three", open, 3);
    await bob.write("of another", open, 1);
    const path = `/v1/accounts/${ann.who.record.ID}/statuses?only_media=true`;
    const ask = async ({ app }: { readonly app: MastodonClient }, more = "") =>
      app.call("GET", path + more);
    const list = async (...asked: Parameters<typeof ask>) =>
      ((await ask(...asked)).json as StatusRecord[]).map(({ id }) => id);
    const nobody = { app: MastodonClient.of(kith()) };
    assert.deepEqual(await list(bob), [many, secret, post, first]);
    for (const other of [eve, nobody])
      assert.deepEqual(await list(other), [many, post, first]);
    const posts = "&exclude_replies=true";
    assert.deepEqual(await list(bob, posts), [post]);
    assert.deepEqual(await list(eve, "&pinned=true"), []);
    // Its pages meet, also where a reply has several pictures.
    assert.deepEqual(await list(bob, "&limit=1"), [many]);
    assert.deepEqual(await list(bob, `&limit=1&max_id=${many}`), [secret]);
    assert.deepEqual(await list(bob, `&max_id=${secret}`), [post, first]);
    assert.deepEqual(await list(eve, `&limit=1&min_id=${first}`), [post]);
    assert.deepEqual(await list(eve, `&limit=1&min_id=${post}`), [many]);
    assert.deepEqual(await list(eve, `&since_id=${post}`), [many]);
    const links = readLinks(await ask(eve, "&limit=2"));
    assert.ok(links.get("next")?.endsWith(`limit=2&max_id=${post}`));
    // A reply that loses its pictures is no longer there.
    kith().clock.advance(2_000);
    await ann.app.put(`/v1/statuses/${many}`, {
      ...{ status: "three", media_ids: [] },
    });
    assert.deepEqual(await list(eve), [post, first]);
    await ann.app.post(`/v1/accounts/${eve.who.record.ID}/block`);
    assert.ok(!(await list(eve)).includes(post));
  });
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { objectOf, read, sendFollow } from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Warned = { readonly ContentWarning?: string; readonly Nsfw?: boolean };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());
  const page = async ({ Guid }: { Guid: string }) =>
    (await fetch(`${kith().baseUrl}/posts/${Guid}`)).text();

  test("a local content warning is in the API, on pages and sent over ActivityPub", async () => {
    const ann = await kith().person();
    const post = await ann.post<PostRecord & Warned>("/posts", {
      post: "a secret",
      content_warning: " the <end>\n of it ",
    });
    assert.equal(post.ContentWarning, "the <end> of it");
    const comment = await ann.post<{ Guid: string } & Warned>(
      `/posts/${post.Guid}/comments`,
      { comment: "told", content_warning: "more" },
    );
    assert.equal(comment.ContentWarning, "more");
    const html = await page(post);
    assert.match(
      html,
      /<summary[^>]*>the &lt;end&gt; of it<\/summary>[^]*a secret/,
    );
    assert.match(html, /<summary[^>]*>more<\/summary>[^]*told/);
    assert.doesNotMatch(html, /<(?:meta|title)[^>]*>?[^<]*a secret/);
    const note = await read(objectOf(kith(), post.Guid));
    assert.deepEqual(
      [note["summary"], note["sensitive"]],
      ["the <end> of it", true],
    );
    const answer = await read(objectOf(kith(), comment.Guid));
    assert.deepEqual([answer["summary"], answer["sensitive"]], ["more", true]);
    const plain = await ann.post<PostRecord & Warned>("/posts", {
      post: "x",
      content_warning: " ",
      nsfw: true,
    });
    assert.deepEqual([plain.ContentWarning, plain.Nsfw], [undefined, true]);
  });

  test("a remote post keeps its content warning, and loses it with an edit", async () => {
    const ann = await kith().person();
    const eve = remote.actor("eve");
    await sendFollow(kith(), ann, eve);
    const send = (type: string, object: JsonObject) =>
      eve.deliver(kith(), eve.activity(type, { object, to: [PUBLIC] }));
    const object = eve.note({
      content: "<p>the end</p>",
      summary: "spoiler",
      sensitive: true,
    });
    await send("Create", object);
    const find = async () => {
      const all = await ann.get<(PostRecord & Warned)[]>("/posts");
      return all.find(({ Text }) => Text === "the end") ?? assert.fail();
    };
    const post = await find();
    assert.deepEqual([post.ContentWarning, post.Nsfw], ["spoiler", true]);
    const reply = eve.note({
      content: "<p>reply</p>",
      summary: "careful",
      inReplyTo: object["id"] as string,
    });
    await send("Create", reply);
    const [comment] = (await find()).Comments as readonly Warned[];
    assert.equal(comment?.ContentWarning, "careful");
    const updated = "2026-02-01T00:00:00Z";
    await send("Update", {
      ...object,
      summary: null,
      sensitive: false,
      updated,
    });
    await send("Update", { ...reply, summary: "other", updated });
    const edited = await find();
    assert.deepEqual(
      [edited.ContentWarning, edited.Nsfw],
      [undefined, undefined],
    );
    assert.equal((edited.Comments[0] as Warned).ContentWarning, "other");
  });
});

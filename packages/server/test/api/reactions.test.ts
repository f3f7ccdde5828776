import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { visitor } from "../support/pages/visit.ts";
import { objectOf } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { aspectOf } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

type Count = {
  readonly Emoji: string;
  readonly Url?: string;
  readonly Count: number;
};
type Reacted<T> = T & { readonly Reactions?: readonly Count[] };
type Reaction = {
  readonly ID: number;
  readonly Emoji: string;
  readonly Person: { readonly ID: number; readonly Author: string };
};

const BLOB = "https://x.example/blob.png";
const TAG = {
  type: "Emoji",
  name: ":blob:",
  icon: { type: "Image", url: BLOB },
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`fan${++names}`);
  const react = async (
    by: RemoteActor,
    guid: string,
    content: string,
    more: JsonObject = {},
  ) => {
    const object = objectOf(kith(), guid);
    const activity = by.activity("EmojiReact", { object, content, ...more });
    await by.deliver(kith(), activity);
    return activity;
  };
  const publish = (by: TestPerson) =>
    by.post<PostRecord>("/posts", { post: "root", audience: "everyone" });
  const show = async (by: TestPerson, { ID }: PostRecord) =>
    (await by.get<Reacted<PostRecord>>(`/posts/${ID}`)).Reactions;
  const list = (by: TestPerson, { ID }: PostRecord) =>
    by.get<Reaction[]>(`/posts/${ID}/reactions`);

  test("reactions are shown with their number, and by whom", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [eve, fay] = [stranger(), stranger()];
    const post = await publish(ann);
    assert.equal(await show(bob, post), undefined, "nothing without any");
    await react(eve, post.Guid, "🔥");
    await react(fay, post.Guid, "🔥");
    const blob = await react(fay, post.Guid, ":blob:", { tag: TAG });
    const [fire, picture] = (await show(bob, post)) ?? [];
    assert.deepEqual(fire, { Emoji: "🔥", Count: 2 });
    assert.equal(picture?.Emoji, ":blob:");
    assert.equal(picture.Count, 1);
    assert.ok(picture.Url?.startsWith(kith().baseUrl), "by the proxy");
    const all = await list(bob, post);
    assert.deepEqual(
      all.map(({ Emoji, Person }) => [Emoji, Person.Author.split("@")[0]]),
      [
        [":blob:", `fan${names}`],
        ["🔥", `fan${names}`],
        ["🔥", `fan${names - 1}`],
      ],
    );
    const page = await bob.get<Reaction[]>(`/posts/${post.ID}/reactions`, {
      ...{ limit: "1", before: String(all[0]?.ID) },
    });
    assert.deepEqual(page, [all[1]]);
    const { text } = await visitor(kith().baseUrl).get(`/posts/${post.Guid}`);
    assert.match(text, /<span>🔥<\/span> 2/);
    assert.match(text, /alt=":blob:"/);
    assert.doesNotMatch(text, RegExp(BLOB), "no address of another server");
    const status = await MastodonClient.of(kith(), bob).get<{
      pleroma?: { emoji_reactions: { name: string; count: number }[] };
    }>(`/v1/statuses/${post.ID}`);
    assert.deepEqual(
      status.pleroma?.emoji_reactions.map(({ name, count }) => [name, count]),
      [
        ["🔥", 2],
        ["blob", 1],
      ],
    );
    await fay.deliver(
      kith(),
      fay.activity("Undo", { object: blob["id"] ?? null }),
    );
    assert.deepEqual(await show(bob, post), [{ Emoji: "🔥", Count: 2 }]);
  });

  test("reactions to comments are theirs, and not the post's", async () => {
    const ann = await kith().person();
    const post = await publish(ann);
    const comments = `/posts/${post.ID}/comments`;
    const said = await ann.post<CommentRecord>(comments, { comment: "re" });
    await react(stranger(), said.Guid, "🐢");
    const shown = [{ Emoji: "🐢", Count: 1 }];
    const whole = await ann.get<Reacted<PostRecord>>(`/posts/${post.ID}`);
    assert.equal(whole.Reactions, undefined);
    const [below] = whole.Comments as Reacted<CommentRecord>[];
    assert.deepEqual(below?.Reactions, shown);
    const [listed] = await ann.get<Reacted<CommentRecord>[]>(comments);
    assert.deepEqual(listed?.Reactions, shown);
    const who = await ann.get<Reaction[]>(`/comments/${said.ID}/reactions`);
    assert.equal(who.length, 1);
    assert.deepEqual(await list(ann, post), []);
  });

  test("people whom the reader blocks or ignores are neither counted nor named", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [eve, fay] = [stranger(), stranger()];
    const post = await publish(ann);
    await react(eve, post.Guid, "🙂");
    await react(fay, post.Guid, "🙂");
    const [first] = await list(bob, post);
    await bob.post(`/people/${first?.Person.ID}/block`);
    assert.deepEqual(await show(bob, post), [{ Emoji: "🙂", Count: 1 }]);
    assert.equal((await list(bob, post)).length, 1);
    assert.deepEqual(await show(ann, post), [{ Emoji: "🙂", Count: 2 }]);
    const [, second] = await list(ann, post);
    await bob.post(`/people/${second?.Person.ID}/ignore`);
    assert.equal(await show(bob, post), undefined);
    await ann.post(`/people/${second?.Person.ID}/block`);
    await react(eve, post.Guid, "😡");
    assert.deepEqual(await show(ann, post), [{ Emoji: "🙂", Count: 1 }]);
  });

  test("reactions to a post that the reader may not see are as unknown as none", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const aspectID = await aspectOf(ann, bob);
    const { ID } = await ann.post<PostRecord>("/posts", {
      ...{ post: "hush", aspectID },
    });
    assert.deepEqual(await bob.get(`/posts/${ID}/reactions`), []);
    await eve.notFound("GET", `/posts/${ID}/reactions`);
    await eve.notFound("GET", "/comments/1/reactions");
  });
});

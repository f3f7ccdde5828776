import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type MediaRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { createSubmissions } from "../../src/features/submissions/index.ts";
import { picture } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Context = {
  readonly ancestors: readonly StatusRecord[];
  readonly descendants: readonly StatusRecord[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };

  test("a status is written in Markdown and read as HTML", async () => {
    const [ann, bob] = [await client(), await client()];
    const status = await ann.app.write(
      `Hello *world* @${bob.who.username} #Tea :-)`,
      { language: "en", spoiler_text: "a greeting", sensitive: true },
    );
    const url = `${kith().baseUrl}/u/${bob.who.username}`;
    assert.equal(status.visibility, "public");
    assert.match(status.content ?? "", /<em>world<\/em>/);
    assert.match(
      status.content ?? "",
      new RegExp(
        `<span class="h-card"><a href="${url}" class="u-url mention"[^>]*>@<span>${bob.who.username}</span></a></span>`,
      ),
    );
    assert.deepEqual(
      status.mentions.map(({ acct, url }) => [acct, url]),
      [[bob.who.username, url]],
    );
    assert.deepEqual(status.tags, [
      { name: "tea", url: `${kith().baseUrl}/tags/tea` },
    ]);
    assert.ok(status.content?.includes(`href="${kith().baseUrl}/tags/tea"`));
    assert.deepEqual(
      [status.spoiler_text, status.sensitive, status.language],
      ["a greeting", true, "en"],
    );
    const again = await bob.app.get<StatusRecord>(`/v1/statuses/${status.id}`);
    assert.equal(again.content, status.content);
    const source = await ann.app.get<{ text: string; spoiler_text: string }>(
      `/v1/statuses/${status.id}/source`,
    );
    assert.equal(source.text, `Hello *world* @${bob.who.handle} #Tea :-)`);
    await bob.app.notFound("GET", `/v1/statuses/${status.id}/source`);
  });

  test("an edit is shown with its time, and its history begins with the first version", async () => {
    const { app } = await client();
    const { id } = await app.write("first");
    kith().clock.advance(60_000);
    const edited = await app.put<StatusRecord>(`/v1/statuses/${id}`, {
      status: "second",
    });
    assert.match(edited.content ?? "", /second/);
    assert.notEqual(edited.edited_at, null);
    const history = await app.get<{ content: string }[]>(
      `/v1/statuses/${id}/history`,
    );
    assert.deepEqual(
      history.map(({ content }) => content),
      ["<p>first</p>", "<p>second</p>"],
    );
  });

  test("a deleted status comes back with its source, and is gone", async () => {
    const [ann, bob] = [await client(), await client()];
    const { id } = await ann.app.write("gone *soon*");
    await bob.app.notFound("DELETE", `/v1/statuses/${id}`);
    const deleted = await ann.app.delete<StatusRecord>(`/v1/statuses/${id}`);
    assert.equal(deleted.text, "gone *soon*");
    assert.equal(deleted.content, undefined);
    await ann.app.notFound("GET", `/v1/statuses/${id}`);
    await ann.app.notFound("DELETE", `/v1/statuses/${id}`);
  });

  test("replies are comments, shown in the context in their order", async () => {
    const [ann, bob] = [await client(), await client()];
    const post = await ann.app.write("a question");
    const one = await bob.app.write("an answer", { in_reply_to_id: post.id });
    const two = await ann.app.write("thanks", { in_reply_to_id: one.id });
    const three = await bob.app.write("another", { in_reply_to_id: post.id });
    assert.deepEqual(
      [one, two, three].map((it) => it.in_reply_to_id),
      [post.id, one.id, post.id],
    );
    const below = await ann.app.get<Context>(`/v1/statuses/${post.id}/context`);
    assert.deepEqual(
      below.descendants.map(({ id }) => id),
      [one.id, two.id, three.id],
    );
    assert.deepEqual(below.ancestors, []);
    const above = await ann.app.get<Context>(`/v1/statuses/${two.id}/context`);
    assert.deepEqual(
      above.ancestors.map(({ id }) => id),
      [post.id, one.id],
    );
    const shown = await ann.app.get<StatusRecord>(`/v1/statuses/${post.id}`);
    assert.equal(shown.replies_count, 3);
    await bob.app.delete(`/v1/statuses/${three.id}`);
    await ann.app.notFound("GET", `/v1/statuses/${three.id}`);
  });

  test("nothing meant for fewer becomes a reply that more people read", async () => {
    const [ann, bob] = [await client(), await client()];
    const post = await ann.app.write("public");
    await bob.app.refused(
      "POST",
      "/v1/statuses",
      422,
      /^Validation failed: A reply is as public/,
      { status: "hush", visibility: "private", in_reply_to_id: post.id },
    );
    const talk = await bob.app.write(`hush @${ann.who.username}`, {
      visibility: "direct",
      in_reply_to_id: post.id,
    });
    assert.deepEqual([talk.visibility, talk.in_reply_to_id], ["direct", null]);
    const shown = await ann.app.get<StatusRecord>(`/v1/statuses/${post.id}`);
    assert.equal(shown.replies_count, 0);
    const seen = await ann.app.get<StatusRecord>(`/v1/statuses/${talk.id}`);
    assert.equal(seen.visibility, "direct");
    const other = await client();
    await other.app.notFound("GET", `/v1/statuses/${talk.id}`);
  });

  test("favourites, boosts, bookmarks and mutes are the viewer's own, and repeat without harm", async () => {
    const [ann, bob] = [await client(), await client()];
    const { id } = await ann.app.write("popular");
    const act = (name: string) =>
      bob.app.post<StatusRecord>(`/v1/statuses/${id}/${name}`);
    for (const [on, off, field] of [
      ["favourite", "unfavourite", "favourited"],
      ["bookmark", "unbookmark", "bookmarked"],
      ["mute", "unmute", "muted"],
    ] as const) {
      await act(on);
      assert.equal((await act(on))[field], true, on);
      await act(off);
      assert.equal((await act(off))[field], false, off);
    }
    const wrapper = await act("reblog");
    assert.equal(wrapper.reblog?.id, id);
    assert.notEqual(wrapper.id, id);
    assert.equal(wrapper.reblog.reblogged, true);
    assert.equal((await act("reblog")).id, wrapper.id);
    const liked = await bob.app.post<StatusRecord>(
      `/v1/statuses/${wrapper.id}/favourite`,
    );
    assert.deepEqual([liked.id, liked.favourites_count], [id, 1]);
    const original = await act("unreblog");
    assert.deepEqual([original.id, original.reblogged], [id, false]);
    const seen = await ann.app.get<StatusRecord>(`/v1/statuses/${id}`);
    assert.deepEqual([seen.favourited, seen.favourites_count], [false, 1]);
  });

  test("one's own status is pinned, and others cannot be", async () => {
    const [ann, bob] = [await client(), await client()];
    const { id } = await ann.app.write("pinned");
    assert.equal((await ann.app.write("not")).pinned, false);
    const act = (name: string) =>
      ann.app.post<StatusRecord>(`/v1/statuses/${id}/${name}`);
    assert.equal((await act("pin")).pinned, true);
    assert.equal((await act("pin")).pinned, true);
    const { id: account } = await ann.app.get<{ id: string }>(
      "/v1/accounts/verify_credentials",
    );
    const listed = await bob.app.get<StatusRecord[]>(
      `/v1/accounts/${account}/statuses?pinned=true`,
    );
    assert.deepEqual(
      listed.map((status) => [status.id, status.pinned]),
      [[id, true]],
    );
    await bob.app.notFound("POST", `/v1/statuses/${id}/pin`);
    assert.equal((await act("unpin")).pinned, false);
  });

  test("a private status cannot be boosted", async () => {
    const { app } = await client();
    const { id, visibility } = await app.write("few", {
      visibility: "private",
    });
    assert.equal(visibility, "private");
    await app.refused(
      "POST",
      `/v1/statuses/${id}/reblog`,
      422,
      /^Validation failed/,
    );
  });

  test("a repeated key publishes once, also while the first is under way", async () => {
    const [ann, bob] = [await client(), await client()];
    const send = async (app: MastodonClient, key: string) => {
      const answer = await app.call(
        "POST",
        "/v1/statuses",
        { status: `once ${key}` },
        { "idempotency-key": key },
      );
      return (answer.json as StatusRecord).id;
    };
    const ids = await Promise.all([1, 2, 3].map(() => send(ann.app, "a")));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await send(ann.app, "a"), ids[0]);
    assert.notEqual(await send(ann.app, "b"), ids[0]);
    assert.notEqual(await send(bob.app, "a"), ids[0]);
    kith().clock.advance(3_700_000);
    assert.notEqual(await send(ann.app, "a"), ids[0]);
  });

  test("a failed call may be repeated with its key", async () => {
    const { app } = await client();
    const send = (status: string) =>
      app.call("POST", "/v1/statuses", { status }, { "idempotency-key": "k" });
    assert.equal((await send("")).status, 422);
    assert.equal((await send("now")).status, 200);
  });

  test("a key names what was published, even if the process ended before it answered", async () => {
    const { who, app } = await client();
    const { db, clock, server } = kith();
    const { UserID: userId, ID: personId } = who.record;
    const key = "status crashed";
    const author = { userId, personId };
    const crashed = server.features.submissions.once(
      userId,
      key,
      async (note) => {
        await server.features.posts.publish({
          ...{ author, text: "once", audience: { kind: "everyone" } },
          attach: (tx, id) => note(tx, String(id)),
        });
        throw new Error("The process ends");
      },
    );
    await assert.rejects(crashed);
    clock.advance(600_000);
    const other = createSubmissions({ db, clock });
    const found = await other.once(userId, key, async () => "another");
    const [post, ...more] = await app.get<StatusRecord[]>(
      `/v1/accounts/${personId}/statuses`,
    );
    assert.equal(post?.id, found);
    assert.equal(more.length, 0);
    const answer = await app.call(
      "POST",
      "/v1/statuses",
      { status: "once" },
      { "idempotency-key": "crashed" },
    );
    assert.equal((answer.json as StatusRecord).id, found);
  });

  test("forms, multipart forms and queries say the same as JSON", async () => {
    const { app } = await client();
    const form = new URLSearchParams({ status: "form", sensitive: "1" });
    const multipart = new FormData();
    multipart.append("status", "multipart");
    multipart.append("sensitive", "true");
    const statuses = [
      await app.post<StatusRecord>("/v1/statuses", form),
      await app.post<StatusRecord>("/v1/statuses", multipart),
      await app.post<StatusRecord>("/v1/statuses?status=query&sensitive=on"),
    ];
    assert.deepEqual(
      statuses.map(({ content, sensitive }) => [content, sensitive]),
      [
        ["<p>form</p>", true],
        ["<p>multipart</p>", true],
        ["<p>query</p>", true],
      ],
    );
  });

  test("a quoted status is shown within", async () => {
    const [ann, bob] = [await client(), await client()];
    const quoted = await ann.app.write("wise words");
    const status = await bob.app.write("listen", {
      quoted_status_id: quoted.id,
    });
    assert.equal(status.quote?.state, "accepted");
    assert.equal(status.quote.quoted_status?.id, quoted.id);
  });

  test("a status for a time waits, can be moved and taken back", async () => {
    const { app } = await client();
    const at = new Date(kith().clock.now().getTime() + 3_600_000);
    type Scheduled = { id: string; scheduled_at: string; params: object };
    const waiting = await app.post<Scheduled>("/v1/statuses", {
      status: "later",
      scheduled_at: at.toISOString(),
    });
    assert.equal(waiting.scheduled_at, at.toISOString());
    const list = await app.get<Scheduled[]>("/v1/scheduled_statuses");
    assert.deepEqual(
      list.map(({ id }) => id),
      [waiting.id],
    );
    const moved = new Date(at.getTime() + 60_000).toISOString();
    const path = `/v1/scheduled_statuses/${waiting.id}`;
    const changed = await app.put<Scheduled>(path, { scheduled_at: moved });
    assert.equal(changed.scheduled_at, moved);
    await app.delete(path);
    await app.notFound("GET", path);
    await app.refused("POST", "/v1/statuses", 422, "Record invalid", {
      status: "late",
      scheduled_at: "yesterday",
    });
  });

  test("a status is deleted and drafted again with its pictures, under new addresses", async () => {
    const { app } = await client();
    const upload = new FormData();
    const bytes = await picture(60, 60).png().toBuffer();
    upload.append("file", new Blob([new Uint8Array(bytes)]), "file");
    upload.append("description", "a wall");
    const media = await app.post<MediaRecord>("/v2/media", upload);
    const first = await app.write("look", {
      ...{ media_ids: [media.id], visibility: "private" },
    });
    const [before] = first.media_attachments;
    assert.ok(before);
    const deleted = await app.delete<StatusRecord>(`/v1/statuses/${first.id}`);
    assert.equal(deleted.text, "look");
    assert.deepEqual(
      deleted.media_attachments.map(({ id, description }) => [id, description]),
      [[media.id, "a wall"]],
    );
    await kith().settle();
    assert.equal((await fetch(before.url)).status, 404);
    const again = await app.write("look again", {
      ...{ media_ids: [media.id], visibility: "private" },
    });
    const [after] = again.media_attachments;
    assert.equal(after?.id, media.id);
    assert.notEqual(after.url, before.url);
    assert.equal((await fetch(after.url)).status, 200);
    const path = `/v1/statuses/${again.id}?delete_media=true`;
    const gone = await app.delete<StatusRecord>(path);
    assert.deepEqual(gone.media_attachments, []);
    await app.notFound("GET", `/v1/media/${media.id}`);
    await kith().settle();
    assert.equal((await fetch(after.url)).status, 404);
  });

  test("an invalid status is refused, and nothing is published", async () => {
    const { who, app } = await client();
    const before = await kith().snapshot();
    const refused = (body: Record<string, unknown>, error: RegExp) =>
      app.refused("POST", "/v1/statuses", 422, error, body);
    await refused({}, /^Validation failed: Text can't be blank$/);
    await refused({ status: " " }, /blank/);
    await refused({ status: "x", visibility: "secret" }, /Visibility/);
    await refused({ status: { a: 1 } }, /status must be a text/);
    await app.notFound("POST", "/v1/statuses", {
      ...{ status: "x", in_reply_to_id: "1" },
    });
    await app.notFound("GET", "/v1/statuses/abc");
    await app.notFound("GET", `/v1/statuses/${"9".repeat(19)}`);
    assert.deepEqual(await kith().snapshot(), before, who.username);
  });

  test("a reply with a poll or a quote is refused before anything is written, one with a picture has it", async () => {
    const { app } = await client();
    const { id } = await app.write("a post");
    const reply = await app.write("re", { in_reply_to_id: id });
    const media = await app.upload();
    const before = await kith().snapshot();
    const below = { status: "look", in_reply_to_id: id };
    const poll = { options: ["a", "b"], expires_in: 600 };
    const at = new Date(kith().clock.now().getTime() + 3_600_000);
    for (const [more, error] of [
      [{ poll }, /no poll/],
      [{ quoted_status_id: id }, /no quote/],
      [
        { media_ids: [media.id], scheduled_at: at.toISOString() },
        /A reply cannot be scheduled/,
      ],
    ] as const)
      await app.refused("POST", "/v1/statuses", 422, error, {
        ...below,
        ...more,
      });
    const path = `/v1/statuses/${reply.id}`;
    assert.deepEqual(await kith().snapshot(), before);
    const idsOf = ({ media_attachments: all }: StatusRecord) =>
      all.map((it) => it.id);
    // Without a word, and only where it is meant to be shown.
    const mute = await app.write("", {
      ...{ in_reply_to_id: id, media_ids: [media.id], sensitive: true },
    });
    assert.deepEqual(idsOf(mute), [media.id]);
    assert.deepEqual(
      [mute.content, mute.sensitive, mute.spoiler_text],
      ["", true, "NSFW"],
    );
    await app.refused("DELETE", `/v1/media/${media.id}`, 422, /used by/);
    const [one, two] = [await app.upload(), await app.upload()];
    kith().clock.advance(2_000);
    const changed = await app.put<StatusRecord>(path, {
      ...{ status: "changed", media_ids: [two.id, one.id] },
    });
    assert.deepEqual(idsOf(changed), [two.id, one.id]);
    kith().clock.advance(2_000);
    const described = await app.put<StatusRecord>(path, {
      status: "changed",
      media_attributes: [{ id: two.id, description: "a square" }],
    });
    assert.equal(described.media_attachments[0]?.description, "a square");
    kith().clock.advance(2_000);
    const left = await app.put<StatusRecord>(path, {
      ...{ status: "changed", media_ids: [two.id] },
    });
    assert.deepEqual(idsOf(left), [two.id]);
    await app.refused("PUT", path, 404, /not found/i, {
      media_attributes: [{ id: media.id, description: "of another reply" }],
    });
    const history = await app.get<StatusRecord[]>(`${path}/history`);
    assert.equal(history.length, 4);
    assert.deepEqual(history.at(-1)?.media_attachments, left.media_attachments);
    const { descendants } = await app.get<{ descendants: StatusRecord[] }>(
      `/v1/statuses/${id}/context`,
    );
    assert.deepEqual(descendants.map(idsOf), [[two.id], [media.id]]);
    // The program writes it again with the same picture, at another address.
    const deleted = await app.delete<StatusRecord>(path);
    assert.deepEqual(idsOf(deleted), [two.id]);
    const again = await app.write("again", {
      ...{ in_reply_to_id: id, media_ids: [two.id] },
    });
    assert.deepEqual(idsOf(again), [two.id]);
    const [goneUrl, shownUrl] = [left, again].map(
      (it) => it.media_attachments[0]?.url ?? "",
    );
    assert.equal((await fetch(goneUrl ?? "")).status, 404);
    assert.equal((await fetch(shownUrl ?? "")).status, 200);
    await app.delete(`/v1/statuses/${again.id}?delete_media=true`);
    await app.notFound("GET", `/v1/media/${two.id}`);
  });

  test("a text is rendered for the people who are there when it is read", async () => {
    const { app } = await client();
    const handle = `latecomer@${new URL(kith().baseUrl).host}`;
    const { id, content = "" } = await app.write(`hi *you*, @${handle}`);
    assert.match(content, /<em>you<\/em>/);
    assert.doesNotMatch(content, /href/);
    await kith().person({ handle: "latecomer" });
    const later = await app.get<StatusRecord>(`/v1/statuses/${id}`);
    assert.match(later.content ?? "", /href="[^"]*\/u\/latecomer"/);
    const same = await app.write("no *name* #tea");
    const again = await app.get<StatusRecord>(`/v1/statuses/${same.id}`);
    assert.equal(again.content, same.content);
    assert.match(again.content ?? "", /<em>name<\/em>/);
  });
});

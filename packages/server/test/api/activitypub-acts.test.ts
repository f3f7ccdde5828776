import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { runReportsCommand } from "../../src/cli/commands/moderation/report-commands.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  ask,
  objectOf,
  read,
  walk,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { textIn } from "../support/scenes/planners.ts";
import { aspectOf } from "../support/scenes/planning.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Version = { Text: string; WrittenAt: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`actor${++names}`);
  const followed = async (by: TestPerson): Promise<RemoteActor> => {
    const other = stranger();
    await sendFollow(kith(), by, other);
    return other;
  };
  const published = async (by: RemoteActor, members: JsonObject = {}) => {
    const object = by.note(members);
    await by.deliver(kith(), by.activity("Create", { object, to: [PUBLIC] }));
    return object as JsonObject & { id: string };
  };
  const postOf = async (by: TestPerson, uri: string) => {
    const post = await kith().server.features.posts.find({ uri });
    assert.ok(post, uri);
    return by.get<PostRecord>(`/posts/${post.guid}`);
  };

  const answersTo = ({ id }: JsonObject) =>
    remote.delivered
      .map(({ activity }) => activity)
      .filter(
        ({ object }) => (object as JsonObject | undefined)?.["id"] === id,
      );
  const askToQuote = async (
    by: RemoteActor,
    quoted: string,
    members: JsonObject = {},
  ) => {
    const note = by.note({ quote: quoted });
    const request = by.activity("QuoteRequest", {
      object: quoted,
      instrument: note,
      ...members,
    });
    await by.deliver(kith(), request);
    return { request, note, answers: answersTo(request) };
  };

  test("everyone may quote public posts, with an authorization", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const post = await ann.post<PostRecord>("/posts", { post: "wise words" });
    const quoted = objectOf(kith(), post.Guid);
    const { request, note, answers } = await askToQuote(eve, quoted);
    const [accept] = answers;
    assert.equal(answers.length, 1);
    assert.equal(accept?.["type"], "Accept");
    assert.equal(accept["actor"], actorOf(kith(), ann.username));
    const echo = accept["object"] as JsonObject;
    assert.equal(echo["type"], "QuoteRequest");
    assert.equal(echo["instrument"], note["id"]);
    const id = textIn(accept["result"]);
    const leave = await read(id);
    assert.equal(leave["id"], id);
    assert.equal(leave["type"], "QuoteAuthorization");
    assert.equal(leave["attributedTo"], actorOf(kith(), ann.username));
    assert.equal(leave["interactingObject"], note["id"]);
    assert.equal(leave["interactionTarget"], quoted);
    const policy = (await read(quoted))["interactionPolicy"] as JsonObject;
    assert.deepEqual(policy["canQuote"], { automaticApproval: [PUBLIC] });
    const listed = await walk(`${actorOf(kith(), ann.username)}/outbox`, ann);
    assert.ok(!JSON.stringify(listed).includes(`"id":"${id}"`));
    await eve.deliver(kith(), request);
    assert.equal(answersTo(request).length, 1);
    await ann.delete(`/posts/${post.Guid}`);
    assert.equal((await ask(id)).status, 404);
  });

  test("a comment may be quoted as its post may be", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const post = await ann.post<PostRecord>("/posts", { post: "hello" });
    const comment = await ann.post<CommentRecord>(
      `/posts/${post.ID}/comments`,
      { comment: "indeed" },
    );
    const quoted = objectOf(kith(), comment.Guid);
    const { answers } = await askToQuote(eve, quoted);
    assert.equal(answers[0]?.["type"], "Accept");
    assert.equal(
      (await read(textIn(answers[0]["result"])))["type"],
      "QuoteAuthorization",
    );
    await ann.delete(`/comments/${comment.Guid}`);
    assert.equal((await ask(textIn(answers[0]["result"]))).status, 404);
  });

  test("a limited post cannot be quoted, and a hidden one gets no answer", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [await followed(ann), stranger()];
    const [aspect] = await ann.get<{ ID: number }[]>("/aspects");
    const post = await ann.post<PostRecord>("/posts", {
      post: "between us",
      aspectID: aspect?.ID ?? 0,
    });
    assert.equal(post.Public, false);
    await kith().settle();
    const quoted = objectOf(kith(), post.Guid);
    const refused = await askToQuote(eve, quoted);
    assert.deepEqual(
      refused.answers.map(({ type, result }) => [type, result]),
      [["Reject", undefined]],
    );
    assert.deepEqual((await askToQuote(mallory, quoted)).answers, []);
    const unknown = objectOf(kith(), "0".repeat(32));
    assert.deepEqual((await askToQuote(mallory, unknown)).answers, []);
  });

  test("a quote is authorized only for the requester's own post that quotes the requested one", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [stranger(), stranger()];
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "mine" });
    const quoted = objectOf(kith(), Guid);
    for (const instrument of [
      eve.note({ quote: quoted }),
      mallory.note({ quote: "https://elsewhere.example/1" }),
      mallory.note({ quote: quoted, id: "https://elsewhere.example/2" }),
      "https://elsewhere.example/3",
      `${remote.origin}/notes/gone`,
    ]) {
      const { answers } = await askToQuote(mallory, quoted, { instrument });
      assert.deepEqual(
        answers.map(({ type }) => type),
        ["Reject"],
        JSON.stringify(instrument),
      );
    }
    const served = mallory.note({ quote: quoted });
    remote.documents.set(textIn(served["id"]), served);
    const instrument = textIn(served["id"]);
    const { answers } = await askToQuote(mallory, quoted, { instrument });
    assert.equal(answers[0]?.["type"], "Accept");
  });

  test("a quote is shown with a link to the quoted post, once", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const quoted = "https://elsewhere.example/notes/1";
    const bare = await published(eve, { content: "look", quoteUrl: quoted });
    assert.equal((await postOf(ann, bare.id)).Text, `look\n\nRE: <${quoted}>`);
    const named = await published(eve, {
      content: `<p>look</p><p class="quote-inline">RE: <a href="https://elsewhere.example/@x/1">x</a></p>`,
      quote: quoted,
    });
    const { Text } = await postOf(ann, named.id);
    assert.equal(Text.split("RE:").length, 2, Text);
  });

  test("other objects than Notes are shown with their title, and a link to unsupported media", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const page = `${remote.origin}/w/1`;
    const linked = "https://soil.example/a";
    const film = { name: "Bees", url: page, content: "**are** nice" };
    for (const [members, text] of [
      [
        { ...film, type: "Video", mediaType: "text/markdown" },
        `## Bees\n\n**are** nice\n\n<${page}>`,
      ],
      [
        {
          type: "Audio",
          name: "Hum",
          content: "",
          summary: "<p>ten bees</p>",
          url: page,
        },
        `## Hum\n\nten bees\n\n<${page}>`,
      ],
      [
        {
          type: "Page",
          name: "Soil",
          attachment: [{ type: "Link", href: linked }],
        },
        `## Soil\n\nfrom elsewhere\n\n<${linked}>`,
      ],
      [
        {
          type: "Article",
          name: "Long",
          content: "",
          summary: "Teaser…",
          url: page,
        },
        `## Long\n\nTeaser…\n\n<${page}>`,
      ],
      [
        {
          type: "Article",
          name: "Long",
          content: "<p>all of it</p>",
          summary: "Teaser…",
        },
        "## Long\n\nall of it",
      ],
    ] as const) {
      const { id } = await published(eve, members);
      const { Text } = await postOf(ann, id);
      assert.equal(Text.replace(/\n{3,}/g, "\n\n"), text);
    }
  });

  test("an actor pins its own posts in its own collection, and no one else does", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [await followed(ann), await followed(ann)];
    const featured = `${eve.id}/collections/featured`;
    eve.profile = { featured };
    mallory.profile = { featured: `${mallory.id}/collections/featured` };
    const { id } = await published(eve);
    const theirs = await published(mallory);
    const isPinned = async (uri: string) =>
      (await kith().server.features.posts.find({ uri }))?.pinnedAt !== null;
    const isShownPinned = async (uri: string) => {
      const { Guid } = await postOf(ann, uri);
      const page = await fetch(`${kith().baseUrl}/posts/${Guid}`);
      return />\s*Pinned\s*</.test(await page.text());
    };
    const pin = async (
      by: RemoteActor,
      object: string,
      target: string,
      type = "Add",
    ) => {
      // Mastodon gives these no id.
      const { id: _, ...bare } = by.activity(type, { object, target });
      await by.deliver(kith(), bare);
    };
    await pin(mallory, id, featured);
    await pin(mallory, id, `${mallory.id}/collections/featured`);
    await pin(eve, id, `${eve.id}/collections/other`);
    await pin(eve, theirs.id, featured);
    assert.deepEqual(
      [await isPinned(id), await isPinned(theirs.id)],
      [false, false],
    );
    await pin(eve, id, featured);
    assert.equal(await isPinned(id), true);
    assert.deepEqual(
      [await isShownPinned(id), await isShownPinned(theirs.id)],
      [true, false],
    );
    await pin(mallory, id, featured, "Remove");
    assert.equal(await isPinned(id), true);
    await pin(eve, id, featured, "Remove");
    assert.equal(await isPinned(id), false);
    assert.equal(await isShownPinned(id), false);
  });

  test("a Flag reaches the moderators, and those alone", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const post = await ann.post<PostRecord>("/posts", { post: "rude" });
    const object = objectOf(kith(), post.Guid);
    const actor = actorOf(kith(), ann.username);
    const content = "Please\n\tlook \u001b[2Jat this";
    const flag = eve.activity("Flag", { object: [actor, object], content });
    await eve.deliver(kith(), flag);
    await eve.deliver(kith(), flag);
    await eve.deliver(
      kith(),
      eve.activity("Flag", { object, content: "the post" }),
    );
    for (const nothing of [eve.id, objectOf(kith(), "0".repeat(32))])
      await eve.deliver(kith(), eve.activity("Flag", { object: nothing }));
    const lines: string[] = [];
    const { moderation } = kith().server.features;
    await runReportsCommand(moderation, ["list"], (line) => lines.push(line));
    const ours = lines
      .map((line) => line.split("\t").slice(2))
      .filter(([, handle]) => handle === ann.handle);
    const { host } = new URL(remote.origin);
    assert.deepEqual(ours, [
      [
        host,
        ann.handle,
        "Please look  [2Jat this",
        `${actor} ${object}`,
        "open",
      ],
      [host, ann.handle, "the post", object, "open"],
    ]);
    assert.deepEqual(await ann.get<NotificationRecord[]>("/notifications"), []);
    await assert.rejects(runReportsCommand(moderation, [], () => undefined));
  });

  test("an emoji reaction is stored separately from likes, and undone by its id", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [stranger(), stranger()];
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const object = objectOf(kith(), post.Guid);
    const { posts, reactions } = kith().server.features;
    const given = async () => {
      const found = await posts.find({ guid: post.Guid });
      assert.ok(found);
      const list = await reactions.list({ postId: found.id, commentId: null });
      return list.map(({ emoji, emojiUrl }) => [emoji, emojiUrl]);
    };
    const likes = async () =>
      (await ann.get<PostRecord>(`/posts/${post.ID}`)).LikesCount;
    const fire = eve.activity("EmojiReact", { object, content: "🔥" });
    const blob = eve.activity("EmojiReact", {
      object,
      content: ":blob:",
      tag: {
        type: "Emoji",
        name: ":blob:",
        icon: { type: "Image", url: "https://x.example/blob.png" },
      },
    });
    const like = eve.activity("Like", { object, content: "👍" });
    for (const one of [fire, fire, blob, like]) await eve.deliver(kith(), one);
    assert.deepEqual(await given(), [
      ["🔥", null],
      [":blob:", "https://x.example/blob.png"],
      ["👍", null],
    ]);
    assert.equal(await likes(), 1);
    const undo = (by: RemoteActor, undone: JsonObject) =>
      by.deliver(kith(), by.activity("Undo", { object: undone["id"] ?? null }));
    await undo(mallory, fire);
    assert.equal((await given()).length, 3);
    await undo(eve, fire);
    await undo(eve, like);
    assert.deepEqual(await given(), [[":blob:", "https://x.example/blob.png"]]);
    assert.equal(await likes(), 0);
    const early = eve.activity("EmojiReact", { object, content: "🙈" });
    await undo(eve, early);
    await eve.deliver(kith(), early);
    assert.equal((await given()).length, 1);
  });

  test("activities that arrive before their post are deferred, if both are of one server", async () => {
    const ann = await kith().person();
    const [carol, dave] = [await followed(ann), await followed(ann)];
    const note = dave.note() as JsonObject & { id: string };
    const liked = carol.activity("Like", { object: note.id });
    const answer = carol.note({ inReplyTo: note.id });
    const said = carol.activity("Create", { object: answer, to: [PUBLIC] });
    for (const early of [liked, said]) await carol.deliver(kith(), early);
    const created = dave.activity("Create", { object: note, to: [PUBLIC] });
    await dave.deliver(kith(), created);
    const post = await postOf(ann, note.id);
    assert.deepEqual([post.LikesCount, post.CommentsCount], [1, 1]);
  });

  test("people who may not see a post cannot react to it", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = stranger();
    const aspectID = await aspectOf(ann, bob);
    const { Guid } = await ann.post<PostRecord>("/posts", {
      post: "hush",
      aspectID,
    });
    const object = objectOf(kith(), Guid);
    await eve.deliver(
      kith(),
      eve.activity("EmojiReact", { object, content: "👀" }),
    );
    const post = await kith().server.features.posts.find({ guid: Guid });
    assert.ok(post);
    const place = { postId: post.id, commentId: null };
    assert.deepEqual(await kith().server.features.reactions.list(place), []);
  });

  test("previous versions of edited texts are visible to those who see the post", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = await followed(ann);
    const to = [actorOf(kith(), ann.username)];
    const note = await published(eve, { content: "first", to });
    const edit = async (object: JsonObject) => {
      await eve.deliver(kith(), eve.activity("Update", { object, to }));
    };
    await edit({ ...note, content: "second", updated: "2026-01-03T00:00:00Z" });
    await edit({ ...note, content: "second", updated: "2026-01-04T00:00:00Z" });
    await edit({ ...note, content: "third", updated: "2026-01-05T00:00:00Z" });
    await edit({ ...note, content: "late", updated: "2026-01-02T00:00:00Z" });
    const post = await postOf(ann, note.id);
    assert.equal(post.Text, "third");
    for (const name of [post.ID, post.Guid]) {
      const versions = await ann.get<Version[]>(`/posts/${name}/history`);
      assert.deepEqual(
        versions.map(({ Text, WrittenAt }) => [Text, WrittenAt]),
        [
          ["second", "2026-01-04T00:00:00.000Z"],
          ["first", "2026-01-02T03:04:05.000Z"],
        ],
      );
    }
    const [newest] = await ann.get<Version[]>(
      `/posts/${post.ID}/history?limit=1`,
    );
    assert.equal(newest?.Text, "second");
    await bob.notFound("GET", `/posts/${post.ID}/history`);
    await eve.deliver(kith(), eve.activity("Delete", { object: note.id }));
    await ann.notFound("GET", `/posts/${post.ID}/history`);
  });

  test("a comment has a history of its own", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const inReplyTo = objectOf(kith(), post.Guid);
    const note = await published(eve, { content: "first", inReplyTo });
    const object = {
      ...note,
      content: "second",
      updated: "2026-01-03T00:00:00Z",
    };
    await eve.deliver(kith(), eve.activity("Update", { object, to: [PUBLIC] }));
    const [comment] = await ann.get<CommentRecord[]>(
      `/posts/${post.ID}/comments`,
    );
    assert.equal(comment?.Text, "second");
    const versions = await ann.get<Version[]>(
      `/comments/${comment.Guid}/history`,
    );
    assert.deepEqual(
      versions.map(({ Text }) => Text),
      ["first"],
    );
    assert.deepEqual(await ann.get(`/posts/${post.ID}/history`), []);
  });
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

const ABSENT = "0123456789abcdef0123456789abcdef";

let kith: PagesServer;
let names = 0;

const newName = () => `person${(names += 1)}`;
const userOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  return { personId: id, userId: userId ?? assert.fail() };
};
const withToken = (
  { csrf_token }: User,
  form: Record<string, string> = {},
) => ({
  csrf_token,
  ...form,
});

/** A post to everyone, or to nobody but its author. */
async function publish(by: User, audience: "everyone" | "nobody") {
  const author = await userOf(by);
  const { userId } = author;
  const aspect = await kith.aspects.create(userId, newName());
  const post = await kith.posts.publish({
    author,
    text: "the post",
    audience:
      audience === "everyone"
        ? { kind: "everyone" }
        : { kind: "aspects", aspectIds: [aspect.id] },
  });
  return { ...post, path: `/posts/${post.guid}` };
}

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = async () => ({
    author: await newUser(kith.baseUrl, newName()),
    reader: await newUser(kith.baseUrl, newName()),
  });

  test("a comment and an answer to it are written and shown", async () => {
    const { author, reader } = await meet();
    const { path } = await publish(author, "everyone");
    const form = hiddenFields(await reader.get(path), `${path}/comments`);
    const text = "*first* <b>words</b>";
    const sent = await reader.post(`${path}/comments`, { ...form, text });
    assert.equal(sent.status, 302);
    const [, guid = ""] =
      /^\/posts\/[0-9a-f]{32}#([0-9a-f]{32})$/.exec(
        sent.headers.get("location") ?? "",
      ) ?? [];
    assert.match(
      (await author.get(path)).text,
      /<em>first<\/em> &lt;b&gt;words/,
    );
    const page = await author.get(`${path}?answer=${guid}`);
    const answer = hiddenFields(page, `${path}/comments`);
    assert.equal(answer["answer"], guid);
    await author.post(`${path}/comments`, { ...answer, text: "to you" });
    const post = await kith.posts.find({ guid: path.slice(7) });
    const [, second] = await kith.comments.list(
      post?.id ?? assert.fail(),
      { offset: 0, limit: 9 },
      null,
    );
    assert.equal(second?.text, "to you");
    assert.equal(second.parentGuid, guid);
  });

  test("the comment after a full page is shown where the form leads", async () => {
    const { author } = await meet();
    const { path, guid } = await publish(author, "everyone");
    const by = await userOf(author);
    for (let n = 1; n <= 50; n += 1)
      await kith.comments.create({
        author: by,
        on: { guid },
        text: `no. ${n}`,
      });
    const form = withToken(author, { text: "the last" });
    const sent = await author.post(`${path}/comments`, form);
    const to = sent.headers.get("location") ?? "";
    assert.match(to, /\?after=\d+#/);
    assert.match((await author.get(to.split("#")[0] ?? "")).text, /the last/);
  });

  test("a comment that cannot be published is kept in the form", async () => {
    const { author, reader } = await meet();
    const { path } = await publish(author, "everyone");
    const to = `${path}/comments`;
    const faults: readonly [Record<string, string>, number, RegExp][] = [
      [withToken(reader, { text: " " }), 422, /Write something first/],
      [withToken(reader, { text: "x".repeat(70_000) }), 422, /at most/],
      [withToken(reader, { text: "kept", answer: ABSENT }), 422, /is gone/],
      [withToken(reader, { text: "kept", answer: "x'" }), 422, /is gone/],
      [withToken(author, { text: "kept" }), 403, /out of date/],
      [{ text: "kept" }, 403, /out of date/],
    ];
    for (const [form, status, words] of faults) {
      const refused = await reader.post(to, form);
      assert.equal(refused.status, status, words.source);
      assert.match(refused.text, words);
      const { text = "" } = form;
      assert.ok(refused.text.includes(`>\n${text}</textarea>`), "it is kept");
    }
    assert.match((await reader.get(path)).text, /No comments yet/);
    assert.equal((await reader.get(`${path}?answer=${ABSENT}`)).status, 404);
  });

  test("the draft of a comment survives the end of the session", async () => {
    const { author, reader } = await meet();
    const { path } = await publish(author, "everyone");
    const stranger = visitor(kith.baseUrl);
    const asked = await stranger.post(`${path}/comments`, { text: "my words" });
    assert.equal(asked.status, 401);
    const { username, password } = reader;
    const back = hiddenFields(asked, "/users/sign_in");
    const signIn = { ...back, username, password };
    const shown = await stranger.post("/users/sign_in", signIn);
    assert.equal(shown.status, 200);
    assert.match(shown.text, />\nmy words<\/textarea>/);
    assert.match(shown.text, /had been signed out/);
    const form = hiddenFields(shown, `${path}/comments`);
    await stranger.post(`${path}/comments`, { ...form, text: "my words" });
    assert.match((await author.get(path)).text, /my words/);
  });

  test("posts and comments are liked, and a like is taken back, from any page", async () => {
    const { author, reader } = await meet();
    const { path, guid } = await publish(author, "everyone");
    const by = await userOf(author);
    const comment = await kith.comments.create({
      ...{ author: by, on: { guid }, text: "a comment" },
    });
    const things: readonly [string, string, string][] = [
      [path, path, `${path}#post-${guid}`],
      [`/u/${author.username}`, path, `/u/${author.username}#post-${guid}`],
      [path, `/comments/${comment.guid}`, `${path}#${comment.guid}`],
    ];
    for (const [page, thing, to] of things) {
      const like = hiddenFields(await reader.get(page), `${thing}/like`);
      // The server adds the place of the post itself.
      const sent = thing === path ? page : to;
      assert.equal(like["to"], sent);
      for (const time of ["once", "twice"]) {
        const liked = await reader.post(`${thing}/like`, like);
        assert.equal(liked.headers.get("location"), to, time);
      }
      const shown = await reader.get(page);
      assert.match(shown.text, /1 like\b/);
      const unlike = hiddenFields(shown, `${thing}/unlike`);
      for (const time of ["once", "twice"]) {
        const unliked = await reader.post(`${thing}/unlike`, unlike);
        assert.equal(unliked.headers.get("location"), to, time);
      }
      assert.doesNotMatch((await reader.get(page)).text, /1 like\b/);
    }
  });

  test("a public post is reshared once, and not by its author", async () => {
    const { author, reader } = await meet();
    const { path } = await publish(author, "everyone");
    assert.doesNotMatch((await author.get(path)).text, /\/reshare"/);
    const form = hiddenFields(await reader.get(path), `${path}/reshare`);
    for (const time of ["once", "twice"])
      assert.equal(
        (await reader.post(`${path}/reshare`, form)).status,
        302,
        time,
      );
    const page = await reader.get(path);
    assert.match(page.text, /"Undo the reshare of the post by [^"]+"/);
    const { csrf_token } = reader;
    await reader.post(`${path}/bookmark`, { csrf_token });
    assert.match(
      (await reader.get(path)).text,
      /"Remove the bookmark of the post by [^"]+"/,
    );
    assert.doesNotMatch(page.text, /\/reshare"/);
    const own = await reader.get(`/u/${reader.username}`);
    assert.equal(own.text.match(/the post</g)?.length, 1);
  });

  test("the page of a reshare leads to the conversation below the original", async () => {
    const { author, reader } = await meet();
    const { path, guid } = await publish(author, "everyone");
    const by = await userOf(reader);
    const reshare = await kith.posts.reshare(by, guid);
    const page = () => reader.get(`/posts/${reshare.guid}`);
    const alone = (await page()).text;
    assert.match(
      alone,
      RegExp(`href="${path}#comments"[^>]*>Comments on the original post<`),
    );
    assert.doesNotMatch(alone, /No comments yet|Write a comment/);
    await kith.comments.create({
      ...{ author: by, on: { guid: reshare.guid }, text: "on the reshare" },
    });
    const commented = (await page()).text;
    assert.match(commented, /on the reshare/);
    assert.match(commented, /Write a comment/);
  });

  test("nobody acts on what they do not see, nor without the token of a form", async () => {
    const { author, reader } = await meet();
    const hidden = await publish(author, "nobody");
    const comment = await kith.comments.create({
      author: await userOf(author),
      on: { guid: hidden.guid },
      text: "hidden, too",
    });
    const seen = await publish(author, "everyone");
    const acts = ["comments", "like", "unlike", "reshare"];
    const ofComment = ["like", "unlike"];
    const pathsOf = (post: string, of: string) => [
      ...acts.map((act) => `/posts/${post}/${act}`),
      ...ofComment.map((act) => `/comments/${of}/${act}`),
    ];
    const form = withToken(reader, { text: "words", to: "/home" });
    for (const [post, of] of [
      [hidden.guid, comment.guid],
      [ABSENT, ABSENT],
      ["%00", "x'"],
    ] as const)
      for (const path of pathsOf(post, of))
        assert.equal((await reader.post(path, form)).status, 404, path);
    const forged = { ...form, csrf_token: author.csrf_token };
    for (const path of pathsOf(seen.guid, comment.guid))
      assert.equal((await reader.post(path, forged)).status, 403, path);
    const stranger = visitor(kith.baseUrl);
    for (const path of pathsOf(seen.guid, comment.guid))
      assert.match(
        (await stranger.post(path, { text: "" })).text +
          String((await stranger.post(path, {})).headers.get("location")),
        /sign_in/,
      );
    const page = await stranger.get(seen.path);
    assert.match(page.text, /No comments yet/);
    assert.match(page.text, /0 likes/);
    assert.match(page.text, /Sign in to comment/);
    const author2 = await author.get(hidden.path);
    assert.doesNotMatch(author2.text, /words|1 like\b/);
  });

  test("an act leads to no other server", async () => {
    const { author, reader } = await meet();
    const { path, guid } = await publish(author, "everyone");
    for (const to of ["https://evil.example/", "//evil.example", "/\\evil"]) {
      const liked = await reader.post(
        `${path}/like`,
        withToken(reader, { to }),
      );
      const location = liked.headers.get("location");
      assert.equal(location, `/home#post-${guid}`, to);
    }
  });
});

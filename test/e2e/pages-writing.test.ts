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

let kith: PagesServer;
let names = 0;

const newName = () => `writer${(names += 1)}`;
const userOf = async ({ username }: User) => {
  const handle = `${username}@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  return { personId: id, userId: userId ?? assert.fail() };
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  /** A post with a comment by another person. */
  const write = async () => {
    const author = await newUser(kith.baseUrl, newName());
    const reader = await newUser(kith.baseUrl, newName());
    const post = await kith.posts.publish({
      author: await userOf(author),
      text: "Frist words",
      audience: { kind: "everyone" },
    });
    const comment = await kith.comments.create({
      author: await userOf(reader),
      on: { guid: post.guid },
      text: "Me to",
    });
    return { author, reader, post, comment };
  };

  test("an author edits a post and a comment; what was wrong is said, and kept", async () => {
    const { author, reader, post, comment } = await write();
    for (const [by, path, back, old] of [
      [author, `/posts/${post.guid}`, `/posts/${post.guid}`, "Frist words"],
      [
        reader,
        `/comments/${comment.guid}`,
        `/comments/${comment.guid}`,
        "Me to",
      ],
    ] as const) {
      const page = await by.get(`${path}/edit`);
      assert.equal(page.status, 200);
      assert.match(page.text, RegExp(old));
      // Its audience is said, and stays.
      const audience = path.startsWith("/posts/")
        ? /Who sees it, as before: Everyone/
        : /Anybody on the web can read your comment/;
      assert.match(page.text, audience);
      const fields = hiddenFields(page, `${path}/edit`);
      const blank = await by.post(`${path}/edit`, { ...fields, text: " " });
      assert.equal(blank.status, 422);
      assert.match(blank.text, /Write something first/);
      const long = { ...fields, text: "ok", warning: "w".repeat(5000) };
      const refused = await by.post(`${path}/edit`, long);
      assert.equal(refused.status, 422);
      assert.match(refused.text, /id="warning-fault">[^<]*at most 500/);
      assert.doesNotMatch(refused.text, /id="text"[^>]*aria-invalid/);
      const saved = await by.post(`${path}/edit`, {
        ...{ ...fields, text: "Better <words>", warning: "Grammar" },
      });
      assert.equal(saved.headers.get("location"), back);
    }
    const { text } = await reader.get(`/posts/${post.guid}`);
    assert.equal(text.match(/Better/g)?.length, 2);
    assert.equal(text.match(/<summary dir="auto">Grammar/g)?.length, 2);
    assert.doesNotMatch(text, /Frist|Me to/);
  });

  test("an expired form, and one that is sent signed out, keep the words", async () => {
    const { author, post } = await write();
    const path = `/posts/${post.guid}/edit`;
    const draft = { text: "Kept words", warning: "Kept warning" };
    const expired = await author.post(path, { ...draft, csrf_token: "old" });
    assert.equal(expired.status, 403);
    assert.match(expired.text, /out of date/);
    assert.match(expired.text, /Kept words/);
    const guest = visitor(kith.baseUrl);
    const asked = await guest.post(path, draft);
    assert.match(asked.text, /Your text is kept/);
    const { username, password } = author;
    const resumed = await guest.post("/users/sign_in", {
      ...hiddenFields(asked, "/users/sign_in"),
      ...{ username, password },
    });
    assert.match(resumed.text, /You had been signed out/);
    assert.match(resumed.text, /Kept words/);
    assert.match(resumed.text, /Kept warning/);
    const fields = hiddenFields(resumed, path);
    assert.equal((await guest.post(path, { ...fields, ...draft })).status, 302);
    const page = await author.get(`/posts/${post.guid}`);
    assert.match(page.text, /Kept words/);
  });

  test("a post and a comment are deleted after one question", async () => {
    const { author, reader, post, comment } = await write();
    const path = `/comments/${comment.guid}/delete`;
    const asked = await reader.get(path);
    assert.match(asked.text, /Delete this comment\?/);
    assert.match((await reader.get(`/posts/${post.guid}`)).text, /Me to/);
    const done = await reader.post(path, hiddenFields(asked, path));
    assert.equal(done.headers.get("location"), `/posts/${post.guid}`);
    assert.doesNotMatch(
      (await author.get(`/posts/${post.guid}`)).text,
      /Me to/,
    );
    const own = `/posts/${post.guid}/delete`;
    const fields = hiddenFields(await author.get(own), own);
    const gone = await author.post(own, fields);
    assert.equal(gone.headers.get("location"), "/home");
    assert.equal((await author.get(`/posts/${post.guid}`)).status, 404);
    assert.equal((await author.post(own, fields)).status, 404);
  });

  test("the author of a post deletes comments of others on it, but edits none", async () => {
    const { author, reader, post, comment } = await write();
    const links = (await author.get(`/posts/${post.guid}`)).text;
    assert.match(links, RegExp(`/comments/${comment.guid}/delete`));
    assert.doesNotMatch(links, RegExp(`/comments/${comment.guid}/edit`));
    const { csrf_token } = author;
    const path = `/comments/${comment.guid}`;
    const edited = { csrf_token, text: "Not theirs" };
    assert.equal((await author.post(`${path}/edit`, edited)).status, 404);
    assert.equal((await author.get(`${path}/edit`)).status, 404);
    const done = await author.post(`${path}/delete`, { csrf_token });
    assert.equal(done.status, 302);
    assert.doesNotMatch(
      (await reader.get(`/posts/${post.guid}`)).text,
      /Me to/,
    );
  });

  test("nobody edits or deletes other people's, nor without the token of a form", async () => {
    const { author, reader, post, comment } = await write();
    const third = await newUser(kith.baseUrl, newName());
    for (const [by, path] of [
      [reader, `/posts/${post.guid}`],
      [third, `/posts/${post.guid}`],
      [third, `/comments/${comment.guid}`],
      [third, "/posts/0123456789abcdef0123456789abcdef"],
      [third, "/comments/x"],
    ] as const) {
      const { csrf_token } = by;
      for (const act of ["edit", "delete"]) {
        const to = `${path}/${act}`;
        assert.equal((await by.get(to)).status, 404, to);
        const sent = await by.post(to, { csrf_token, text: "Mine now" });
        assert.equal(sent.status, 404, to);
      }
    }
    assert.equal(
      (await author.post(`/posts/${post.guid}/delete`, {})).status,
      403,
    );
    const page = await author.get(`/posts/${post.guid}`);
    assert.match(page.text, /Frist words/);
    assert.match(page.text, /Me to/);
  });
});

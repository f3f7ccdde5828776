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

const newName = () => `keeper${(names += 1)}`;
const personOf = async ({ username }: User) =>
  (await kith.people.find({ handle: `${username}@${kith.host}` })) ??
  assert.fail();
const userOf = async (user: User) => {
  const { id, userId } = await personOf(user);
  return { personId: id, userId: userId ?? assert.fail() };
};

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = async () => {
    const author = await newUser(kith.baseUrl, newName());
    const reader = await newUser(kith.baseUrl, newName());
    return { author, reader };
  };
  const publish = async (by: User, text: string) => {
    const author = await userOf(by);
    const post = await kith.posts.publish({
      ...{ author, text, audience: { kind: "everyone" } },
    });
    return { ...post, path: `/posts/${post.guid}` };
  };

  test("a post is bookmarked, found again, and let go", async () => {
    const { author, reader } = await meet();
    const { path } = await publish(author, "Worth keeping");
    const fields = hiddenFields(await reader.get(path), `${path}/bookmark`);
    for (const time of ["once", "twice"]) {
      const done = await reader.post(`${path}/bookmark`, fields);
      assert.equal(done.status, 302, time);
    }
    const kept = await reader.get("/bookmarks");
    assert.equal(kept.text.match(/Worth keeping/g)?.length, 1);
    assert.doesNotMatch((await author.get("/bookmarks")).text, /Worth/);
    const undo = hiddenFields(kept, `${path}/unbookmark`);
    assert.equal(undo["to"], "/bookmarks");
    for (const time of ["once", "twice"]) {
      const done = await reader.post(`${path}/unbookmark`, undo);
      const location = done.headers.get("location") ?? "";
      assert.match(location, /^\/bookmarks#post-/, time);
    }
    assert.match((await reader.get("/bookmarks")).text, /No bookmarks yet/);
    const nobody = await visitor(kith.baseUrl).get("/bookmarks");
    assert.equal(
      nobody.headers.get("location"),
      "/users/sign_in?to=%2Fbookmarks",
    );
  });

  test("a hidden post cannot be bookmarked", async () => {
    const { author, reader } = await meet();
    const by = await userOf(author);
    const aspect = await kith.aspects.create(by.userId, newName());
    const { guid } = await kith.posts.publish({
      ...{ author: by, text: "Hidden" },
      audience: { kind: "aspects", aspectIds: [aspect.id] },
    });
    const { csrf_token } = reader;
    for (const act of ["bookmark", "unbookmark", "vote", "unreshare"]) {
      const done = await reader.post(`/posts/${guid}/${act}`, { csrf_token });
      assert.equal(done.status, 404, act);
    }
    const open = await publish(author, "Open");
    assert.equal((await reader.post(`${open.path}/bookmark`, {})).status, 403);
    assert.match((await reader.get("/bookmarks")).text, /No bookmarks yet/);
  });

  test("one's own post is pinned above one's profile, and unpinned", async () => {
    const { author, reader } = await meet();
    const { path } = await publish(author, "Read this first");
    await publish(author, "And then this");
    const pinned = />\s*Pinned\s*</g;
    const profile = async (by: User) =>
      (await by.get(`/u/${author.username}`)).text;
    assert.equal((await profile(reader)).match(pinned), null);
    const pin = hiddenFields(await author.get(path), `${path}/pin`);
    for (const time of ["once", "twice"])
      assert.equal((await author.post(`${path}/pin`, pin)).status, 302, time);
    const text = await profile(reader);
    assert.equal(text.match(pinned)?.length, 1);
    assert.equal(text.match(/Read this first/g)?.length, 1);
    assert.ok(text.indexOf("Read this first") < text.indexOf("And then this"));
    const { csrf_token } = reader;
    const others = await reader.post(`${path}/pin`, { csrf_token });
    assert.equal(others.status, 404);
    const unpin = hiddenFields(await author.get(path), `${path}/unpin`);
    assert.equal((await author.post(`${path}/unpin`, unpin)).status, 302);
    assert.equal((await profile(reader)).match(pinned), null);
  });

  test("a reshare is undone", async () => {
    const { author, reader } = await meet();
    const { path, guid } = await publish(author, "Worth sharing");
    const { csrf_token } = reader;
    await reader.post(`${path}/reshare`, { csrf_token });
    const fields = hiddenFields(await reader.get(path), `${path}/unreshare`);
    const { personId } = await userOf(reader);
    assert.ok(await kith.posts.findReshareOf(guid, personId));
    for (const time of ["once", "twice"]) {
      const done = await reader.post(`${path}/unreshare`, fields);
      assert.equal(done.status, 302, time);
    }
    assert.equal(await kith.posts.findReshareOf(guid, personId), undefined);
    assert.equal((await reader.get(path)).status, 200);
  });

  test("a poll is voted in once, and shows its result afterwards", async () => {
    const { author, reader } = await meet();
    const attach = kith.polls.ask({
      ...{ question: "Tea or coffee?", answers: ["Tea", "Coffee"] },
      ...{ multiple: false, endsAt: undefined },
    });
    const { guid } = await kith.posts.publish({
      ...{ author: await userOf(author), text: "Poll" },
      audience: { kind: "everyone" },
      ...(attach && { attach }),
    });
    const path = `/posts/${guid}`;
    const page = await reader.get(path);
    const [tea = "", coffee = ""] = [
      ...page.text.matchAll(/name="answer"\s+value="([^"]+)"/g),
    ].map(([, answer]) => answer);
    const fields = hiddenFields(page, `${path}/vote`);
    const unknown = { ...fields, answer: "x" };
    assert.equal((await reader.post(`${path}/vote`, unknown)).status, 404);
    const blank = await reader.post(`${path}/vote`, fields);
    assert.equal(blank.status, 422);
    const beside =
      /<fieldset[^>]*aria-describedby="vote-fault"[^>]*>[^]*Choose an answer first/;
    assert.match(blank.text, beside);
    assert.match(blank.text, /name="answer"/);
    const program = { accept: "application/json" };
    const refused = await reader.post(`${path}/vote`, fields, program);
    assert.equal(refused.status, 400);
    for (const time of ["once", "twice"]) {
      const done = await reader.post(`${path}/vote`, {
        ...fields,
        answer: tea,
      });
      assert.equal(done.status, 302, time);
    }
    const other = await reader.post(`${path}/vote`, {
      ...{ ...fields, answer: coffee },
    });
    assert.equal(other.status, 422);
    assert.match(other.text, /you have voted already/);
    const voted = await reader.get(path);
    assert.match(
      voted.text,
      /Tea<\/bdi>\s*<span class="quiet"\s*>1 vote · 100% · Your choice/,
    );
    assert.match(voted.text, /1 person voted/);
    assert.doesNotMatch(voted.text, /name="answer"/);
    assert.doesNotMatch((await author.get(path)).text, /Your choice/);
    const guest = await visitor(kith.baseUrl).get(path);
    assert.doesNotMatch(guest.text, /name="answer"/);
  });

  test("people are ignored and blocked, listed there, and let back in", async () => {
    const { author, reader } = await meet();
    await publish(author, "Unwelcome words");
    const { guid } = await personOf(author);
    const path = `/people/${guid}`;
    const { csrf_token } = reader;
    for (const [act, undo, list, words] of [
      ["ignore", "unignore", "/settings/ignores", /You ignore this person/],
      ["block", "unblock", "/settings/blocks", /You have blocked this person/],
    ] as const) {
      for (const time of ["once", "twice"]) {
        const done = await reader.post(`${path}/${act}`, { csrf_token });
        assert.equal(done.status, 302, `${act} ${time}`);
      }
      const page = await reader.get(`/u/${author.username}`);
      assert.match(page.text, words);
      const listed = await reader.get(list);
      assert.match(listed.text, RegExp(author.username));
      const inList = hiddenFields(listed, `${path}/${undo}`);
      const back = await reader.post(`${path}/${undo}`, inList);
      assert.equal(back.headers.get("location"), list);
      await reader.post(`${path}/${act}`, { csrf_token });
      assert.doesNotMatch((await reader.get("/home")).text, /Unwelcome/);
      const fields = hiddenFields(page, `${path}/${undo}`);
      for (const time of ["once", "twice"]) {
        const done = await reader.post(`${path}/${undo}`, fields);
        assert.equal(done.status, 302, `${undo} ${time}`);
      }
      assert.doesNotMatch(
        (await reader.get(list)).text,
        RegExp(author.username),
      );
      assert.equal((await reader.post(`${path}/${act}`, {})).status, 403);
    }
    const self = await personOf(reader);
    const own = await reader.post(`/people/${self.guid}/block`, { csrf_token });
    assert.equal(own.status, 400);
  });
});

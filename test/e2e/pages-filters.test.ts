import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const FILTERS = "/settings/filters";
const SERVERS = "/settings/servers";
const newName = () => `sieve${(names += 1)}`;

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = () => newUser(kith.baseUrl, newName());
  const save = (
    by: User,
    fields: Record<string, string>,
    path = `${FILTERS}/new`,
  ) =>
    by.post(path, {
      ...{ csrf_token: by.csrf_token, title: "Spoilers", context: "home" },
      ...fields,
    });
  const pathOf = async (by: User) =>
    /\/settings\/filters\/\d+/.exec((await by.get(FILTERS)).text)?.[0] ??
    assert.fail("no filter");
  const publish = (by: User, text: string) =>
    by.post("/home", {
      ...{ csrf_token: by.csrf_token, text, audience: "everyone" },
    });

  test("a post with a filtered word is folded, left out, and shown again", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const word = newName();
    await publish(ben, `The ${word} is over`);
    await publish(ann, `My own ${word}`);
    const seen = async () => (await ann.get("/home?show=all")).text;
    assert.doesNotMatch(await seen(), /Filtered:/);
    const made = await save(ann, { parts: `${word}\nanother` });
    assert.equal(made.headers.get("location"), FILTERS);
    const folded = await seen();
    assert.equal(folded.match(/Filtered: Spoilers/g)?.length, 1);
    assert.match(
      folded,
      RegExp(`<details class="filtered">[^]*?The ${word} is over`),
    );
    assert.doesNotMatch((await ben.get("/home?show=all")).text, /Filtered:/);
    const path = await pathOf(ann);
    assert.match((await ann.get(path)).text, RegExp(`${word}\nanother`));
    await save(ann, { parts: word, action: "hide" }, path);
    const left = await seen();
    assert.doesNotMatch(left, /is over/);
    assert.match(left, RegExp(`My own ${word}`));
    const { csrf_token } = ann;
    await ann.post(`${path}/delete`, { csrf_token });
    assert.match(await seen(), /is over/);
    assert.match((await ann.get(FILTERS)).text, /no filters yet/);
  });

  test("whole words, places and the end are kept, and shown as typed", async () => {
    const ann = await meet();
    await save(ann, { wholes: "cat", until: "2127-01-31T18:30" });
    const { text } = await ann.get(await pathOf(ann));
    assert.match(text, /id="wholes"[^]*?>\s*cat<\/textarea>/);
    assert.match(text, /value="2127-01-31T18:30"/);
    assert.match(text, /value="home"\s+checked/);
    assert.doesNotMatch(text, /value="public"\s+checked/);
    const all = await ann.get(FILTERS);
    assert.match(all.text, /1 word/);
    assert.match(all.text, /January 31, 2127/);
  });

  test("a refused filter is shown again as it was typed", async () => {
    const ann = await meet();
    for (const [fields, fault] of [
      [{ title: " ", parts: "x" }, /needs a name/],
      [{ title: "Kept" }, /at least one word/],
      [{ title: "Kept", parts: "x", until: "soon" }, /must be a time/],
      [
        { title: "Kept", parts: "x", until: "1999-01-01T00:00" },
        /in the future/,
      ],
      [{ title: "Kept", parts: "x", context: "nowhere" }, /one place/],
      [{ title: "Kept", parts: "x".repeat(101) }, /at least one word/],
    ] as const) {
      const refused = await save(ann, fields);
      assert.equal(refused.status, 422, JSON.stringify(fields));
      assert.match(refused.text, fault);
      if (fields.title === "Kept") assert.match(refused.text, /value="Kept"/);
    }
    const expired = await save(ann, { csrf_token: "old", title: "Kept" });
    assert.equal(expired.status, 403);
    assert.match(expired.text, /value="Kept"/);
    assert.match((await ann.get(FILTERS)).text, /no filters yet/);
  });

  test("a draft survives the sign-in", async () => {
    const [ann, guest] = [await meet(), visitor(kith.baseUrl)];
    await save(ann, { parts: "x" });
    const path = await pathOf(ann);
    const form = { title: "Typed", parts: "y", context: "home" };
    const asked = await guest.post(path, form);
    const draft = /name="draft"\s+value="([^"]+)"/.exec(asked.text)?.[1] ?? "";
    const { username, password } = ann;
    const back = await guest.post("/users/sign_in", {
      ...{ username, password, to: path },
      draft: draft.replaceAll("&quot;", '"'),
    });
    assert.match(back.text, /value="Typed"/);
    assert.match(back.text, RegExp(`action="${path}"`));
  });

  test("another's filter looks like none", async () => {
    const [ann, ben] = [await meet(), await meet()];
    await save(ann, { parts: "x" });
    const path = await pathOf(ann);
    assert.equal((await ben.get(path)).status, 404);
    assert.equal((await save(ben, { parts: "y" }, path)).status, 404);
    assert.equal((await save(ben, {}, path)).status, 404);
    const { csrf_token } = ben;
    assert.equal(
      (await ben.post(`${path}/delete`, { csrf_token })).status,
      404,
    );
    for (const odd of ["0", "x", "99999999999999999999"])
      assert.equal((await ben.get(`${FILTERS}/${odd}`)).status, 404, odd);
    assert.match((await ann.get(path)).text, />\s*x<\/textarea>/);
  });

  test("a server is blocked and unblocked", async () => {
    const ann = await meet();
    const { csrf_token } = ann;
    for (const time of ["once", "twice"]) {
      const host = " Rude.Example ";
      const done = await ann.post(`${SERVERS}/block`, { csrf_token, host });
      assert.equal(done.status, 302, time);
    }
    const page = await ann.get(SERVERS);
    assert.match(page.text, /<bdi>rude\.example<\/bdi>/);
    for (const host of ["", "not a host", kith.host]) {
      const refused = await ann.post(`${SERVERS}/block`, { csrf_token, host });
      assert.equal(refused.status, 422, host);
      assert.match(refused.text, /not the name of another server/);
    }
    for (const time of ["once", "twice"]) {
      const host = "rude.example";
      const done = await ann.post(`${SERVERS}/unblock`, { csrf_token, host });
      assert.equal(done.status, 302, time);
    }
    assert.match((await ann.get(SERVERS)).text, /You block no servers/);
    const forged = await ann.post(`${SERVERS}/block`, { host: "a.example" });
    assert.equal(forged.status, 403);
  });
});

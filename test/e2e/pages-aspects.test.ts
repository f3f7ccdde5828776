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

const PEOPLE = "/people";
const ASPECTS = "/aspects";

let kith: PagesServer;
let names = 0;

const newPerson = () => newUser(kith.baseUrl, `knows${(names += 1)}`);
const withToken = (
  { csrf_token }: User,
  form: Record<string, string> = {},
) => ({ csrf_token, ...form });
const personOf = async ({ username }: User) =>
  (await kith.people.find({ handle: `${username}@${kith.host}` })) ??
  assert.fail();
const aspectsOf = async (user: User) =>
  kith.aspects.list((await personOf(user)).userId ?? assert.fail());

/** @returns the path of its page */
async function makeAspect(user: User, name: string): Promise<string> {
  const made = await user.post(ASPECTS, withToken(user, { name }));
  assert.equal(made.status, 302);
  return (made.headers.get("location") ?? "").replace("?all=true", "");
}

async function membersOf(user: User, path: string): Promise<number[]> {
  const aspects = await aspectsOf(user);
  const found = aspects.find(({ id }) => path === `${ASPECTS}/${id}`);
  return (found ?? assert.fail()).memberships.map(({ personId }) => personId);
}

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  test("an aspect is made, renamed and, once asked, deleted", async () => {
    const user = await newPerson();
    const path = await makeAspect(user, "Choir <b>");
    const page = await user.get(path);
    assert.match(page.text, /<h1><bdi>Choir &lt;b&gt;<\/bdi><\/h1>/);
    assert.match((await user.get(ASPECTS)).text, /Choir &lt;b&gt;/);
    const rename = hiddenFields(page, `${path}/rename`);
    await user.post(`${path}/rename`, { ...rename, name: "Singers" });
    assert.equal((await aspectsOf(user))[0]?.name, "Singers");
    for (const isExclusive of [true, false]) {
      const before = await user.get(path);
      const choice = hiddenFields(before, `${path}/home`);
      await user.post(`${path}/home`, choice);
      const [chosen] = await aspectsOf(user);
      assert.deepEqual(
        [chosen?.exclusive, chosen?.name],
        [isExclusive, "Singers"],
      );
    }
    const asked = await user.get(`${path}/delete`);
    assert.match(asked.text, /Singers/);
    const gone = hiddenFields(asked, `${path}/delete`);
    assert.equal((await user.post(`${path}/delete`, gone)).status, 302);
    assert.deepEqual(await aspectsOf(user), []);
    assert.equal((await user.post(`${path}/delete`, gone)).status, 404);
    assert.equal((await user.get(path)).status, 404);
  });

  test("an invalid name is refused, kept in the form, and changes nothing", async () => {
    const user = await newPerson();
    const path = await makeAspect(user, "Choir");
    for (const name of [" ", "x".repeat(300)])
      for (const to of [ASPECTS, `${path}/rename`]) {
        const refused = await user.post(to, withToken(user, { name }));
        assert.equal(refused.status, 422, to);
        assert.match(refused.text, /role="alert"/, to);
      }
    const taken = await user.post(ASPECTS, withToken(user, { name: "choir " }));
    assert.equal(taken.status, 422);
    assert.match(taken.text, /aspect of this name already/);
    // Its own name is no other one.
    const own = withToken(user, { name: "Choir" });
    assert.equal((await user.post(`${path}/rename`, own)).status, 302);
    const long = withToken(user, { name: "y".repeat(300) });
    assert.match((await user.post(ASPECTS, long)).text, /y{300}/);
    assert.deepEqual(
      (await aspectsOf(user)).map(({ name }) => name),
      ["Choir"],
    );
  });

  test("aspects are ordered, in the pages and where an audience is chosen", async () => {
    const user = await newPerson();
    for (const name of ["One", "Two", "Three"]) await makeAspect(user, name);
    const order = async () => (await aspectsOf(user)).map(({ name }) => name);
    assert.deepEqual(await order(), ["One", "Two", "Three"]);
    const [one, , three] = await aspectsOf(user);
    const move = (id: number | undefined, step: string) =>
      user.post(`${ASPECTS}/${id}/${step}`, withToken(user));
    await move(three?.id, "earlier");
    assert.deepEqual(await order(), ["One", "Three", "Two"]);
    await move(one?.id, "later");
    assert.deepEqual(await order(), ["Three", "One", "Two"]);
    assert.equal((await move(three?.id, "earlier")).status, 302);
    assert.deepEqual(await order(), ["Three", "One", "Two"]);
    await makeAspect(user, "Four");
    assert.deepEqual(await order(), ["Three", "One", "Two", "Four"]);
    for (const path of [ASPECTS, "/home", "/write"])
      assert.match(
        (await user.get(path)).text,
        /Three<[^]*One<[^]*Two<[^]*Four</,
        path,
      );
    await Promise.all([
      ...["earlier", "later", "earlier"].map((step) => move(one?.id, step)),
      move(three?.id, "later"),
    ]);
    assert.deepEqual((await order()).toSorted(), [
      ...["Four", "One", "Three", "Two"],
    ]);
  });

  test("members are chosen by boxes, and only those that were shown are changed", async () => {
    const user = await newPerson();
    const ida = await newPerson();
    const ole = await newPerson();
    const una = await newPerson();
    const path = await makeAspect(user, "Band");
    const other = await makeAspect(user, "Others");
    const ids: number[] = [];
    for (const each of [ida, ole, una]) {
      const { id, guid } = await personOf(each);
      ids.push(id);
      await user.post(`/people/${guid}/follow`, withToken(user));
    }
    await una.post(
      `/people/${(await personOf(user)).guid}/follow`,
      withToken(una),
    );
    const [first = 0, second = 0, third = 0] = ids;
    const everybody = await user.get(`${path}?all=true`);
    for (const each of [ida, ole, una])
      assert.match(everybody.text, RegExp(each.username));
    const row = everybody.text
      .split("<li>")
      .find((it) => it.includes(una.username));
    assert.match(row ?? "", /Follows you/);
    const choose = async (to: string, shown: number[], member: number[]) => {
      const form = new URLSearchParams(withToken(user));
      for (const id of shown) form.append("shown", String(id));
      for (const id of member) form.append("member", String(id));
      return user.post(`${to}/members`, form);
    };
    assert.equal((await choose(path, ids, [first, second])).status, 302);
    assert.deepEqual(await membersOf(user, path), [first, second]);
    assert.match((await user.get(path)).text, /value="\d+"\s+checked/);
    await choose(path, [second, third], [third]);
    assert.deepEqual(await membersOf(user, path), [first, third]);
    await choose(path, [], []);
    assert.deepEqual(await membersOf(user, path), [first, third]);
    await choose(other, [first], [first]);
    assert.deepEqual(await membersOf(user, other), [first]);
    const own = (await personOf(user)).id;
    assert.equal((await choose(path, [own], [own])).status, 422);
    assert.equal((await choose(path, [first, 999_999], [999_999])).status, 404);
    assert.deepEqual(await membersOf(user, path), [first, third]);
  });

  test("somebody in no aspect any more is no contact; a change of aspects keeps one", async () => {
    const user = await newPerson();
    const friend = await newPerson();
    const { id, guid } = await personOf(friend);
    const [a, b] = [await makeAspect(user, "A"), await makeAspect(user, "B")];
    const idOf = (path: string) => path.slice(ASPECTS.length + 1);
    const choose = (...chosen: string[]) => {
      const form = new URLSearchParams(withToken(user));
      for (const path of [a, b]) form.append("shown", idOf(path));
      for (const path of chosen) form.append("aspect", idOf(path));
      return user.post(`/people/${guid}/aspects`, form);
    };
    const follows = async () =>
      (await friend.get(`${PEOPLE}?list=followers`)).text.includes(
        user.username,
      );
    await choose(a);
    assert.deepEqual(await membersOf(user, a), [id]);
    assert.ok(await follows());
    await choose(b);
    assert.deepEqual(await membersOf(user, a), []);
    assert.deepEqual(await membersOf(user, b), [id]);
    assert.ok(await follows());
    const page = (await user.get(`/u/${friend.username}`)).text;
    assert.match(page, /In your aspects:\s*<bdi>B<\/bdi>/);
    await choose();
    assert.deepEqual(await membersOf(user, b), []);
    assert.equal(await follows(), false);
  });

  test("people are listed with their aspects, by what they have in common with the user", async () => {
    const user = await newPerson();
    const mutual = await newPerson();
    const held = await newPerson();
    const fan = await newPerson();
    const path = await makeAspect(user, "Village");
    const { guid } = await personOf(user);
    for (const each of [mutual, held]) {
      const form = new URLSearchParams(withToken(user));
      const { id } = await personOf(each);
      form.append("shown", String(id));
      form.append("member", String(id));
      await user.post(`${path}/members`, form);
    }
    for (const each of [mutual, fan])
      await each.post(`/people/${guid}/follow`, withToken(each));
    const listed = async (query: string) => {
      const { text } = await user.get(PEOPLE + query);
      const all = { mutual, held, fan };
      return Object.entries(all).flatMap(([name, { username }]) =>
        text.includes(`>${username}@`) || text.includes(`"/u/${username}"`)
          ? [name]
          : [],
      );
    };
    assert.deepEqual(await listed(""), ["mutual", "held"]);
    assert.deepEqual(await listed("?list=mutual"), ["mutual"]);
    assert.deepEqual(await listed("?list=followers"), ["mutual", "fan"]);
    assert.deepEqual(await listed("?list=unheld"), ["fan"]);
    assert.deepEqual(await listed("?list=nonsense"), ["mutual", "held"]);
    const { text } = await user.get(PEOPLE);
    assert.match(
      text,
      RegExp(`class="chip" href="${path}"[^>]*><bdi>Village<`),
    );
    assert.match(text, /Follows you/);
    const old = await user.get("/contacts");
    assert.equal(old.headers.get("location"), PEOPLE);
  });

  test("many contacts are read in pages, each once", async () => {
    const user = await newPerson();
    const path = await makeAspect(user, "Crowd");
    const [aspect = assert.fail()] = await aspectsOf(user);
    const { userId, id: personId } = await personOf(user);
    const by = { userId: userId ?? assert.fail(), personId };
    const crowd: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const username = `crowd${names}_${n}`;
      await kith.accounts.signUp({ username, password: "a long secret" });
      const handle = `${username}@${kith.host}`;
      const person = (await kith.people.find({ handle })) ?? assert.fail();
      crowd.push(handle);
      await kith.aspects.addPerson(by, aspect.id, person.id);
    }
    for (const start of [PEOPLE, path, `${path}?all=true`]) {
      const seen: string[] = [];
      let next: string | undefined = start;
      for (let pages = 0; next !== undefined && pages < 9; pages += 1) {
        const { text } = await user.get(next);
        const shown = crowd.filter((handle) => text.includes(`>${handle}<`));
        seen.push(...shown);
        const [, link] = /href="([^"]*before=\d+)"/.exec(text) ?? [];
        next = link?.replaceAll("&amp;", "&");
      }
      assert.equal(seen.length, crowd.length, start);
      assert.deepEqual(seen.toSorted(), crowd.toSorted(), start);
    }
  });

  test("nobody reads or changes other people's aspects, nor without the token of a form", async () => {
    const user = await newPerson();
    const owner = await newPerson();
    const path = await makeAspect(owner, "Mine");
    const before = await aspectsOf(owner);
    for (const page of [path, `${path}/delete`, `${ASPECTS}/0`, `${ASPECTS}/x`])
      assert.equal((await user.get(page)).status, 404, page);
    const acts = ["rename", "delete", "members", "earlier", "later"];
    const { id, guid } = await personOf(user);
    const form = withToken(user, {
      ...{ name: "Stolen", shown: String(id), member: String(id) },
    });
    for (const act of acts)
      assert.equal((await user.post(`${path}/${act}`, form)).status, 404, act);
    const foreign = path.slice(ASPECTS.length + 1);
    const put = { shown: foreign, aspect: foreign };
    const third = (await personOf(await newPerson())).guid;
    const added = await user.post(
      `/people/${third}/aspects`,
      withToken(user, put),
    );
    assert.equal(added.status, 404);
    const forged = { ...form, csrf_token: user.csrf_token };
    for (const act of acts)
      assert.equal((await owner.post(`${path}/${act}`, forged)).status, 403);
    assert.equal((await owner.post(ASPECTS, forged)).status, 403);
    assert.equal(
      (await owner.post(`/people/${guid}/aspects`, { ...put, ...forged }))
        .status,
      403,
    );
    const stranger = visitor(kith.baseUrl);
    for (const act of acts)
      assert.equal((await stranger.post(`${path}/${act}`, {})).status, 401);
    for (const page of [ASPECTS, path, PEOPLE])
      assert.match(
        (await stranger.get(page)).headers.get("location") ?? "",
        /^\/users\/sign_in\?to=/,
      );
    assert.deepEqual(await aspectsOf(owner), before);
  });
});

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
const ASPECTS = "/contacts/aspects";

let kith: PagesServer;
let names = 0;

const newName = () => `contact${(names += 1)}`;
const withToken = (
  { csrf_token }: User,
  form: Record<string, string> = {},
) => ({ csrf_token, ...form });
const personOf = async ({ username }: User) =>
  (await kith.people.find({ handle: `${username}@${kith.host}` })) ??
  assert.fail();
const userIdOf = async (user: User) =>
  (await personOf(user)).userId ?? assert.fail();

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = async () => {
    const user = await newUser(kith.baseUrl, newName());
    const other = await newUser(kith.baseUrl, newName());
    const { guid, id } = await personOf(other);
    return { user, other, path: `/people/${guid}`, id };
  };
  const aspectsOf = async (user: User) =>
    kith.aspects.list(await userIdOf(user));

  test("somebody is found by name and by address, and followed", async () => {
    const { user, other, path, id } = await meet();
    const { handle } = await personOf(other);
    for (const q of [other.username, handle, `@${handle}`]) {
      const query = new URLSearchParams({ q }).toString();
      const found = await user.get(`/contacts/find?${query}`);
      assert.match(found.text, new RegExp(`href="/u/${other.username}"`), q);
    }
    const page = await user.get(`/u/${other.username}`);
    const follow = hiddenFields(page, `${path}/follow`);
    for (const time of ["once", "twice"]) {
      const done = await user.post(`${path}/follow`, follow);
      assert.equal(done.status, 302, time);
      assert.equal(done.headers.get("location"), `/u/${other.username}`);
    }
    const [aspect, ...more] = await aspectsOf(user);
    assert.deepEqual(more, []);
    assert.equal(aspect?.isDefault, true);
    assert.deepEqual(
      aspect.memberships.map(({ personId }) => personId),
      [id],
    );
    assert.match((await other.get("/contacts")).text, RegExp(user.username));
    const back = await other.get(`/u/${user.username}`);
    assert.match(back.text, /Follows you/);
    const followed = await user.get(`/u/${other.username}`);
    const unfollow = hiddenFields(followed, `${path}/unfollow`);
    for (const time of ["once", "twice"]) {
      const done = await user.post(`${path}/unfollow`, unfollow);
      assert.equal(done.status, 302, time);
    }
    assert.deepEqual((await aspectsOf(user))[0]?.memberships, []);
    assert.doesNotMatch(
      (await other.get("/contacts")).text,
      RegExp(user.username),
    );
  });

  test("an address that nobody has, and words that match nobody, find nobody", async () => {
    const { user } = await meet();
    for (const q of [
      "nobody-has-this",
      `nobody@${kith.host}`,
      "a@b@c",
      "' or 1=1",
    ]) {
      const query = new URLSearchParams({ q }).toString();
      const found = await user.get(`/contacts/find?${query}`);
      assert.equal(found.status, 200, q);
      assert.match(found.text, /Nobody was found/, q);
    }
    const blank = await user.get("/contacts/find?q=+");
    assert.equal(blank.headers.get("location"), "/contacts");
  });

  test("aspects are created, filled, renamed and deleted", async () => {
    const { user, other, path, id } = await meet();
    const create = (name: string) =>
      user.post(`${ASPECTS}/create`, withToken(user, { name }));
    assert.equal((await create("Choir <b>")).status, 302);
    const [aspect = assert.fail()] = await aspectsOf(user);
    const named = withToken(user, { aspect: String(aspect.id) });
    for (const time of ["once", "twice"])
      assert.equal((await user.post(`${path}/add`, named)).status, 302, time);
    const contacts = await user.get("/contacts");
    assert.match(contacts.text, /Choir &lt;b&gt;/);
    assert.match(contacts.text, RegExp(other.username));
    await user.post(`${ASPECTS}/rename`, { ...named, name: "Singers" });
    const [renamed] = await aspectsOf(user);
    assert.equal(renamed?.name, "Singers");
    assert.equal(renamed.memberships[0]?.personId, id);
    for (const time of ["once", "twice"])
      assert.equal(
        (await user.post(`${path}/remove`, named)).status,
        302,
        time,
      );
    assert.deepEqual((await aspectsOf(user))[0]?.memberships, []);
    await user.post(`${ASPECTS}/delete`, named);
    assert.deepEqual(await aspectsOf(user), []);
    assert.equal((await user.post(`${ASPECTS}/delete`, named)).status, 404);
  });

  test("an invalid name is refused, and changes nothing", async () => {
    const { user } = await meet();
    for (const [name, words] of [
      [" ", /needs a name/],
      ["x".repeat(300), /too long/],
    ] as const) {
      const form = withToken(user, { name });
      const refused = await user.post(`${ASPECTS}/create`, form);
      assert.equal(refused.status, 422);
      assert.match(refused.text, words);
    }
    assert.deepEqual(await aspectsOf(user), []);
  });

  test("nobody changes other people's aspects, nor without the token of a form", async () => {
    const { user, other, path } = await meet();
    await other.post(`${ASPECTS}/create`, withToken(other, { name: "Mine" }));
    const [theirs = assert.fail()] = await aspectsOf(other);
    const third = await newUser(kith.baseUrl, newName());
    const { guid } = await personOf(third);
    const aspect = String(theirs.id);
    const form = withToken(user, { aspect, name: "Stolen" });
    const acts = [
      ...["rename", "delete"].map((act) => `${ASPECTS}/${act}`),
      `/people/${guid}/add`,
    ];
    for (const act of acts)
      assert.equal((await user.post(act, form)).status, 404, act);
    await user.post(`/people/${guid}/remove`, form);
    const forged = { ...form, csrf_token: other.csrf_token };
    for (const act of [...acts, `${ASPECTS}/create`, `${path}/follow`])
      assert.equal((await user.post(act, forged)).status, 403, act);
    assert.deepEqual(await aspectsOf(other), [theirs]);
    assert.deepEqual(await aspectsOf(user), []);
    assert.doesNotMatch((await user.get("/contacts")).text, /Mine/);
    const stranger = visitor(kith.baseUrl);
    for (const act of [...acts, `${path}/follow`])
      assert.equal((await stranger.post(act, {})).status, 401, act);
    for (const page of ["/contacts", "/contacts/find?q=x"]) {
      const { headers } = await stranger.get(page);
      assert.match(headers.get("location") ?? "", /^\/users\/sign_in\?to=/);
    }
    const absent = ["follow", "unfollow", "add", "remove"];
    for (const act of absent)
      for (const who of [ABSENT, "%00", "x'"]) {
        const to = `/people/${who}/${act}`;
        assert.equal((await user.post(to, form)).status, 404, to);
      }
    const own = (await personOf(user)).guid;
    assert.equal((await user.post(`/people/${own}/follow`, form)).status, 400);
    const ownPage = await user.get(`/u/${user.username}`);
    assert.doesNotMatch(ownPage.text, /\/follow"/);
  });

  const lock = async (user: User) => {
    const { csrf_token } = user;
    const form = { csrf_token, locked: "true", searchable: "true" };
    const saved = await user.post("/settings/profile", form);
    assert.equal(saved.status, 200);
    assert.match(saved.text, /name="locked"\s+value="true"\s+checked/);
  };

  test("a person who approves followers is asked, and answers with a button", async () => {
    const { user: asker, other: owner, path } = await meet();
    await lock(owner);
    const requests = "/contacts/requests";
    assert.match((await owner.get(requests)).text, /Nobody is waiting/);
    assert.doesNotMatch((await owner.get("/contacts")).text, /asks to follow/);
    const ask = () => asker.post(`${path}/follow`, withToken(asker));
    await ask();
    const profile = await asker.get(`/u/${owner.username}`);
    assert.match(profile.text, /has not answered yet/);
    for (const page of ["/contacts", "/notifications"])
      assert.match(
        (await owner.get(page)).text,
        /href="\/contacts\/requests">\s*1 person asks to follow you/,
        page,
      );
    const own = await owner.get(`/u/${asker.username}`);
    assert.match(own.text, /This person asks to follow you/);

    const list = await owner.get(requests);
    const refuse = hiddenFields(list, `${requests}/refuse`);
    for (const time of ["once", "twice"]) {
      const done = await owner.post(`${requests}/refuse`, refuse);
      assert.equal(done.status, 302, time);
      assert.equal(done.headers.get("location"), requests);
    }
    const refused = await asker.get(`/u/${owner.username}`);
    assert.match(refused.text, /declined your request/);
    await asker.post(`${path}/unfollow`, withToken(asker));
    await ask();
    const accept = hiddenFields(own, `${requests}/accept`);
    for (const time of ["once", "twice"])
      assert.equal(
        (await owner.post(`${requests}/accept`, accept)).status,
        302,
        time,
      );
    assert.match((await owner.get("/contacts")).text, RegExp(asker.username));
    assert.match((await owner.get(requests)).text, /Nobody is waiting/);
    const accepted = await asker.get(`/u/${owner.username}`);
    assert.doesNotMatch(accepted.text, /has not answered|declined/);
  });

  test("all who wait are accepted with one button, and nobody answers for others", async () => {
    const { user: asker, other: owner, path } = await meet();
    const second = await newUser(kith.baseUrl, newName());
    await lock(owner);
    for (const who of [asker, second])
      await who.post(`${path}/follow`, withToken(who));
    const all = "/contacts/requests/accept-all";
    const person = (await personOf(asker)).guid;
    const [accept, refuse] = ["accept", "refuse"].map(
      (act) => `/contacts/requests/${act}`,
    ) as [string, string];
    for (const act of [accept, refuse, all]) {
      const theirs = withToken(second, { person });
      assert.equal((await second.post(act, theirs)).status, 302, act);
      const forged = { person, csrf_token: second.csrf_token };
      assert.equal((await owner.post(act, forged)).status, 403, act);
      const signedOut = visitor(kith.baseUrl);
      assert.equal((await signedOut.post(act, { person })).status, 401, act);
    }
    for (const nobody of [ABSENT, "%00", ""])
      assert.equal(
        (await owner.post(accept, withToken(owner, { person: nobody }))).status,
        404,
      );
    const list = await owner.get("/contacts/requests");
    for (const { username } of [asker, second])
      assert.match(list.text, RegExp(username));
    await owner.post(all, hiddenFields(list, all));
    const left = await owner.get("/contacts/requests");
    assert.match(left.text, /Nobody is waiting/);
    const contacts = await owner.get("/contacts");
    for (const { username } of [asker, second])
      assert.match(contacts.text, RegExp(username));
  });
});

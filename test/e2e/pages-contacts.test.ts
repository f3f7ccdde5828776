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
      const found = await user.get(`/people/find?${query}`);
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
    assert.match(
      (await other.get("/people?list=followers")).text,
      RegExp(user.username),
    );
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
      (await other.get("/people?list=followers")).text,
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
      const found = await user.get(`/people/find?${query}`);
      assert.equal(found.status, 200, q);
      assert.match(found.text, /Nobody was found/, q);
    }
    const blank = await user.get("/people/find?q=+");
    assert.equal(blank.headers.get("location"), "/people");
  });

  test("nobody follows without the token of a form, nor somebody who is not there", async () => {
    const { user, other, path } = await meet();
    const form = withToken(user);
    const forged = { ...form, csrf_token: other.csrf_token };
    assert.equal((await user.post(`${path}/follow`, forged)).status, 403);
    const stranger = visitor(kith.baseUrl);
    assert.equal((await stranger.post(`${path}/follow`, {})).status, 401);
    const { headers } = await stranger.get("/people/find?q=x");
    assert.match(headers.get("location") ?? "", /^\/users\/sign_in\?to=/);
    for (const act of ["follow", "unfollow", "aspects"])
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
    const form = {
      ...{ csrf_token, locked: "true", searchable: "true" },
      ...{ audience: "everyone", quotable_by: "everyone" },
    };
    const saved = await user.post("/settings/privacy", form);
    assert.equal(saved.status, 200);
    assert.match(saved.text, /name="locked"\s+value="true"[^>]*\schecked/);
  };

  test("a person who approves followers is asked, and answers with a button", async () => {
    const { user: asker, other: owner, path } = await meet();
    await lock(owner);
    const requests = "/people/requests";
    assert.match((await owner.get(requests)).text, /Nobody is waiting/);
    assert.doesNotMatch(
      (await owner.get("/people?list=followers")).text,
      /asks to follow/,
    );
    const ask = () => asker.post(`${path}/follow`, withToken(asker));
    await ask();
    const profile = await asker.get(`/u/${owner.username}`);
    assert.match(profile.text, /has not answered yet/);
    for (const page of ["/people", "/notifications"])
      assert.match(
        (await owner.get(page)).text,
        /href="\/people\/requests">\s*1 person asks to follow you/,
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
    assert.match(
      (await owner.get("/people?list=followers")).text,
      RegExp(asker.username),
    );
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
    const all = "/people/requests/accept-all";
    const person = (await personOf(asker)).guid;
    const [accept, refuse] = ["accept", "refuse"].map(
      (act) => `/people/requests/${act}`,
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
    const list = await owner.get("/people/requests");
    for (const { username } of [asker, second])
      assert.match(list.text, RegExp(username));
    await owner.post(all, hiddenFields(list, all));
    const left = await owner.get("/people/requests");
    assert.match(left.text, /Nobody is waiting/);
    const contacts = await owner.get("/people?list=followers");
    for (const { username } of [asker, second])
      assert.match(contacts.text, RegExp(username));
  });
});

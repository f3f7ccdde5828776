import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectOf } from "../support/scenes/audience.ts";
import {
  MastodonClient,
  readLinks,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  const idsOf = (list: readonly StatusRecord[]) => list.map(({ id }) => id);

  test("the home has the posts of followed people and one's own, in pages that meet", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    await aspectOf(ann.who, bob.who);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      kith().clock.advance(1_000);
      ids.unshift((await (i % 2 ? ann : bob).app.write(`post ${i}`)).id);
      await eve.app.write("unseen");
    }
    const list = async (query: string) => {
      const answer = await ann.app.call("GET", `/v1/timelines/home?${query}`);
      const found = idsOf(answer.json as StatusRecord[]);
      return { found, links: readLinks(answer) };
    };
    const first = await list("limit=2");
    assert.deepEqual(first.found, ids.slice(0, 2));
    const next = first.links.get("next") ?? "";
    assert.equal(
      next,
      `${kith().baseUrl}/api/v1/timelines/home?limit=2&max_id=${ids[1]}`,
    );
    assert.deepEqual([...first.links.keys()], ["next", "prev"]);
    assert.deepEqual(
      (await list(`limit=2&max_id=${ids[1]}`)).found,
      ids.slice(2, 4),
    );
    assert.deepEqual(
      (await list(`limit=2&min_id=${ids[4]}`)).found,
      ids.slice(2, 4),
    );
    assert.deepEqual(
      (await list(`limit=2&since_id=${ids[4]}`)).found,
      ids.slice(0, 2),
    );
    assert.deepEqual(
      (await list(`since_id=${ids[4]}&max_id=${ids[1]}`)).found,
      ids.slice(2, 4),
    );
    const last = await list(`limit=2&max_id=${ids[3]}`);
    assert.deepEqual(last.found, ids.slice(4));
    assert.deepEqual([...last.links.keys()], ["prev"]);
    assert.deepEqual((await list(`max_id=${ids[4]}`)).found, []);
    assert.equal((await list(`max_id=${ids[4]}`)).links.size, 0);
    assert.deepEqual((await list("limit=1000&max_id=x")).found, ids);
  });

  test("pages go on from posts that are gone", async () => {
    const { app } = await client();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      kith().clock.advance(1_000);
      ids.unshift((await app.write(`post ${i}`)).id);
    }
    await app.delete(`/v1/statuses/${ids[1]}`);
    const list = async (query: string) =>
      idsOf(await app.get<StatusRecord[]>(`/v1/timelines/home?${query}`));
    assert.deepEqual(await list(`max_id=${ids[1]}`), [ids[2]]);
    assert.deepEqual(await list(`min_id=${ids[1]}`), [ids[0]]);
    assert.deepEqual(await list(`since_id=${ids[1]}`), [ids[0]]);
  });

  test("a boost brings a post home, as a status of its own", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    await aspectOf(ann.who, bob.who);
    const { id } = await eve.app.write("far away");
    const wrapper = await bob.app.post<StatusRecord>(
      `/v1/statuses/${id}/reblog`,
    );
    const [first] = await ann.app.get<StatusRecord[]>("/v1/timelines/home");
    assert.deepEqual(
      [first?.id, first?.reblog?.id, first?.account.acct],
      [wrapper.id, id, bob.who.username],
    );
    await bob.app.post(`/v1/statuses/${id}/unreblog`);
    assert.deepEqual(
      await ann.app.get<StatusRecord[]>("/v1/timelines/home"),
      [],
    );
  });

  test("replies come into the home and into lists by their policies, none where nothing is said", async () => {
    const [ann, bob, cid, eve] = [
      ...[await client(), await client()],
      ...[await client(), await client()],
    ] as const;
    type List = { id: string; title: string; replies_policy: string };
    type Fields = Readonly<Record<string, string>>;
    const make = (fields: Fields) => ann.app.post<List>("/v1/lists", fields);
    const list = await make({ title: "usual" });
    assert.equal(list.replies_policy, "list");
    const path = `/v1/lists/${list.id}`;
    const others = await make({ title: "b", replies_policy: "none" });
    assert.equal(others.replies_policy, "none");
    for (const [id, who] of [
      [list.id, bob],
      [others.id, cid],
    ] as const)
      await ann.app.post(`/v1/lists/${id}/accounts`, {
        account_ids: [String(who.who.record.ID)],
      });
    // As aspects are made elsewhere.
    await aspectOf(ann.who, bob.who);
    const made = await ann.app.get<List[]>("/v1/lists");
    assert.equal(made.at(-1)?.replies_policy, "none");

    const say = async (by: typeof bob, text: string, to?: StatusRecord) => {
      kith().clock.advance(1_000);
      const more = to ? { in_reply_to_id: to.id } : {};
      const status = await by.app.write(text, more);
      // Each has its place when the next is written.
      await kith().server.features.homes.placeAll();
      return status;
    };
    const far = await say(eve, "far");
    const near = await say(cid, "near");
    const toFar = await say(bob, "to far", far);
    const toNear = await say(bob, "to near", near);
    const own = await say(bob, "own");
    const toSelf = await say(bob, "to himself", own);
    await say(cid, "by another member", near);
    const read = async (of: string, query = "") =>
      idsOf(await ann.app.get<StatusRecord[]>(`/v1/timelines/${of}?${query}`));
    const of = `list/${list.id}`;
    const expect = async (...statuses: readonly StatusRecord[]) =>
      assert.deepEqual(await read(of), idsOf(statuses));
    await expect(toSelf, own);
    const put = (fields: Fields) => ann.app.put<List>(path, fields);
    assert.equal(
      (await put({ replies_policy: "followed" })).replies_policy,
      "followed",
    );
    await expect(toSelf, own, toNear);
    const renamed = await put({ title: "named anew" });
    assert.deepEqual(
      [renamed.title, renamed.replies_policy],
      ["named anew", "followed"],
    );
    const changed = await put({ title: "both", replies_policy: "none" });
    assert.deepEqual([changed.title, changed.replies_policy], ["both", "none"]);
    await expect(own);
    for (const replies_policy of ["maybe", "all"])
      for (const [method, to] of [
        ["PUT", path],
        ["POST", "/v1/lists"],
      ] as const) {
        const form = { title: "broken", replies_policy };
        const refused = await ann.app.call(method, to, form);
        assert.equal(refused.status, 422, refused.text);
        assert.match(refused.text, /replies_policy must be one of/);
      }
    assert.deepEqual(
      (await ann.app.get<List[]>("/v1/lists")).map(({ title }) => title),
      ["both", "b", made.at(-1)?.title],
    );

    assert.deepEqual(await read("home"), idsOf([own, near]));
    const home = await read("home", "replies_policy=followed");
    assert.equal(home.length, 5);
    assert.ok(!home.includes(toFar.id));
    assert.deepEqual(home.slice(1), idsOf([toSelf, own, toNear, near]));
    const policy = "replies_policy=followed&limit=2";
    const [answer] = await ann.app.get<
      (StatusRecord & { in_reply_to_id: string })[]
    >(`/v1/timelines/home?limit=1&max_id=${home[0]}&replies_policy=followed`);
    assert.equal(answer?.in_reply_to_id, own.id);
    for (const [query, wanted] of [
      [`max_id=${home[0]}`, home.slice(1, 3)],
      [`max_id=${home[2]}`, home.slice(3, 5)],
      [`min_id=${home[4]}`, home.slice(2, 4)],
      [`min_id=${home[1]}`, home.slice(0, 1)],
      [`since_id=${home[3]}`, home.slice(0, 2)],
      [`max_id=${home[1]}&since_id=${home[4]}`, home.slice(2, 4)],
    ] as const)
      assert.deepEqual(await read("home", `${policy}&${query}`), wanted, query);
    await bob.app.delete(`/v1/statuses/${home[1]}`);
    assert.deepEqual(
      await read("home", `${policy}&max_id=${home[1]}`),
      home.slice(2, 4),
    );
    assert.deepEqual(
      await read("home", `${policy}&min_id=${home[1]}`),
      home.slice(0, 1),
    );
    const bad = "/v1/timelines/home?replies_policy=maybe";
    assert.equal((await ann.app.call("GET", bad)).status, 422);
  });

  test("an exclusive list has the posts of its members to itself", async () => {
    const [ann, bob, cid] = [await client(), await client(), await client()];
    type List = { id: string; title: string; exclusive: boolean };
    const make = (fields: Record<string, string>) =>
      ann.app.post<List>("/v1/lists", fields);
    const apart = await make({ title: "apart", exclusive: "true" });
    assert.equal(apart.exclusive, true);
    const usual = await make({ title: "usual" });
    assert.equal(usual.exclusive, false);
    for (const [{ id }, people] of [
      [apart, [bob]],
      [usual, [bob, cid]],
    ] as const)
      for (const { who } of people)
        await ann.app.post(`/v1/lists/${id}/accounts`, {
          account_ids: [String(who.record.ID)],
        });
    await kith().settle();
    const write = async (
      { app }: typeof bob,
      text: string,
      visibility = "public",
    ) => (await app.write(text, { visibility })).id;
    const byCid = await write(cid, "by cid");
    const byBob = await write(bob, "by bob", "private");
    const own = await write(ann, "own");
    const reshared = await write(await client(), "by a stranger");
    await bob.app.post(`/v1/statuses/${reshared}/reblog`);
    await bob.app.post(`/v1/statuses/${byCid}/reblog`);
    const homes = async () => {
      const of = await ann.app.get<StatusRecord[]>("/v1/timelines/home");
      const served = await ann.who.get<{ Guid: string }[]>("/home");
      assert.equal(served.length, of.length);
      return idsOf(of).toSorted();
    };
    const listed = async ({ id }: List) =>
      ann.app.get<StatusRecord[]>(`/v1/timelines/list/${id}`);
    assert.deepEqual(await homes(), [byCid, own].toSorted());
    assert.equal((await listed(apart)).length, 3);
    assert.ok(idsOf(await listed(apart)).includes(byBob));
    assert.ok(idsOf(await listed(usual)).includes(byBob));
    const path = `/v1/lists/${apart.id}`;
    const renamed = await ann.app.put<List>(path, { title: "still" });
    assert.deepEqual([renamed.title, renamed.exclusive], ["still", true]);
    const opened = await ann.app.put<List>(path, { exclusive: "false" });
    assert.deepEqual([opened.title, opened.exclusive], ["still", false]);
    assert.ok((await homes()).includes(byBob));
    assert.equal((await homes()).length, 4);
    // Another's choice is none for this home.
    const others = await cid.app.post<List>("/v1/lists", {
      ...{ title: "of cid", exclusive: "true" },
    });
    await cid.app.post(`/v1/lists/${others.id}/accounts`, {
      account_ids: [String(bob.who.record.ID)],
    });
    assert.equal((await homes()).length, 4);
  });

  test("the public timelines are for users, and show who writes here and elsewhere", async () => {
    const { app } = await client();
    const { id } = await app.write("for all");
    await app.write("for few", { visibility: "private" });
    await app.write("quietly", { visibility: "unlisted" });
    const list = async (query: string) =>
      idsOf(await app.get<StatusRecord[]>(`/v1/timelines/public?${query}`));
    assert.equal((await list("local=true"))[0], id);
    assert.deepEqual(await list("remote=true"), []);
    assert.ok(!(await list("only_media=true")).includes(id));
    await MastodonClient.of(kith()).refused(
      "GET",
      "/v1/timelines/public",
      401,
      "The access token is invalid",
    );
  });

  test("a tag has its posts, with and without others", async () => {
    const { app } = await client();
    const both = await app.write("#Apple #pear");
    const one = await app.write("#apple");
    const list = async (query: string) =>
      idsOf(
        await MastodonClient.of(kith()).get<StatusRecord[]>(
          `/v1/timelines/tag/${query}`,
        ),
      );
    assert.deepEqual(await list("apple"), [one.id, both.id]);
    assert.deepEqual(await list("apple?all[]=pear"), [both.id]);
    assert.deepEqual(await list("apple?none[]=pear"), [one.id]);
    assert.deepEqual(await list("pear?any[]=apple&limit=1"), [one.id]);
    assert.deepEqual(await list("apple?remote=true"), []);
  });

  test("a profile lists posts, boosts and replies, or some of them", async () => {
    const [ann, bob] = [await client(), await client()];
    const theirs = await bob.app.write("hello");
    const post = await ann.app.write("mine");
    const reply = await ann.app.write("re", { in_reply_to_id: theirs.id });
    const boost = await ann.app.post<StatusRecord>(
      `/v1/statuses/${theirs.id}/reblog`,
    );
    const path = `/v1/accounts/${ann.who.record.ID}/statuses`;
    const list = async (query: string) =>
      idsOf(await bob.app.get<StatusRecord[]>(`${path}?${query}`));
    const sorted = (...all: StatusRecord[]) =>
      idsOf(all).toSorted((a, b) => Number(b) - Number(a));
    assert.deepEqual(await list(""), sorted(post, reply, boost));
    assert.deepEqual(await list("exclude_replies=true"), sorted(post, boost));
    assert.deepEqual(await list("exclude_reblogs=1"), sorted(post, reply));
    assert.deepEqual(await list("pinned=true"), []);
    assert.deepEqual(await list("only_media=true"), []);
    const [newest = "", ...older] = sorted(post, reply, boost);
    assert.deepEqual(await list(`max_id=${newest}`), older);
    assert.deepEqual(await list(`min_id=${older[1]}&limit=1`), [older[0]]);
  });
});

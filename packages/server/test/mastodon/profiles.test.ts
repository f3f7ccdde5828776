import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { visitor } from "../support/pages/visit.ts";
import { read } from "../support/remote/linked-data.ts";
import { picture } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

type Featured = {
  readonly id: string;
  readonly name: string;
  readonly statuses_count: string;
  readonly last_status_at: string | null;
};

type Trend = {
  readonly name: string;
  readonly history: readonly { uses: string; accounts: string }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  type Client = Awaited<ReturnType<typeof client>>;
  const anybody = () => MastodonClient.of(kith());

  test("tags are featured, counted as each viewer finds their posts, and removed", async () => {
    const [ann, bob] = [await client(), await client()];
    const path = `/v1/accounts/${ann.who.record.ID}/featured_tags`;
    await ann.app.write("one #Tea");
    await ann.app.write("two #tea #cake");
    await ann.app.write("hidden #tea", { visibility: "direct" });
    const made = await ann.app.post<Featured>("/v1/featured_tags", {
      name: "#Tea",
    });
    assert.equal(made.name, "tea");
    const [own] = await ann.app.get<Featured[]>("/v1/featured_tags");
    assert.equal(own?.statuses_count, "3");
    for (const app of [bob.app, anybody()]) {
      const [seen] = await app.get<Featured[]>(path);
      assert.deepEqual([seen?.name, seen?.statuses_count], ["tea", "2"]);
      assert.match(seen?.last_status_at ?? "", /^\d{4}-\d\d-\d\d$/);
    }
    const used = await ann.app.get<{ name: string }[]>(
      "/v1/featured_tags/suggestions",
    );
    assert.deepEqual(
      used.map(({ name }) => name),
      ["cake"],
    );
    await bob.app.notFound("DELETE", `/v1/featured_tags/${made.id}`);
    await ann.app.delete(`/v1/featured_tags/${made.id}`);
    await ann.app.notFound("DELETE", `/v1/featured_tags/${made.id}`);
    assert.deepEqual(await bob.app.get(path), []);
  });

  test("words that are no tag, one twice and one too many are refused", async () => {
    const { app } = await client();
    const add = (name: string) => app.post("/v1/featured_tags", { name });
    await add("first");
    const before = await kith().snapshot();
    const refused = (name: string, error: RegExp) =>
      app.refused("POST", "/v1/featured_tags", 422, error, { name });
    await refused("", /blank/);
    await refused("two words", /not a hashtag/);
    await refused("FIRST", /taken/);
    assert.deepEqual(await kith().snapshot(), before);
    for (let more = 0; more < 9; more += 1) await add(`tag${more}`);
    await refused("last", /already featured/);
  });

  test("a profile picture is deleted", async () => {
    const { app } = await client();
    const form = new FormData();
    const bytes = await picture(60, 60).png().toBuffer();
    form.append("avatar", new Blob([new Uint8Array(bytes)]), "a.png");
    const before = await app.patch<{ avatar: string }>(
      "/v1/accounts/update_credentials",
      form,
    );
    const after = await app.delete<{ avatar: string }>("/v1/profile/avatar");
    assert.notEqual(after.avatar, before.avatar);
    assert.deepEqual(await app.delete("/v1/profile/header"), after);
    await kith().settle();
    assert.equal((await fetch(before.avatar)).status, 404);
  });

  test("a header picture is set, shown to everyone, replaced and deleted beside the other one", async () => {
    const { who, app } = await client();
    type Account = Readonly<Record<"avatar" | "header" | "uri", string>>;
    const change = async (...names: readonly ("avatar" | "header")[]) => {
      const form = new FormData();
      const bytes = await picture(90, 60).png().toBuffer();
      for (const name of names)
        form.append(name, new Blob([new Uint8Array(bytes)]), `${name}.png`);
      return app.patch<Account>("/v1/accounts/update_credentials", form);
    };
    const statusOf = async (url: string) => (await fetch(url)).status;
    const none = await app.get<Account>("/v1/accounts/verify_credentials");
    const first = await change("header");
    assert.equal(first.avatar, none.avatar);
    assert.notEqual(first.header, none.header);
    assert.equal(await statusOf(first.header), 200);
    const both = await change("avatar", "header");
    assert.notEqual(both.avatar, none.avatar);
    await kith().settle();
    assert.equal(await statusOf(first.header), 404);
    const actor = await read(both.uri);
    assert.equal((actor["image"] as { url: string }).url, both.header);
    assert.equal((actor["icon"] as { url: string }).url, both.avatar);
    const page = await visitor(kith().baseUrl).get(`/u/${who.username}`);
    assert.ok(page.text.includes(new URL(both.header).pathname));
    const again = await change("avatar");
    assert.equal(again.header, both.header);
    const before = await kith().snapshot();
    const broken = new FormData();
    broken.append("avatar", new Blob(["no picture"]), "a.png");
    broken.append("header", new Blob(["no picture"]), "h.png");
    const path = "/v1/accounts/update_credentials";
    assert.ok((await app.call("PATCH", path, broken)).status >= 400);
    assert.deepEqual(await kith().snapshot(), before);
    const after = await app.delete<Account>("/v1/profile/header");
    assert.deepEqual([after.header, after.avatar], [none.header, again.avatar]);
    await kith().settle();
    assert.equal(await statusOf(both.header), 404);
    assert.equal((await read(both.uri))["image"], undefined);
  });

  test("an account says that a program posts there", async () => {
    const { who, app } = await client();
    type Account = { bot: boolean; group: boolean; uri: string };
    const path = "/v1/accounts/update_credentials";
    const set = (bot: string) => app.patch<Account>(path, { bot });
    const bot = await set("true");
    assert.deepEqual([bot.bot, bot.group], [true, false]);
    assert.equal((await read(bot.uri))["type"], "Service");
    const page = async () =>
      (await visitor(kith().baseUrl).get(`/u/${who.username}`)).text;
    assert.match(await page(), /program posts here/);
    await app.patch(path, { display_name: "Still one" });
    const profile = await app.get<{ bot: boolean }>("/v1/profile");
    assert.equal(profile.bot, true);
    assert.equal((await set("false")).bot, false);
    assert.equal((await read(bot.uri))["type"], "Person");
    assert.doesNotMatch(await page(), /program posts here/);
  });

  /** Lets what is kept of the trends get old. */
  const later = () => kith().clock.advance(HOUR_MS);
  const everyone = async (count: number) => {
    const all: Client[] = [];
    while (all.length < count) all.push(await client());
    return all;
  };
  const names = (trends: readonly Trend[]) => trends.map(({ name }) => name);

  test("tags that several people use are trends, limited and sensitive posts aside", async () => {
    const [ann, bob, eve] = await everyone(3);
    assert.ok(ann && bob && eve);
    for (const { app } of [ann, bob, eve]) await app.write("x #football");
    for (const { app } of [ann, bob]) {
      await app.write("x #weather");
      await app.write("x #secret", { visibility: "private" });
      await app.write("x #quiet", { visibility: "unlisted" });
      await app.write("x #lewd", { sensitive: true });
    }
    for (let i = 0; i < 5; i += 1) await ann.app.write("x #mine");
    later();
    const trends = await anybody().get<Trend[]>("/v1/trends/tags");
    assert.deepEqual(names(trends), ["football", "weather"]);
    assert.equal(trends[0]?.history.length, 7);
    assert.deepEqual(
      trends[0].history
        .map(({ uses, accounts }) => `${uses} ${accounts}`)
        .filter((it) => it !== "0 0"),
      ["3 3"],
    );
    const page = await ann.app.get<Trend[]>("/v1/trends/tags?limit=1&offset=1");
    assert.deepEqual(names(page), ["weather"]);
    const boss = await kith().person({ role: "moderator" });
    await boss.put(`/admin/people/${bob.who.record.ID}/silence`, {});
    later();
    const fewer = await anybody().get<Trend[]>("/v1/trends/tags");
    assert.deepEqual(names(fewer), ["football"]);
    kith().clock.advance(8 * 24 * HOUR_MS);
    assert.deepEqual(await anybody().get("/v1/trends/tags"), []);
  });

  test("posts that several people like are trends, but not for those who block their authors", async () => {
    const [ann, bob, eve] = await everyone(3);
    assert.ok(ann && bob && eve);
    const liked = await ann.app.write("liked");
    const lonely = await ann.app.write("lonely");
    const own = await eve.app.write("liked by its author");
    for (const { app } of [bob, eve])
      await app.post(`/v1/statuses/${liked.id}/favourite`);
    await bob.app.post(`/v1/statuses/${lonely.id}/favourite`);
    for (const { app } of [eve, bob])
      await app.post(`/v1/statuses/${own.id}/favourite`);
    later();
    const list = async (app: MastodonClient) =>
      (await app.get<StatusRecord[]>("/v1/trends/statuses")).map(
        ({ id }) => id,
      );
    assert.deepEqual(await list(anybody()), [liked.id]);
    await eve.app.post(`/v1/accounts/${ann.who.record.ID}/block`);
    assert.deepEqual(await list(eve.app), []);
    await ann.app.delete(`/v1/statuses/${liked.id}`);
    assert.deepEqual(await list(anybody()), []);
    assert.deepEqual(await anybody().get("/v1/trends/links"), []);
  });

  test("trends with more people behind them come first, however often a few repeat theirs", async () => {
    const all = await everyone(6);
    const [author, ...others] = all;
    assert.ok(author);
    for (const { app } of all.slice(0, 5)) await app.write("x #crowd");
    for (const { app } of all.slice(0, 3))
      for (let i = 0; i < 4; i += 1) await app.write("x #choir");
    for (let i = 0; i < 9; i += 1) await author.app.write("x #alone");
    const fewer = await author.app.write("liked by three");
    const more = await author.app.write("liked and reshared by five");
    for (const [at, { app }] of others.entries()) {
      if (at < 3) await app.post(`/v1/statuses/${fewer.id}/favourite`);
      const act = at % 2 === 0 ? "favourite" : "reblog";
      await app.post(`/v1/statuses/${more.id}/${act}`);
    }
    // One person likes and reshares it.
    await others[0]?.app.post(`/v1/statuses/${fewer.id}/reblog`);
    later();
    const tags = await anybody().get<Trend[]>("/v1/trends/tags");
    assert.deepEqual(names(tags), ["crowd", "choir"]);
    const [today] = tags[1]?.history.filter(({ uses }) => uses !== "0") ?? [];
    assert.deepEqual([today?.uses, today?.accounts], ["12", "3"]);
    const posts = await anybody().get<StatusRecord[]>("/v1/trends/statuses");
    assert.deepEqual(
      posts.map(({ id }) => id),
      [more.id, fewer.id],
    );
  });

  test("a tag is featured and followed by its name, and says so", async () => {
    const [{ app }, other] = [await client(), await client()];
    type Tag = { readonly following: boolean; readonly featuring: boolean };
    const act = (name: string) => app.post<Tag>(`/v1/tags/Tea/${name}`);
    const shown = ({ following, featuring }: Tag) => [following, featuring];
    // Each of them twice: the second time changes nothing.
    for (const [name, following, featuring] of [
      ["feature", false, true],
      ["follow", true, true],
      ["unfeature", true, false],
      ["unfollow", false, false],
    ] as const)
      for (let time = 0; time < 2; time += 1) {
        assert.deepEqual(shown(await act(name)), [following, featuring]);
        const found = await app.get<Tag>("/v1/tags/tea");
        assert.deepEqual(shown(found), [following, featuring]);
        const theirs = await other.app.get<Tag>("/v1/tags/tea");
        assert.deepEqual(shown(theirs), [false, false]);
      }
    for (let n = 0; n < 10; n += 1) await app.post(`/v1/tags/t${n}/feature`);
    await app.refused("POST", "/v1/tags/more/feature", 422, /already featured/);
    await app.notFound("POST", "/v1/tags/%20/feature");
  });

  test("the profile is read and changed as its user wrote it", async () => {
    const { app } = await client();
    type Profile = {
      readonly note: string;
      readonly avatar: string | null;
      readonly locked: boolean;
      readonly fields: readonly { name: string; value: string }[];
      readonly featured_tags: readonly { name: string }[];
    };
    const before = await app.get<Profile>("/v1/profile");
    assert.deepEqual([before.avatar, before.note], [null, ""]);
    await app.post("/v1/tags/tea/feature");
    const form = new FormData();
    const bytes = await picture(80, 80).png().toBuffer();
    form.append("avatar", new Blob([new Uint8Array(bytes)]), "file");
    form.append("note", "I like *tea*");
    form.append("locked", "true");
    form.append("fields_attributes[0][name]", "Cups");
    form.append("fields_attributes[0][value]", "three");
    const answer = await app.call("PATCH", "/v1/profile", form);
    assert.equal(answer.status, 200, answer.text);
    const after = await app.get<Profile>("/v1/profile");
    assert.deepEqual(answer.json, after);
    assert.deepEqual([after.note, after.locked], ["I like *tea*", true]);
    assert.match(after.avatar ?? "", /^http/);
    assert.equal(after.fields[0]?.value, "three");
    assert.deepEqual(
      after.featured_tags.map(({ name }) => name),
      ["tea"],
    );
    await app.refused("PATCH", "/v1/profile", 422, /./, {
      note: "x".repeat(70_000),
    });
    assert.equal((await app.get<Profile>("/v1/profile")).note, after.note);
    await app.delete("/v1/profile/avatar");
    assert.equal((await app.get<Profile>("/v1/profile")).avatar, null);
  });
});

forEachDatabase((kind) => {
  const kith = useKith(kind, {
    env: { KITH_TRENDS: "false", KITH_RATE_LIMITS: "1" },
  });

  test("an operator switches trends off", async () => {
    for (const who of [await kith().person(), await kith().person()])
      await MastodonClient.of(kith(), who).write("x #football");
    const app = MastodonClient.of(kith());
    for (const what of ["tags", "statuses", "links"])
      assert.deepEqual(await app.get(`/v1/trends/${what}`), []);
  });

  test("answers say what is left of the share of requests", async () => {
    const who = await kith().person();
    const app = MastodonClient.of(kith(), who);
    const read = async (method: string, path: string) => {
      const { headers } = await app.call(method, path);
      const [max, left, reset] = ["limit", "remaining", "reset"].map((name) =>
        headers.get(`x-ratelimit-${name}`),
      );
      const now = kith().clock.now().getTime();
      assert.ok(Date.parse(reset ?? "") > now);
      assert.ok(Date.parse(reset ?? "") <= now + 60_000);
      return { max: Number(max), left: Number(left) };
    };
    const first = await read("GET", "/v1/timelines/home");
    const second = await read("GET", "/v1/timelines/home");
    assert.equal(second.max, first.max);
    assert.equal(second.left, first.left - 1);
    const missing = await read("GET", "/v1/statuses/1");
    assert.equal(missing.left, second.left - 1);
    const written = await read("POST", "/v1/accounts/1/follow");
    assert.ok(written.max < first.max);
  });
});

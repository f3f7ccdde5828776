import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { createForgetNewcomerActs } from "../../src/features/newcomers/index.ts";
import { runServerCommand } from "../../src/cli/commands/server-commands.ts";
import { hiddenFields, newUser, visitor } from "../support/pages/visit.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { actsSince, lastAct, signUpAs } from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

const NONE = {
  ...{ newcomer_days: 0, newcomer_posts: 0, newcomer_follows: 0 },
  ...{ newcomer_links: true, min_age: 0 },
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let boss: TestPerson;
  before(async () => {
    boss = await kith().person({ role: "admin" });
  });
  const limit = (form: Partial<typeof NONE>) => boss.put("/admin/server", form);
  afterEach(() => limit(NONE));
  const write = (who: TestPerson, post = "hello") =>
    who.call("POST", "/posts", { form: { post } });
  const assertWaits = (
    answer: { readonly status: number; readonly headers: Headers },
    seconds: number,
  ) => {
    assert.equal(answer.status, 429);
    const waits = Number(answer.headers.get("retry-after"));
    assert.ok(Math.abs(waits - seconds) <= 2, `${waits} seconds`);
  };

  test("a new account writes so much a day, and is told when there is room again", async () => {
    await limit({ newcomer_days: 3, newcomer_posts: 2 });
    const ann = await kith().person();
    const first = await ann.post<PostRecord>("/posts", { post: "one" });
    kith().clock.advance(HOUR_MS);
    await ann.post(`/posts/${first.ID}/comments`, { comment: "two" });
    const before = await kith().snapshot();
    assertWaits(await write(ann), 23 * 3600);
    assertWaits(
      await ann.call("POST", `/posts/${first.ID}/comments`, {
        form: { comment: "three" },
      }),
      23 * 3600,
    );
    const app = MastodonClient.of(kith(), ann);
    const sent = await app.call("POST", "/v1/statuses", { status: "three" });
    assert.equal(sent.status, 429);
    assert.deepEqual(await kith().snapshot(), before);
    // A deleted one counts.
    await ann.delete(`/posts/${first.ID}`);
    assert.equal((await write(ann)).status, 429);
    kith().clock.advance(23 * HOUR_MS);
    assert.equal((await write(ann)).status, 200);
    assert.equal((await write(ann)).status, 429);
    kith().clock.advance(2 * DAY_MS);
    for (const post of ["a", "b", "c"])
      assert.equal((await write(ann, post)).status, 200);
  });

  test("reshares and messages count, and concurrent calls agree", async () => {
    await limit({ newcomer_days: 3, newcomer_posts: 2 });
    const [ann, ben] = [await kith().person(), await kith().person()];
    const post = await ben.post<PostRecord>("/posts", { post: "mine" });
    await ann.post(`/posts/${post.ID}/reshare`);
    const all = await Promise.all(["x", "y", "z"].map((it) => write(ann, it)));
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    const talk = await ann.call("POST", "/conversations", {
      json: { text: "psst", personID: [ben.record.ID] },
    });
    assert.equal(talk.status, 429);
  });

  test("moderators have no limit, nor has an account that is old", async () => {
    const old = await kith().person();
    kith().clock.advance(3 * DAY_MS);
    await limit({ newcomer_days: 3, newcomer_posts: 1, newcomer_follows: 1 });
    const mod = await kith().person({ role: "moderator" });
    for (const who of [old, mod])
      for (const post of ["a", "b"])
        assert.equal((await write(who, post)).status, 200);
  });

  test("a new account follows so many people a day", async () => {
    await limit({ newcomer_days: 3, newcomer_follows: 1 });
    const [ann, ben, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const follow = (who: TestPerson) =>
      MastodonClient.of(kith(), ann).call(
        "POST",
        `/v1/accounts/${who.record.ID}/follow`,
      );
    assert.equal((await follow(ben)).status, 200);
    assert.equal((await follow(ben)).status, 200);
    assertWaits(await follow(eve), DAY_MS / 1000);
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "more" });
    const into = (who: TestPerson) =>
      ann.call("POST", `/people/${who.record.ID}/aspects/${aspect.ID}`);
    assert.equal((await into(ben)).status, 200);
    assert.equal((await into(eve)).status, 429);
    kith().clock.advance(DAY_MS);
    assert.equal((await follow(eve)).status, 200);
  });

  test("a new account writes no links, if the admins want that", async () => {
    const ann = await kith().person();
    const text = "see https://spam.example/offer";
    const had = await ann.post<PostRecord>("/posts", { post: text });
    await limit({ newcomer_days: 3, newcomer_links: false });
    const own = await ann.post<PostRecord>("/posts", {
      post: `hello #tag @{${ann.handle}}`,
    });
    for (const post of [
      text,
      "[offer](https://spam.example)",
      "HTTP://a.example",
    ])
      await ann.badRequest("POST", "/posts", { form: { post } });
    await ann.badRequest("POST", `/posts/${own.ID}/comments`, {
      form: { comment: text },
    });
    await ann.badRequest("PUT", `/posts/${own.ID}`, { form: { post: text } });
    await ann.put(`/posts/${had.ID}`, { post: `${text} again` });
    await ann.badRequest("PUT", `/posts/${had.ID}`, {
      form: { post: "https://other.example" },
    });
    const comment = await ann.post<CommentRecord>(`/posts/${own.ID}/comments`, {
      comment: "plain",
    });
    await ann.badRequest("PUT", `/comments/${comment.ID}`, {
      form: { comment: text },
    });
    const { detail } = JSON.parse((await write(ann, text)).text) as Record<
      string,
      string
    >;
    assert.match(String(detail), /cannot write links/);
  });

  test("a form keeps the text that the limits refuse, and says why", async () => {
    await limit({ newcomer_days: 3, newcomer_posts: 1, newcomer_links: false });
    const user = await newUser(kith().baseUrl, "newcomer");
    const { csrf_token } = user;
    const send = (text: string) =>
      user.post("/home", { csrf_token, text, audience: "everyone" });
    const linked = await send("https://spam.example");
    assert.equal(linked.status, 422);
    assert.match(linked.text, /cannot write links yet/);
    assert.equal((await send("first")).status, 302);
    const second = await send("my second text");
    assert.equal(second.status, 422);
    assert.match(second.text, /my second text/);
    assert.match(second.text, /only so much a day/);
  });

  test("a draft that is due waits until there is room", async () => {
    const ann = await kith().person();
    await limit({ newcomer_days: 3, newcomer_posts: 1 });
    const at = new Date(kith().clock.now().getTime() + HOUR_MS).toISOString();
    await ann.post("/drafts", { post: "later", publish_at: at });
    await write(ann);
    kith().clock.advance(2 * HOUR_MS);
    await kith().settle();
    assert.equal((await ann.get<unknown[]>("/drafts")).length, 1);
    kith().clock.advance(DAY_MS);
    await kith().settle();
    assert.deepEqual(await ann.get("/drafts"), []);
  });

  test("the acts of new accounts are forgotten after a day", async () => {
    await limit({ newcomer_days: 3, newcomer_posts: 9 });
    await write(await kith().person());
    const count = async () =>
      (await kith().db.read.selectFrom("newcomer_acts").select("id").execute())
        .length;
    assert.ok((await count()) > 0);
    kith().clock.advance(DAY_MS);
    const { db, clock } = kith();
    await createForgetNewcomerActs({ db, clock })({}, {
      signal: new AbortController().signal,
    } as never);
    assert.equal(await count(), 0);
  });

  test("only whole numbers within bounds are taken, and changes are in the log", async () => {
    for (const [name, value] of [
      ...[
        ["newcomer_days", "366"],
        ["newcomer_days", "-1"],
      ],
      ...[
        ["newcomer_posts", "10001"],
        ["min_age", "121"],
        ["min_age", "x"],
      ],
    ] as const)
      await boss.badRequest("PUT", "/admin/server", {
        form: { [name as string]: value },
      });
    const since = await lastAct(kith());
    await limit({ newcomer_days: 7, min_age: 16 });
    const [act] = await actsSince(kith(), since);
    assert.match(act ?? "", /server\.describe/);
    const server = await boss.get<Record<string, unknown>>("/server");
    assert.equal(server["NewcomerDays"], 7);
    assert.equal(server["MinAge"], 16);
    const lines: string[] = [];
    const command = (options: Record<string, string>) =>
      runServerCommand(
        kith().server.features.serverProfile,
        ["set"],
        { json: false, yes: false, ...options },
        (line) => void lines.push(line),
      );
    await command({ "min-age": "18", "newcomer-links": "no" });
    const after = await boss.get<Record<string, unknown>>("/server");
    assert.deepEqual([after["MinAge"], after["NewcomerLinks"]], [18, false]);
    await assert.rejects(command({ "min-age": "x" }), /whole number/);
    await assert.rejects(command({ "min-age": "999" }), /0 to 120/);
    await assert.rejects(command({ "newcomer-links": "x" }), /yes or no/);
  });

  test("with a minimum age the date of birth is asked for, checked, and not stored", async () => {
    const page = () => visitor(kith().baseUrl).get("/users/sign_up");
    assert.doesNotMatch((await page()).text, /date_of_birth/);
    await limit({ min_age: 16 });
    assert.match((await page()).text, /name="date_of_birth"/);
    const year = kith().clock.now().getUTCFullYear();
    const refusals = [
      ["", /Enter your date of birth\./],
      ["31.12.1990", /as a date/],
      [`${year - 15}-01-01`, /not old enough/],
      [`${year + 1}-01-01`, /as a date/],
    ] as const;
    for (const [date_of_birth, words] of refusals) {
      const answer = await signUpAs(kith(), "youngster", { date_of_birth });
      assert.equal(answer.status, 422);
      assert.match(answer.text, words);
    }
    const asPage = await signUpAs(
      ...([
        kith(),
        "youngster",
        { date_of_birth: "2020-02-30" },
        "text/html",
      ] as const),
    );
    assert.match(asPage.text, /value="2020-02-30"/);
    const born = "1987-06-05";
    const done = await signUpAs(kith(), "grownup", { date_of_birth: born });
    assert.equal(done.status, 302);
    const user = await kith()
      .db.read.selectFrom("users")
      .selectAll()
      .where("username", "=", "grownup")
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(JSON.stringify(user), /1987/);
    const instance = await MastodonClient.of(kith()).get<{
      readonly registrations: { readonly min_age: number | null };
    }>("/v2/instance");
    assert.equal(instance.registrations.min_age, 16);
    // Admins may create any account.
    const made = await kith().server.features.accounts.signUp({
      ...{ username: "child", password: "correct horse", by: null },
    });
    assert.equal(made.kind, "created");
  });

  test("the form of the admins keeps what was typed, and saves it", async () => {
    const ada = await newUser(kith().baseUrl, "ada");
    await kith().server.features.administration.setRole(
      null,
      { username: "ada" },
      "admin",
    );
    const save = (fields: Record<string, string>) =>
      ada.post("/admin/server/newcomers", {
        csrf_token: ada.csrf_token,
        ...{ min_age: "0", newcomer_posts: "5", newcomer_follows: "6" },
        ...fields,
      });
    const refused = await save({ newcomer_days: "many" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /value="many"/);
    assert.equal((await save({ newcomer_days: "4" })).status, 302);
    const server = await boss.get<Record<string, unknown>>("/server");
    const { NewcomerDays, NewcomerPosts, NewcomerLinks } = server;
    assert.deepEqual(
      [NewcomerDays, NewcomerPosts, NewcomerLinks],
      [4, 5, false],
    );
    const shown = await ada.get("/admin/server");
    assert.ok(hiddenFields(shown, "/admin/server/newcomers")["csrf_token"]);
  });
});

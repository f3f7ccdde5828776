import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { newUser, visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Relationship = Readonly<Record<string, unknown>>;
type Notice = { readonly type: string; readonly status?: StatusRecord };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };
  type Client = Awaited<ReturnType<typeof client>>;
  const write = (by: Client, status: string, language?: string) =>
    by.app.post<StatusRecord>("/v1/statuses", { status, language });
  const follow = (by: Client, id: number, choices = {}) =>
    by.app.post<Relationship>(`/v1/accounts/${id}/follow`, choices);
  const chosen = (relation: Relationship) => [
    relation["showing_reblogs"],
    relation["notifying"],
    relation["languages"],
  ];
  const shown = async (by: Client, path = "/v1/timelines/home") =>
    (await by.app.get<StatusRecord[]>(path)).map(({ content, reblog }) =>
      (reblog?.content ?? content ?? "").replaceAll(/<[^>]*>/g, ""),
    );

  test("choices are kept and answered, and end with the follow", async () => {
    const [ann, bob] = [await client(), await client()];
    assert.deepEqual(chosen(await follow(ann, bob.id)), [true, false, null]);
    const all = { reblogs: false, notify: true, languages: ["pt-BR", "de"] };
    assert.deepEqual(chosen(await follow(ann, bob.id, all)), [
      ...[false, true],
      ["de", "pt"],
    ]);
    assert.deepEqual(
      chosen(await follow(ann, bob.id, { notify: false })),
      [false, false, ["de", "pt"]],
      "the others stay",
    );
    const form = new URLSearchParams([["languages[]", ""]]);
    const cleared = await ann.app.call(
      ...(["POST", `/v1/accounts/${bob.id}/follow`, form] as const),
    );
    assert.equal((cleared.json as Relationship)["languages"], null);
    const path = `/v1/accounts/${bob.id}/follow`;
    await ann.app.refused("POST", path, 422, /languages/, {
      ...{ reblogs: true, languages: ["not a language"] },
    });
    const [kept] = await ann.app.get<Relationship[]>(
      `/v1/accounts/relationships?id[]=${bob.id}`,
    );
    assert.equal(kept?.["showing_reblogs"], false, "nothing changed");
    const cid = await client();
    await ann.app.refused(
      "POST",
      `/v1/accounts/${cid.id}/follow`,
      422,
      /lang/,
      {
        languages: ["??"],
      },
    );
    const ended = await ann.app.post<Relationship>(
      `/v1/accounts/${bob.id}/unfollow`,
    );
    assert.deepEqual(chosen(ended), [false, false, null]);
    assert.deepEqual(chosen(await follow(ann, bob.id)), [true, false, null]);
  });

  test("a home and a list leave out reshares and other languages of a person", async () => {
    const [ann, bob, cid] = [await client(), await client(), await client()];
    await follow(ann, bob.id, { reblogs: false });
    const far = await write(cid, "far", "en");
    await bob.app.post(`/v1/statuses/${far.id}/reblog`);
    await write(bob, "own", "en");
    const [list] = await ann.app.get<{ id: string }[]>("/v1/lists");
    const ofList = `/v1/timelines/list/${list?.id}`;
    for (const path of [undefined, ofList])
      assert.deepEqual(await shown(ann, path), ["own"]);
    await follow(ann, bob.id, { reblogs: true });
    for (const path of [undefined, ofList])
      assert.deepEqual(await shown(ann, path), ["own", "far"]);
    await write(bob, "deutsch", "de");
    await write(bob, "austria", "de-AT");
    await write(cid, "cids", "de");
    await follow(ann, bob.id, { languages: ["de"] });
    for (const path of [undefined, ofList])
      assert.deepEqual(await shown(ann, path), ["austria", "deutsch"]);
    await follow(ann, cid.id);
    assert.deepEqual(
      await shown(ann),
      ["cids", "austria", "deutsch", "far"],
      "the choices are about one person",
    );
    await ann.who.post("/tags/heron");
    await write(bob, "a #heron", "en");
    assert.deepEqual((await shown(ann))[0], "a #heron");
  });

  test("each new post of a person is told to those who want it, once", async () => {
    const [ann, bob, cid] = [await client(), await client(), await client()];
    const notices = async (by: Client) =>
      (await by.app.get<Notice[]>("/v1/notifications")).filter(
        ({ type }) => type !== "follow",
      );
    await write(bob, "before");
    kith().clock.advance(120_000);
    await follow(ann, bob.id, { notify: true, languages: ["en"] });
    await follow(cid, bob.id);
    const news = await write(bob, "news", "en");
    await write(bob, "Neues", "de");
    await bob.app.post(`/v1/statuses/${(await write(cid, "else")).id}/reblog`);
    await write(bob, `for @${ann.who.username}`, "en");
    await kith().settle();
    assert.deepEqual(
      (await notices(ann)).map(({ type }) => type),
      ["mention", "status"],
    );
    assert.equal((await notices(ann))[1]?.status?.id, news.id);
    assert.deepEqual(
      (await notices(cid)).map(({ type }) => type),
      ["reblog"],
    );
    const statuses = await ann.app.get<Notice[]>(
      "/v1/notifications?types[]=status",
    );
    assert.equal(statuses.length, 1);
    const { notification_groups: groups } = await ann.app.get<{
      notification_groups: unknown[];
    }>("/v2/notifications?types[]=status");
    assert.equal(groups.length, 1);
    const own =
      await ann.who.get<{ ShareableType: string }[]>("/notifications");
    assert.deepEqual(
      own.map(({ ShareableType }) => ShareableType),
      ["Post", "Post"],
    );
    await follow(ann, bob.id, { notify: false });
    await write(bob, "more", "en");
    await kith().settle();
    assert.equal((await notices(ann)).length, 2);
  });

  test("the service API shows and changes the choices", async () => {
    const [ann, bob] = [await client(), await client()];
    const path = `/people/${bob.id}/follow_choices`;
    await ann.who.notFound("GET", path);
    await ann.who.notFound("PUT", path);
    await follow(ann, bob.id, { notify: true });
    assert.deepEqual(await ann.who.get(path), {
      ...{ Reshares: true, Notify: true, Languages: [] },
    });
    const changed = await ann.who.put(`${path}?reshares=false&languages=en-GB`);
    assert.deepEqual(changed, {
      ...{ Reshares: false, Notify: true, Languages: ["en"] },
    });
    await ann.who.badRequest("PUT", `${path}?reshares=some`);
    await ann.who.badRequest("PUT", `${path}?reshares=true&languages=%3F`);
    assert.deepEqual(await ann.who.get(path), changed);
    const all = await ann.who.put<{ Languages: string[] }>(
      `${path}?languages=`,
    );
    assert.deepEqual(all.Languages, []);
  });

  test("the page of a person has a form for them", async () => {
    const bob = await client();
    const eve = await newUser(kith().baseUrl, "chooser");
    const page = `/people/${bob.who.record.Guid}`;
    const action = `${page}/choices`;
    const { csrf_token } = eve;
    assert.ok(!(await eve.get(page)).text.includes(action));
    await eve.post(`${page}/follow`, { csrf_token });
    const before = (await eve.get(page)).text;
    assert.match(before, /name="reshares"\s+value="true"\s+checked/);
    assert.doesNotMatch(before, /name="notify"\s+value="true"\s+checked/);
    const wanted = { csrf_token, notify: "true", languages: "pt-BR, de" };
    assert.equal((await eve.post(action, wanted)).status, 302);
    const after = (await eve.get(page)).text;
    assert.doesNotMatch(after, /name="reshares"\s+value="true"\s+checked/);
    assert.match(after, /name="notify"\s+value="true"\s+checked/);
    assert.match(after, /name="languages"\s+value="de pt"/);
    const own = "/u/chooser?show=recommended";
    const link = `/u/${bob.who.username}"`;
    const seen = async () => (await visitor(kith().baseUrl).get(own)).text;
    assert.match(await seen(), /Nobody is recommended/);
    await eve.post(action, { ...wanted, featured: "true" });
    assert.ok((await seen()).includes(link));
    await eve.post(action, wanted);
    assert.ok(!(await seen()).includes(link));
    const refused = { csrf_token, reshares: "true", languages: "?" };
    const shown = await eve.post(action, refused);
    assert.equal(shown.status, 422);
    assert.match(shown.text, /These are not all languages/);
    assert.match(shown.text, /name="languages"\s+value="\?"[^>]*aria-invalid/);
    assert.match(shown.text, /name="reshares"\s+value="true"\s+checked/);
    assert.equal((await eve.get(page)).text, after);
    await bob.who.post<PostRecord>("/posts", {
      ...{ post: "schön", aspectID: 0, language: "de" },
    });
    await kith().settle();
    assert.match((await eve.get("/notifications")).text, /wrote something new/);
    assert.match((await eve.get("/home")).text, /schön/);
  });
});

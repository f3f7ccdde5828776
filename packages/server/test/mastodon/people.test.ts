import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  readLinks,
  type AccountRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { picture } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Relationship = Readonly<Record<string, unknown>> & { readonly id: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };
  const relation = async (by: MastodonClient, id: number) => {
    const [found] = await by.get<Relationship[]>(
      `/v1/accounts/relationships?id[]=${id}`,
    );
    assert.ok(found);
    return found;
  };

  test("a person is followed and no longer, and both programs see it", async () => {
    const [ann, bob] = [await client(), await client()];
    const followed = await ann.app.post<Relationship>(
      `/v1/accounts/${bob.id}/follow`,
    );
    assert.deepEqual(
      [followed["following"], followed["requested"]],
      [true, false],
    );
    await ann.app.post(`/v1/accounts/${bob.id}/follow`);
    assert.equal((await relation(bob.app, ann.id))["followed_by"], true);
    const list = await ann.app.get<AccountRecord[]>(
      `/v1/accounts/${ann.id}/following`,
    );
    assert.deepEqual(
      list.map(({ id }) => id),
      [String(bob.id)],
    );
    assert.deepEqual(
      await bob.app.get(`/v1/accounts/${ann.id}/following`),
      [],
      "nobody else learns of it",
    );
    const ended = await ann.app.post<Relationship>(
      `/v1/accounts/${bob.id}/unfollow`,
    );
    assert.equal(ended["following"], false);
    await ann.app.post(`/v1/accounts/${bob.id}/unfollow`);
  });

  test("a locked person answers requests", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    await bob.app.patch("/v1/accounts/update_credentials", { locked: true });
    for (const { app } of [ann, eve]) {
      const asked = await app.post<Relationship>(
        `/v1/accounts/${bob.id}/follow`,
      );
      assert.deepEqual([asked["following"], asked["requested"]], [false, true]);
    }
    assert.equal((await relation(bob.app, ann.id))["requested_by"], true);
    const waiting = await bob.app.get<AccountRecord[]>("/v1/follow_requests");
    assert.equal(waiting.length, 2);
    const path = (id: number) => `/v1/follow_requests/${id}`;
    const accepted = await bob.app.post<Relationship>(
      `${path(ann.id)}/authorize`,
    );
    assert.equal(accepted["followed_by"], true);
    await bob.app.post(`${path(eve.id)}/reject`);
    assert.equal((await relation(ann.app, bob.id))["following"], true);
    assert.deepEqual(await bob.app.get("/v1/follow_requests"), []);
    await bob.app.notFound("POST", `${path(eve.id)}/authorize`);
  });

  test("blocks and mutes are listed newest first, in pages, and end", async () => {
    const ann = await client();
    const others = [await client(), await client(), await client()];
    for (const [act, undo, list, field] of [
      ["block", "unblock", "blocks", "blocking"],
      ["mute", "unmute", "mutes", "muting"],
    ] as const) {
      for (const { id } of others) {
        kith().clock.advance(1_000);
        const after = await ann.app.post<Relationship>(
          `/v1/accounts/${id}/${act}`,
        );
        assert.equal(after[field], true);
      }
      const ids = others.map(({ id }) => String(id)).toReversed();
      const answer = await ann.app.call("GET", `/v1/${list}?limit=2`);
      const shown = answer.json as AccountRecord[];
      assert.deepEqual(
        shown.map(({ id }) => id),
        ids.slice(0, 2),
      );
      const next = readLinks(answer).get("next") ?? "";
      const rest = await ann.app.get<AccountRecord[]>(
        next.replace(`${kith().baseUrl}/api`, ""),
      );
      assert.deepEqual(
        rest.map(({ id }) => id),
        ids.slice(2),
      );
      for (const { id } of others)
        await ann.app.post(`/v1/accounts/${id}/${undo}`);
      await ann.app.post(`/v1/accounts/${others[0]?.id}/${undo}`);
      assert.deepEqual(await ann.app.get(`/v1/${list}`), []);
    }
  });

  test("a mute may end by itself", async () => {
    const [ann, bob] = [await client(), await client()];
    const muted = await ann.app.post<Relationship>(
      `/v1/accounts/${bob.id}/mute`,
      { duration: 3_600 },
    );
    assert.match(String(muted["muting_expires_at"]), /Z$/);
    kith().clock.advance(3_601_000);
    await kith().settle();
    assert.equal((await relation(ann.app, bob.id))["muting"], false);
  });

  test("a whole server is blocked and no longer", async () => {
    const { app } = await client();
    await app.post("/v1/domain_blocks", { domain: "loud.example" });
    assert.deepEqual(await app.get("/v1/domain_blocks"), ["loud.example"]);
    await app.delete("/v1/domain_blocks", { domain: "loud.example" });
    assert.deepEqual(await app.get("/v1/domain_blocks"), []);
  });

  test("a note about a person is the user's own", async () => {
    const [ann, bob] = [await client(), await client()];
    const path = `/v1/accounts/${bob.id}/note`;
    const noted = await ann.app.post<Relationship>(path, { comment: "kind" });
    assert.equal(noted["note"], "kind");
    assert.equal((await relation(bob.app, ann.id))["note"], "");
    await ann.app.post(path, { comment: "" });
    assert.equal((await relation(ann.app, bob.id))["note"], "");
    await ann.app.refused("POST", path, 422, /at most 2000/, {
      comment: "x".repeat(2_001),
    });
  });

  test("the own profile is changed by JSON and by forms with a picture", async () => {
    const { app } = await client();
    const changed = await app.patch<AccountRecord>(
      "/v1/accounts/update_credentials",
      {
        display_name: "Ann Other",
        note: "I *am*",
        fields_attributes: [{ name: "Web", value: "https://ann.example" }],
        source: { privacy: "unlisted", language: "pt-br" },
      },
    );
    assert.equal(changed.display_name, "Ann Other");
    assert.match(changed.note, /<em>am<\/em>/);
    assert.equal(changed.source?.note, "I *am*");
    assert.equal(changed.source.privacy, "unlisted");
    assert.equal(changed.source.language, "pt-BR");
    const preferences =
      await app.get<Record<string, unknown>>("/v1/preferences");
    assert.equal(preferences["posting:default:language"], "pt-BR");
    assert.equal((await app.write("Olá")).language, "pt-BR");
    const english = await app.write("Hi", { language: "en" });
    assert.equal(english.language, "en");
    assert.match(changed.fields[0]?.value ?? "", /^<a href="https:\/\/ann/);
    assert.equal((await app.write("hush")).visibility, "unlisted");
    const form = new FormData();
    const bytes = await picture(60, 60).png().toBuffer();
    form.append("avatar", new Blob([new Uint8Array(bytes)]), "a");
    form.append("header", new Blob([new Uint8Array(bytes)]), "b");
    const pictured = await app.patch<AccountRecord>(
      "/v1/accounts/update_credentials",
      form,
    );
    assert.match(pictured.avatar, /\/media\//);
    assert.equal(pictured.display_name, "Ann Other");
    assert.match(pictured.header, /\/media\//);
  });

  test("people are looked up by their names, also when blocked", async () => {
    const [ann, bob] = [await client(), await client()];
    await ann.app.post(`/v1/accounts/${bob.id}/block`);
    for (const acct of [bob.who.username, bob.who.handle]) {
      const path = `/v1/accounts/lookup?acct=${acct}`;
      const found = await ann.app.get<AccountRecord>(path);
      assert.equal(found.id, String(bob.id));
    }
    const search = await ann.app.get<{ accounts: AccountRecord[] }>(
      `/v2/search?type=accounts&resolve=true&q=${bob.who.handle}`,
    );
    assert.equal(search.accounts[0]?.id, String(bob.id));
    await ann.app.notFound("GET", "/v1/accounts/lookup?acct=nobody");
    await ann.app.notFound("GET", "/v1/accounts/999999");
  });

  test("posts are found by words, by address and tags by their beginning", async () => {
    const ann = await client();
    const status = await ann.app.write("rhubarb #compote");
    const search = (q: string) =>
      ann.app.get<{
        accounts: AccountRecord[];
        statuses: StatusRecord[];
        hashtags: { name: string; following: boolean }[];
      }>(`/v2/search?resolve=true&q=${encodeURIComponent(q)}`);
    assert.equal((await search("rhubarb")).statuses[0]?.id, status.id);
    assert.equal((await search(status.url)).statuses[0]?.id, status.id);
    for (const q of ["#compo", "compo"])
      assert.equal((await search(q)).hashtags[0]?.name, "compote");
    await ann.app.post("/v1/tags/compote/follow");
    assert.equal((await search("compote")).hashtags[0]?.following, true);
    const followed = await ann.app.get<{ name: string }[]>("/v1/followed_tags");
    assert.deepEqual(
      followed.map(({ name }) => name),
      ["compote"],
    );
    await ann.app.post("/v1/tags/compote/unfollow");
    assert.deepEqual(await ann.app.get("/v1/followed_tags"), []);
  });

  test("lists are aspects, with their members and their posts", async () => {
    const [ann, bob] = [await client(), await client()];
    type List = { id: string; title: string };
    const list = await ann.app.post<List>("/v1/lists", { title: "friends" });
    const path = `/v1/lists/${list.id}`;
    await ann.app.post(`${path}/accounts`, { account_ids: [String(bob.id)] });
    const renamed = await ann.app.put<List>(path, { title: "close friends" });
    assert.equal(renamed.title, "close friends");
    const members = await ann.app.get<AccountRecord[]>(
      `${path}/accounts?limit=0`,
    );
    assert.deepEqual(
      members.map(({ id }) => id),
      [String(bob.id)],
    );
    const holding = await ann.app.get<List[]>(`/v1/accounts/${bob.id}/lists`);
    assert.deepEqual(
      holding.map(({ id }) => id),
      [list.id],
    );
    const { id } = await bob.app.write("to my list");
    const shown = await ann.app.get<StatusRecord[]>(
      `/v1/timelines/list/${list.id}`,
    );
    assert.equal(shown[0]?.id, id);
    await bob.app.notFound("GET", path);
    await bob.app.notFound("GET", `/v1/timelines/list/${list.id}`);
    await ann.app.delete(`${path}/accounts`, { account_ids: [String(bob.id)] });
    assert.deepEqual(await ann.app.get(`${path}/accounts`), []);
    await ann.app.delete(path);
    await ann.app.notFound("GET", path);
  });

  test("a report reaches the moderators", async () => {
    const [ann, bob] = [await client(), await client()];
    const { id } = await bob.app.write("buy now");
    const report = await ann.app.post<Relationship>("/v1/reports", {
      account_id: String(bob.id),
      status_ids: [id],
      comment: "advertising",
      category: "spam",
    });
    assert.deepEqual(
      [report["category"], report["comment"], report["status_ids"]],
      ["spam", "advertising", [id]],
    );
    assert.ok((await kith().server.features.moderation.countOpen()) > 0);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  readLinks,
  type AccountRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Relationship = { readonly endorsed: boolean };
type Announcement = {
  readonly id: string;
  readonly reactions: readonly { name: string; count: number; me: boolean }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return {
      id: String(who.record.ID),
      app: MastodonClient.of(kith(), who),
    };
  };

  test("people show some of those whom they follow, until they end it or the follow", async () => {
    const [ann, bob, cid] = [await meet(), await meet(), await meet()];
    const nobody = MastodonClient.of(kith());
    const path = `/v1/accounts/${ann.id}/endorsements`;
    const shown = async (by = nobody) =>
      (await by.get<AccountRecord[]>(path)).map(({ id }) => id);
    await ann.app.refused(
      ...(["POST", `/v1/accounts/${bob.id}/endorse`, 422] as const),
      /already following/,
    );
    await ann.app.post(`/v1/accounts/${bob.id}/unendorse`);
    for (const { id } of [bob, cid]) {
      await ann.app.post(`/v1/accounts/${id}/follow`);
      const { endorsed } = await ann.app.post<Relationship>(
        `/v1/accounts/${id}/endorse`,
      );
      assert.equal(endorsed, true);
    }
    assert.deepEqual(await shown(), [cid.id, bob.id]);
    const page = await nobody.call("GET", `${path}?limit=1`);
    const next = readLinks(page).get("next") ?? assert.fail();
    const { pathname, search } = new URL(next);
    const rest = await nobody.get<AccountRecord[]>(
      pathname.replace("/api", "") + search,
    );
    assert.deepEqual(
      rest.map(({ id }) => id),
      [bob.id],
    );
    // Whom else somebody follows stays with that person.
    await bob.app.post(`/v1/accounts/${cid.id}/follow`);
    assert.deepEqual(
      await nobody.get(`/v1/accounts/${bob.id}/endorsements`),
      [],
    );
    await ann.app.post(`/v1/accounts/${cid.id}/unendorse`);
    assert.deepEqual(await shown(bob.app), [bob.id]);
    await ann.app.post(`/v1/accounts/${bob.id}/unfollow`);
    assert.deepEqual(await shown(), []);
    await ann.app.post(`/v1/accounts/${bob.id}/follow`);
    assert.deepEqual(await ann.app.get("/v1/endorsements"), []);
  });

  test("users react to announcements with emojis, each once", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const { id } = await kith().server.features.announcements.publish(null, {
      text: "Cake",
    });
    const at = (emoji: string, of: number | string = id) =>
      `/v1/announcements/${of}/reactions/${encodeURIComponent(emoji)}`;
    const seen = async (by: MastodonClient) =>
      (await by.get<Announcement[]>("/v1/announcements")).find(
        (it) => it.id === String(id),
      )?.reactions;
    await ann.app.put(at("🎉"));
    await ann.app.put(at("🎉"));
    await bob.app.put(at("🎉"));
    await bob.app.put(at("👩‍👩‍👧"));
    assert.deepEqual(await seen(ann.app), [
      { name: "🎉", count: 2, me: true },
      { name: "👩‍👩‍👧", count: 1, me: false },
    ]);
    await ann.app.delete(at("🎉"));
    await ann.app.delete(at("🎉"));
    assert.deepEqual((await seen(ann.app))?.[0], {
      ...{ name: "🎉", count: 1, me: false },
    });
    for (const wrong of ["a", "🎉🎉", "<b>", ":blob:", "1"])
      await ann.app.refused("PUT", at(wrong), 422, /not a recognized emoji/);
    await ann.app.notFound("PUT", at("🎉", 987_654));
    await ann.app.notFound("DELETE", at("🎉", "x"));
    for (const emoji of ["🍎", "🍐", "🍊", "🍋", "🍌", "🍉"])
      await ann.app.put(at(emoji));
    await ann.app.refused("PUT", at("🍇"), 422, /limit of different/);
    await ann.app.put(at("🎉"));
  });
});

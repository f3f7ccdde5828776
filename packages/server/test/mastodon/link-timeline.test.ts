import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  MastodonClient,
  readLinks,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { page, useWebPages } from "../support/pages/web-pages.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const site = useWebPages();
  const kith = useKith(kind, { env: { KITH_LINK_PREVIEWS: "true" } });
  before(() => kith().server.prepare());

  test("the timeline of a link has the public statuses with a preview of its page", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [app, other] = [
      MastodonClient.of(kith(), ann),
      MastodonClient.of(kith(), bob),
    ];
    site.respond = page(`<head><meta property="og:title" content="It"></head>`);
    const url = site.at("/linked");
    const first = await app.write(`look: ${url}`);
    const second = await other.write(`${url}#part again`);
    await app.write(`${url} for few`, { visibility: "private" });
    await app.write(`${url} unlisted`, { visibility: "unlisted" });
    await app.write(`another ${site.at("/other")}`);
    const path = `/v1/timelines/link?url=${encodeURIComponent(url)}`;
    assert.deepEqual(await app.get(path), [], "not read yet");
    await kith().settle();
    kith().clock.advance(60_000);
    await kith().settle();
    const nobody = MastodonClient.of(kith());
    for (const by of [app, other, nobody]) {
      const list = await by.get<StatusRecord[]>(path);
      assert.deepEqual(
        list.map(({ id, card }) => [id, card?.url, card?.title]),
        [
          [second.id, url, "It"],
          [first.id, url, "It"],
        ],
      );
    }
    const answer = await nobody.call("GET", `${path}&limit=1`);
    const next = readLinks(answer).get("next") ?? "";
    const rest = await nobody.get<StatusRecord[]>(
      next.replace(`${kith().baseUrl}/api`, ""),
    );
    assert.deepEqual(
      rest.map(({ id }) => id),
      [first.id],
    );
    await app.post(`/v1/accounts/${bob.record.ID}/block`);
    assert.equal((await app.get<StatusRecord[]>(path)).length, 1);
    await app.refused("GET", "/v1/timelines/link", 422, /blank/);
    await app.notFound("GET", "/v1/timelines/link?url=none");
  });
});

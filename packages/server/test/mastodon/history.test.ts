import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };

  test("each version of a status and of a reply has its pictures, as they were described", async () => {
    const { app } = await meet();
    const parent = await app.write("a post");
    for (const more of [{}, { in_reply_to_id: parent.id }]) {
      const { id: one } = await app.upload({ description: "one" });
      const { id: two } = await app.upload({ description: "two" });
      const { id } = await app.write("first", { ...more, media_ids: [one] });
      const path = `/v1/statuses/${id}`;
      const edit = async (body: Record<string, unknown>) => {
        kith().clock.advance(2_000);
        await app.put(path, { status: "next", ...body });
      };
      await edit({});
      await edit({ media_attributes: [{ id: one, description: "better" }] });
      await edit({ media_ids: [two, one] });
      await edit({ media_ids: [two] });
      const history = await app.get<StatusRecord[]>(`${path}/history`);
      // The first one is deleted by now.
      assert.deepEqual(
        history.map(({ media_attachments: all }) =>
          all.map(({ description }) => description),
        ),
        [[], [], [], ["two"], ["two"]],
      );
      await edit({ media_attributes: [{ id: two, description: "best" }] });
      const later = await app.get<StatusRecord[]>(`${path}/history`);
      assert.deepEqual(
        later
          .slice(-2)
          .map(({ media_attachments: [only] }) => [
            ...[only?.id, only?.description],
          ]),
        [
          [two, "two"],
          [two, "best"],
        ],
      );
      const { media_attachments: shown } = await app.get<StatusRecord>(path);
      assert.deepEqual(later.at(-1)?.media_attachments, shown);
    }
  });

  test("mentions are links in each version of a status", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const { id } = await ann.app.write(`hello @${bob.who.username}`);
    kith().clock.advance(2_000);
    await ann.app.put(`/v1/statuses/${id}`, { status: "goodbye" });
    const [first, second] = await ann.app.get<StatusRecord[]>(
      `/v1/statuses/${id}/history`,
    );
    assert.match(first?.content ?? "", /class="u-url mention"/);
    assert.equal(second?.content, "<p>goodbye</p>");
  });
});

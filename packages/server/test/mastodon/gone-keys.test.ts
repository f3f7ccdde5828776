import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  readLinks,
  type AccountRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Listed = readonly { readonly id: string }[];

/** Reads a page, and what follows it by its links. */
async function pageOf(app: MastodonClient, path: string) {
  const answer = await app.call("GET", path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  const links = readLinks(answer);
  const follow = (rel: "next" | "prev") => {
    const url = new URL(links.get(rel) ?? assert.fail(`no ${rel} of ${path}`));
    return pageOf(app, url.pathname.slice("/api".length) + url.search);
  };
  return { ids: (answer.json as Listed).map(({ id }) => id), follow };
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  const many = (count: number) =>
    Promise.all(Array.from({ length: count }, client));

  /** @param ids of the records, the newest first @param remove removes one from the list */
  async function checkPages(
    app: MastodonClient,
    path: string,
    ids: readonly string[],
    remove: (id: string) => Promise<unknown>,
  ): Promise<void> {
    const first = await pageOf(app, `${path}?limit=2`);
    assert.deepEqual(first.ids, ids.slice(0, 2));
    await remove(ids[1] ?? "");
    const second = await first.follow("next");
    assert.deepEqual(second.ids, ids.slice(2, 4));
    await remove(ids[2] ?? "");
    assert.deepEqual((await second.follow("prev")).ids, [ids[0]]);
    const plain = await pageOf(app, `${path}?max_id=${ids[0]}`);
    assert.deepEqual(plain.ids, ids.slice(3));
    const oldest = await pageOf(app, `${path}?min_id=0&limit=1`);
    assert.deepEqual(oldest.ids, ids.slice(-1));
    for (const unknown of ["max_id=1", "since_id=1", `max_id=${ids[1]}`])
      await pageOf(app, `${path}?${unknown}`);
    const far = "9".repeat(19);
    await pageOf(app, `${path}?max_id=1-${far}&min_id=1-${far}`);
  }

  test("bookmarks are read on after the last one of a page is removed", async () => {
    const { app } = await client();
    const ids: string[] = [];
    for (const text of ["one", "two", "three", "four", "five"]) {
      const { id } = await app.write(text);
      await app.post(`/v1/statuses/${id}/bookmark`);
      ids.unshift(id);
    }
    await checkPages(app, "/v1/bookmarks", ids, (id) =>
      app.post(`/v1/statuses/${id}/unbookmark`),
    );
    // Nothing is repeated for a program that goes on from an id of its own that has gone.
    const plain = await pageOf(app, `/v1/bookmarks?max_id=${ids[1]}`);
    assert.deepEqual(plain.ids, []);
  });

  test("blocks and mutes are read on after the last one of a page has ended", async () => {
    const { app } = await client();
    for (const [name, end, path] of [
      ["block", "unblock", "/v1/blocks"],
      ["mute", "unmute", "/v1/mutes"],
    ] as const) {
      const ids: string[] = [];
      for (const { who } of await many(5)) {
        const id = String(who.record.ID);
        await app.post(`/v1/accounts/${id}/${name}`);
        kith().clock.advance(1_000);
        ids.unshift(id);
      }
      await checkPages(app, path, ids, (id) =>
        app.post(`/v1/accounts/${id}/${end}`),
      );
    }
  });

  test("follow requests are read on after the last one of a page is accepted", async () => {
    const { app } = await client();
    const { id: own } = await app.patch<AccountRecord>(
      "/v1/accounts/update_credentials",
      { locked: true },
    );
    const ids: string[] = [];
    for (const { app: other, who } of await many(5)) {
      await other.post(`/v1/accounts/${own}/follow`);
      kith().clock.advance(1_000);
      ids.unshift(String(who.record.ID));
    }
    await checkPages(app, "/v1/follow_requests", ids, (id) =>
      app.post(`/v1/follow_requests/${id}/authorize`),
    );
  });

  test("conversations are read on after the last one of a page is put away", async () => {
    const { app } = await client();
    const ids: string[] = [];
    for (const { who } of await many(5)) {
      const { id } = await app.write(`hush @${who.username}`, {
        visibility: "direct",
      });
      ids.unshift(id);
    }
    await checkPages(app, "/v1/conversations", ids, (id) =>
      app.delete(`/v1/conversations/${id}`),
    );
  });
});

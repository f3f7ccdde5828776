import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };
  const WIDE = { visibility: "public" };

  test("a boost can stay out of public lists, and never goes further than its post", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const post = async (visibility: string) =>
      (await ann.app.write("text", { visibility })).id;
    for (const [of, as, expected] of [
      ["public", undefined, "public"],
      ["public", "public", "public"],
      ["public", "unlisted", "unlisted"],
      ["unlisted", "public", "unlisted"],
    ] as const) {
      const path = `/v1/statuses/${await post(of)}/reblog`;
      const fields = as === undefined ? {} : { visibility: as };
      const boost = await bob.app.post<StatusRecord>(path, fields);
      assert.equal(boost.visibility, expected, `${of} as ${as}`);
      const again = await bob.app.post<StatusRecord>(path, WIDE);
      assert.deepEqual([again.id, again.visibility], [boost.id, expected]);
    }
    const id = await post("public");
    for (const visibility of ["private", "direct", "friends", "\0"]) {
      const path = `/v1/statuses/${id}/reblog`;
      const refused = await bob.app.call("POST", path, { visibility });
      assert.equal(refused.status, 422);
    }
    const seen = await ann.app.get<StatusRecord>(`/v1/statuses/${id}`);
    assert.equal(seen.reblogs_count, 0);
  });

  test("an own boost of a post that became hidden is removed, and shows nothing of it", async () => {
    const [ann, bob, eve] = [await meet(), await meet(), await meet()];
    for (const isByWrapper of [true, false]) {
      const { id, uri } = await bob.app.write("the secret word", WIDE);
      const path = `/v1/statuses/${id}`;
      const boost = await ann.app.post<StatusRecord>(`${path}/reblog`);
      await bob.app.post(`/v1/accounts/${ann.id}/block`);
      const wanted = isByWrapper ? boost.id : id;
      const undo = `/v1/statuses/${wanted}/unreblog`;
      await eve.app.post(undo);
      await ann.app.notFound("GET", path);
      const answer = await ann.app.call("POST", undo);
      assert.equal(answer.status, 200);
      assert.doesNotMatch(answer.text, /secret/);
      assert.ok(!answer.text.includes(uri));
      assert.ok(!answer.text.includes(bob.who.username));
      const undone = answer.json as StatusRecord & { reblogged: boolean };
      assert.equal(undone.reblogged, false);
      assert.equal(undone.account.id, String(ann.id));
      await ann.app.notFound("POST", undo);
      await bob.app.post(`/v1/accounts/${ann.id}/unblock`);
      const seen = await ann.app.get<StatusRecord>(path);
      assert.equal(seen.reblogs_count, 0);
    }
  });

  test("several statuses are reported together or not at all", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const ids: string[] = [];
    for (const text of ["one", "two", "three"])
      ids.push((await bob.app.write(text, WIDE)).id);
    const reports = async () =>
      (await kith().server.features.moderation.listReports(0, 1_000)).length;
    const report = (statuses: readonly string[]) =>
      ann.app.call("POST", "/v1/reports", {
        ...{ account_id: String(bob.id), status_ids: statuses },
      });
    kith().clock.advance(25 * HOUR_MS);
    const other = await meet();
    for (let i = 0; i < 48; i += 1) {
      const { id } = await other.app.write(`spam ${i}`, WIDE);
      const about = { account_id: String(other.id), status_ids: [id] };
      await ann.app.post("/v1/reports", about);
    }
    const before = await reports();
    assert.equal((await report(ids)).status, 429);
    assert.equal(await reports(), before);
    assert.equal((await report(ids.slice(0, 2))).status, 200);
    assert.equal(await reports(), before + 2);
  });

  test("several boosts at once are one, and so are their ends", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const { id } = await ann.app.write("text", WIDE);
    const atOnce = (name: string) =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          bob.app.post<StatusRecord>(`/v1/statuses/${id}/${name}`),
        ),
      );
    const boosts = await atOnce("reblog");
    assert.equal(new Set(boosts.map((boost) => boost.id)).size, 1);
    const ends = await atOnce("unreblog");
    assert.deepEqual(new Set(ends.map((status) => status.id)), new Set([id]));
    const seen = await ann.app.get<StatusRecord>(`/v1/statuses/${id}`);
    assert.equal(seen.reblogs_count, 0);
  });
});

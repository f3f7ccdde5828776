import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type FilterStatus = { readonly id: string; readonly status_id: string };
type Filter = { readonly id: string; readonly statuses: FilterStatus[] };
type Filtered = {
  readonly filtered?: readonly {
    readonly keyword_matches: readonly string[];
    readonly status_matches: readonly string[] | null;
  }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };
  type Client = Awaited<ReturnType<typeof client>>;
  const createFilter = (by: Client, more = {}) =>
    by.app.post<Filter>("/v2/filters", {
      ...{ title: "enough", context: ["home", "public", "thread", "account"] },
      ...more,
    });
  const add = (by: Client, filter: Filter, id: string) =>
    by.app.post<FilterStatus>(`/v2/filters/${filter.id}/statuses`, {
      status_id: id,
    });
  const matchesOf = async (by: Client, id: string) =>
    (await by.app.get<Filtered>(`/v1/statuses/${id}`)).filtered?.map(
      ({ keyword_matches, status_matches }) => [
        keyword_matches,
        status_matches,
      ],
    );

  test("a filter names posts, replies and what is reshared, and hides them", async () => {
    const [ann, bob, cid] = [await client(), await client(), await client()];
    await ann.app.post(`/v1/accounts/${bob.id}/follow`);
    const [post, other] = [
      await bob.app.write("a post"),
      await bob.app.write("another"),
    ];
    const reply = await bob.app.write("a reply", { in_reply_to_id: other.id });
    const filter = await createFilter(ann, { filter_action: "warn" });
    assert.deepEqual(filter.statuses, []);
    const named = await add(ann, filter, post.id);
    assert.equal(named.status_id, post.id);
    assert.deepEqual(await add(ann, filter, post.id), named, "once");
    const ofReply = await add(ann, filter, reply.id);
    const path = `/v2/filters/${filter.id}`;
    assert.deepEqual(await ann.app.get(`${path}/statuses`), [named, ofReply]);
    assert.deepEqual((await ann.app.get<Filter>(path)).statuses, [
      named,
      ofReply,
    ]);
    assert.deepEqual(
      await ann.app.get(`/v2/filters/statuses/${named.id}`),
      named,
    );
    assert.deepEqual(await matchesOf(ann, post.id), [[[], [post.id]]]);
    assert.deepEqual(await matchesOf(ann, reply.id), [[[], [reply.id]]]);
    assert.deepEqual(await matchesOf(ann, other.id), []);
    assert.deepEqual(await matchesOf(cid, post.id), []);
    const reshare = await cid.app.post<StatusRecord>(
      `/v1/statuses/${post.id}/reblog`,
    );
    assert.deepEqual(await matchesOf(ann, reshare.id), [[[], [post.id]]]);

    const shown = async () =>
      (await ann.app.get<StatusRecord[]>("/v1/timelines/home")).map(
        ({ id }) => id,
      );
    assert.deepEqual(await shown(), [other.id, post.id]);
    await ann.app.put(path, { filter_action: "hide" });
    assert.deepEqual(await shown(), [other.id]);
    const { descendants } = await ann.app.get<{ descendants: unknown[] }>(
      `/v1/statuses/${other.id}/context`,
    );
    assert.deepEqual(descendants, []);
    await ann.app.delete(`/v2/filters/statuses/${named.id}`);
    assert.deepEqual(await shown(), [other.id, post.id]);
    await bob.app.delete(`/v1/statuses/${reply.id}`);
    await kith().settle();
    assert.deepEqual(await ann.app.get(`${path}/statuses`), []);
  });

  test("neither another's filter nor a hidden status can be named", async () => {
    const [ann, bob] = [await client(), await client()];
    const filter = await createFilter(ann);
    const hidden = await bob.app.write("for few", { visibility: "private" });
    const post = await bob.app.write("a post");
    const path = `/v2/filters/${filter.id}/statuses`;
    await ann.app.refused("POST", path, 422, /blank/);
    for (const status_id of [hidden.id, "1", "none"])
      await ann.app.refused("POST", path, 404, /not found/, { status_id });
    await bob.app.refused("POST", path, 404, /not found/, {
      status_id: post.id,
    });
    await bob.app.notFound("GET", path);
    const named = await add(ann, filter, post.id);
    for (const method of ["GET", "DELETE"] as const)
      await bob.app.notFound(method, `/v2/filters/statuses/${named.id}`);
    assert.deepEqual(await ann.app.get(path), [named]);
    await ann.app.delete(`/v2/filters/${filter.id}`);
    await ann.app.notFound("GET", `/v2/filters/statuses/${named.id}`);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Approval = {
  readonly automatic: readonly string[];
  readonly manual: readonly string[];
  readonly current_user: string;
};
type Status = StatusRecord & { readonly quote_approval: Approval };
type Counted = { readonly quotes_count: number };
type Credentials = { readonly source: { readonly quote_policy: string } };

const REFUSED = /Quote approval policy is not included in the list/;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  type Client = Awaited<ReturnType<typeof client>>;
  const policyOf = async ({ app }: Client) =>
    (await app.get<Credentials>("/v1/accounts/verify_credentials")).source
      .quote_policy;
  const write = async ({ app }: Client, more: Record<string, string> = {}) =>
    (await app.write("words", more)) as Status;
  const see = async (
    { app }: Pick<Client, "app">,
    { id }: { readonly id: string },
  ) => (await app.get<Status>(`/v1/statuses/${id}`)).quote_approval;
  const count = async ({ app }: Client) => {
    const { statuses_count } = await app.get<{ statuses_count: number }>(
      "/v1/accounts/verify_credentials",
    );
    return statuses_count;
  };

  test("a status says who may quote it, and to its author that it is the author's own", async () => {
    const [ann, bob] = [await client(), await client()];
    for (const [policy, automatic, current] of [
      ["public", ["public"], "automatic"],
      ["followers", ["followers"], "denied"],
      ["nobody", [], "denied"],
    ] as const) {
      const status = await write(ann, { quote_approval_policy: policy });
      const shown = { automatic, manual: [] };
      assert.deepEqual(status.quote_approval, {
        ...{ ...shown, current_user: "automatic" },
      });
      assert.deepEqual(await see(bob, status), {
        ...{ ...shown, current_user: current },
      });
      const quoting = { quoted_status_id: status.id };
      const own = await ann.app.write("my own", quoting);
      assert.equal(own.quote?.state, "accepted");
      if (policy === "public") {
        const made = await bob.app.write("look", quoting);
        assert.equal(made.quote?.state, "accepted");
      } else
        await bob.app.refused("POST", "/v1/statuses", 422, /./, {
          ...{ status: "look", ...quoting },
        });
    }
    const forFollowers = await write(ann, {
      quote_approval_policy: "followers",
    });
    const cid = await client();
    await cid.app.post(`/v1/accounts/${forFollowers.account.id}/follow`);
    const { current_user: mayQuote } = await see(cid, forFollowers);
    assert.equal(mayQuote, "automatic");
    const nobody = { app: MastodonClient.of(kith()) };
    assert.equal((await see(nobody, forFollowers)).current_user, "unknown");
    const hidden = await write(ann, { visibility: "private" });
    assert.equal(hidden.quote_approval.current_user, "automatic");
    assert.deepEqual(hidden.quote_approval.automatic, []);
  });

  test("an edit changes it, the account has a usual one, and a wrong one changes nothing", async () => {
    const ann = await client();
    assert.equal(await policyOf(ann), "public");
    const changed = await ann.app.call(
      "PATCH",
      "/v1/accounts/update_credentials",
      { source: { quote_policy: "nobody" } },
    );
    assert.equal(changed.status, 200, changed.text);
    assert.equal(await policyOf(ann), "nobody");
    const status = await write(ann);
    assert.deepEqual(status.quote_approval.automatic, []);
    const path = `/v1/statuses/${status.id}`;
    const edited = await ann.app.put<Status>(path, {
      ...{ status: "words", quote_approval_policy: "public" },
    });
    assert.deepEqual(edited.quote_approval.automatic, ["public"]);
    const before = await count(ann);
    for (const wrong of ["friends", "everyone", "constructor", "Public"]) {
      const more = { status: "words", quote_approval_policy: wrong };
      await ann.app.refused("POST", "/v1/statuses", 422, REFUSED, more);
      await ann.app.refused("PUT", path, 422, REFUSED, {
        ...{ ...more, status: "changed" },
      });
      await ann.app.refused(
        "PATCH",
        "/v1/accounts/update_credentials",
        422,
        REFUSED,
        { source: { quote_policy: wrong } },
      );
    }
    assert.equal(await count(ann), before);
    assert.equal(await policyOf(ann), "nobody");
    assert.deepEqual((await see(ann, status)).automatic, ["public"]);
    // A policy alone may be edited, and nobody edits that of others.
    const eve = await client();
    await eve.app.notFound("PUT", path, {
      ...{ status: "words", quote_approval_policy: "nobody" },
    });
    assert.deepEqual((await see(eve, status)).automatic, ["public"]);
  });

  test("a scheduled status keeps its policy and its quote", async () => {
    const ann = await client();
    const quoted = await write(await client());
    const at = new Date(kith().clock.now().getTime() + 3_600_000);
    await ann.app.post("/v1/statuses", {
      ...{ status: "later", scheduled_at: at.toISOString() },
      ...{ quote_approval_policy: "nobody", quoted_status_id: quoted.id },
    });
    kith().clock.advance(3_601_000);
    await kith().settle();
    const [status] = await ann.app.get<Status[]>(
      `/v1/accounts/${ann.who.record.ID}/statuses`,
    );
    assert.match(status?.content ?? "", /later/);
    assert.deepEqual(status?.quote_approval.automatic, []);
    assert.equal(status.quote?.quoted_status?.id, quoted.id);
  });

  test("a status counts and lists the statuses that quote it, for those who may see them", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    const status = await write(ann);
    const path = `/v1/statuses/${status.id}`;
    const quoting = async ({ app }: Client, visibility = "public") => {
      kith().clock.advance(1_000);
      const more = { quoted_status_id: status.id, visibility };
      return (await app.write("look", more)).id;
    };
    const made = [
      await quoting(bob),
      await quoting(bob, "unlisted"),
      await quoting(eve),
    ].toReversed();
    const hidden = await quoting(bob, "private");
    const listed = async (app: MastodonClient, query = "") => {
      const found = await app.get<StatusRecord[]>(`${path}/quotes${query}`);
      return found.map(({ id }) => id);
    };
    const counted = async (app: MastodonClient) =>
      (await app.get<Counted>(path)).quotes_count;
    const nobody = MastodonClient.of(kith());
    for (const app of [ann.app, eve.app, nobody]) {
      assert.deepEqual(await listed(app), made);
      assert.equal(await counted(app), 3);
    }
    assert.deepEqual(await listed(bob.app), [hidden, ...made]);
    assert.equal(await counted(bob.app), 4);
    const first = await ann.app.call("GET", `${path}/quotes?limit=2`);
    assert.match(
      first.headers.get("link") ?? "",
      new RegExp(`quotes\\?limit=2&max_id=${made[1]}>; rel="next"`),
    );
    assert.deepEqual(await listed(ann.app, `?limit=2&max_id=${made[1]}`), [
      made[2],
    ]);
    assert.deepEqual(await listed(ann.app, `?min_id=${made[2]}&limit=1`), [
      made[1],
    ]);
    await ann.app.post(`/v1/accounts/${eve.who.record.ID}/mute`);
    assert.deepEqual(await listed(ann.app), made.slice(1));
    // The quoted status must be visible.
    const limited = await write(ann, { visibility: "private" });
    await eve.app.notFound("GET", `/v1/statuses/${limited.id}/quotes`);
  });

  test("its author takes a status out of another, for good; nobody else does", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    const status = await write(ann);
    const more = { quoted_status_id: status.id };
    const made = await bob.app.write("look", more);
    const own = await ann.app.write("my own", more);
    const other = await write(ann);
    const path = `/v1/statuses/${status.id}/quotes`;
    for (const { app } of [bob, eve])
      await app.notFound("POST", `${path}/${made.id}/revoke`);
    for (const wrong of [own.id, other.id, status.id, "0", "x"])
      await ann.app.notFound("POST", `${path}/${wrong}/revoke`);
    const reply = await bob.app.write("re", { in_reply_to_id: status.id });
    await ann.app.notFound("POST", `${path}/${reply.id}/revoke`);
    const elsewhere = `/v1/statuses/${other.id}/quotes/${made.id}/revoke`;
    await ann.app.notFound("POST", elsewhere);
    const counted = await ann.app.get<Counted>(`/v1/statuses/${status.id}`);
    assert.equal(counted.quotes_count, 2);
    const revoked = await ann.app.post<Status>(`${path}/${made.id}/revoke`);
    assert.equal(revoked.id, made.id);
    assert.equal(revoked.quote?.state, "revoked");
    assert.equal(revoked.quote.quoted_status, null);
    const left = await bob.app.get<StatusRecord[]>(path);
    assert.deepEqual(
      left.map(({ id }) => id),
      [own.id],
    );
    await ann.app.notFound("POST", `${path}/${made.id}/revoke`);
  });

  test("the policy of a status changes by itself", async () => {
    const [ann, bob] = [await client(), await client()];
    const { id } = await write(ann, { spoiler_text: "careful" });
    const path = `/v1/statuses/${id}/interaction_policy`;
    const given = { quote_approval_policy: "nobody" };
    await bob.app.notFound("PUT", path, given);
    for (const wrong of ["friends", ""])
      await ann.app.refused("PUT", path, 422, /Quote approval policy/, {
        quote_approval_policy: wrong,
      });
    await ann.app.refused("PUT", path, 422, /Quote approval policy/);
    assert.deepEqual((await see(bob, { id })).automatic, ["public"]);
    const changed = await ann.app.put<Status>(path, given);
    assert.deepEqual(changed.quote_approval.automatic, []);
    assert.deepEqual(
      [changed.spoiler_text, changed.content],
      ["careful", "<p>words</p>"],
    );
    const reply = await bob.app.write("re", { in_reply_to_id: id });
    const below = `/v1/statuses/${reply.id}/interaction_policy`;
    await ann.app.notFound("PUT", below, given);
    await bob.app.refused("PUT", below, 422, /cannot be quoted/, given);
  });
});

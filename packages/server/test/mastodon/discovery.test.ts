import assert from "node:assert/strict";
import { test } from "node:test";
import { member, signUpAs } from "../support/scenes/crew.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Account = { readonly id: string; readonly acct: string };
type Suggestion = { readonly account: Account };
type Waiting = {
  readonly id: string;
  readonly username: string;
  readonly approved: boolean;
  readonly invite_request: string | null;
  readonly account: Account;
};

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_REGISTRATION: "approval" } });
  let count = 0;
  const client = async () => {
    const username = `seeker${(count += 1)}`;
    const who = await member(kith(), username);
    const app = new MastodonClient(kith().baseUrl, who.token);
    const { id } = await app.get<Account>("/v1/accounts/verify_credentials");
    return { app, id, username };
  };
  type Client = Awaited<ReturnType<typeof client>>;

  const idsOf = async ({ app }: Client, path: string) =>
    (await app.get<Account[]>(path)).map(({ id }) => id);
  const suggested = async ({ app }: Client) =>
    (await app.get<Suggestion[]>("/v2/suggestions")).map(
      ({ account }) => account.id,
    );

  test("the directory has those who want to be found, by age or by their last post", async () => {
    const [ann, bob, cleo] = [await client(), await client(), await client()];
    await ann.app.write("first");
    await bob.app.write("second");
    await cleo.app.patch("/v1/accounts/update_credentials", {
      discoverable: false,
    });
    await cleo.app.write("unseen");
    const active = await idsOf(ann, "/v1/directory");
    assert.deepEqual(active.slice(0, 2), [bob.id, ann.id]);
    assert.ok(!active.includes(cleo.id));
    const newest = await idsOf(ann, "/v1/directory?order=new&local=true");
    assert.deepEqual(newest.slice(0, 2), [bob.id, ann.id]);
    const second = "/v1/directory?order=new&limit=1&offset=1";
    assert.deepEqual(await idsOf(ann, second), [ann.id]);
    await bob.app.post(`/v1/accounts/${ann.id}/block`);
    for (const path of ["/v1/directory", "/v1/directory?order=new"]) {
      assert.ok(!(await idsOf(ann, path)).includes(bob.id));
      assert.ok(!(await idsOf(bob, path)).includes(ann.id));
    }
    await ann.app.refused("GET", "/v1/directory?order=odd", 422, /Order/);
  });

  test("suggested are the authors whom followed people reshare, and nobody hidden", async () => {
    const [ann, bob, cleo, dora, emil] = [
      await client(),
      await client(),
      await client(),
      await client(),
      await client(),
    ];
    const reshare = async (by: Client, of: Client) => {
      const { id } = await of.app.write("worth reading");
      await by.app.post(`/v1/statuses/${id}/reblog`);
    };
    assert.deepEqual(await suggested(ann), []);
    // Whom somebody follows is told to nobody.
    await bob.app.post(`/v1/accounts/${emil.id}/follow`);
    await reshare(bob, dora);
    assert.deepEqual(await suggested(ann), []);
    for (const followed of [bob, cleo])
      await ann.app.post(`/v1/accounts/${followed.id}/follow`);
    assert.deepEqual(await suggested(ann), [dora.id]);
    await reshare(bob, emil);
    await reshare(cleo, emil);
    assert.deepEqual(await suggested(ann), [emil.id, dora.id]);
    assert.deepEqual(await idsOf(ann, "/v1/suggestions?limit=1"), [emil.id]);
    await emil.app.post(`/v1/accounts/${ann.id}/block`);
    assert.deepEqual(await suggested(ann), [dora.id]);
    await dora.app.patch("/v1/accounts/update_credentials", {
      discoverable: false,
    });
    assert.deepEqual(await suggested(ann), []);
    await dora.app.patch("/v1/accounts/update_credentials", {
      discoverable: true,
    });
    assert.deepEqual(await suggested(ann), [dora.id]);
    await ann.app.post(`/v1/accounts/${dora.id}/follow`);
    assert.deepEqual(await suggested(ann), []);
    await ann.app.post(`/v1/accounts/${dora.id}/unfollow`);
    assert.deepEqual(await suggested(ann), [dora.id]);
    kith().clock.advance(8 * 24 * 60 * 60 * 1000);
    assert.deepEqual(await suggested(ann), []);
  });

  test("moderators approve and reject those who wait", async () => {
    const { token: modToken } = await member(kith(), "keeper", "moderator");
    const mod = new MastodonClient(kith().baseUrl, modToken);
    for (const [name, reason] of [
      ["ida", "I bake."],
      ["odo", ""],
    ] as const)
      await signUpAs(kith(), name, { reason });
    const list = (query: string) => mod.get<Waiting[]>(query);
    const waiting = await list("/v1/admin/accounts?pending=true");
    assert.deepEqual(
      waiting.map(({ username }) => username),
      ["odo", "ida"],
    );
    const [odo, ida] = waiting;
    assert.equal(ida?.invite_request, "I bake.");
    assert.equal(ida.approved, false);
    const [next] = await list(
      `/v2/admin/accounts?status=pending&max_id=${odo?.id}`,
    );
    assert.equal(next?.id, ida.id);
    const path = `/v1/admin/accounts/${ida.id}`;
    assert.equal((await mod.get<Waiting>(path)).username, "ida");
    const approved = await mod.post<Waiting>(`${path}/approve`);
    assert.equal(approved.approved, true);
    assert.equal(approved.account.acct, "ida");
    assert.notEqual(approved.id, ida.id);
    const { token } = await kith().token("ida");
    assert.ok(token);
    await mod.post(`/v1/admin/accounts/${odo?.id}/reject`);
    assert.deepEqual(await list("/v1/admin/accounts?pending=true"), []);
    const before = await kith().snapshot();
    for (const act of ["approve", "reject"]) {
      await mod.notFound("POST", `${path}/${act}`);
      await mod.refused(
        ...(["POST", `/v1/admin/accounts/${approved.id}/${act}`] as const),
        ...([403, "This action is not allowed"] as const),
      );
    }
    assert.deepEqual(await kith().snapshot(), before);
  });
});

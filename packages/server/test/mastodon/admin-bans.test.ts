import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Role } from "../../src/features/accounts/index.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

const DOMAINS = "/v1/admin/email_domain_blocks";
const ADDRESSES = "/v1/admin/canonical_email_blocks";
const NETWORKS = "/v1/admin/ip_blocks";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async (role: Role) =>
    MastodonClient.of(kith(), await kith().person({ role }));

  test("admins ban mail domains", async () => {
    const app = await client("admin");
    const body = { domain: "Junk.example" };
    const made = await app.post<Entity>(DOMAINS, body);
    assert.equal(made["domain"], "junk.example");
    assert.deepEqual(made["history"], []);
    assert.deepEqual(await app.get(`${DOMAINS}/${made.id}`), made);
    assert.deepEqual(await app.get(DOMAINS), [made]);
    // Its number is that of no other kind.
    for (const path of [ADDRESSES, NETWORKS])
      assert.equal((await app.call("GET", `${path}/${made.id}`)).status, 404);
    assert.equal(
      (await app.call("DELETE", `${NETWORKS}/${made.id}`)).status,
      404,
    );
    assert.equal(
      (await app.call("DELETE", `${DOMAINS}/${made.id}`)).status,
      200,
    );
    assert.deepEqual(await app.get(DOMAINS), []);
  });

  test("admins ban mail addresses, and try whether one is banned", async () => {
    const app = await client("admin");
    const made = await app.post<Entity>(ADDRESSES, {
      email: "Eve+a@box.example",
    });
    const hash = createHash("sha256").update("eve@box.example").digest("hex");
    assert.deepEqual(made, { id: made.id, canonical_email_hash: hash });
    const again = { canonical_email_hash: hash };
    assert.deepEqual(await app.post(ADDRESSES, again), made);
    const tried = (email: string) => app.post(`${ADDRESSES}/test`, { email });
    assert.deepEqual(await tried("EVE@box.example"), [made]);
    assert.deepEqual(await tried("adam@box.example"), []);
  });

  test("admins ban networks, and change it", async () => {
    const app = await client("admin");
    const made = await app.post<Entity>(NETWORKS, {
      ...{ ip: "192.0.2.7/24", severity: "sign_up_block" },
      ...{ comment: "bots", expires_in: "3600" },
    });
    assert.equal(made["ip"], "192.0.2.0/24");
    assert.match(String(made["expires_at"]), /^\d{4}-/);
    const put = { severity: "sign_up_requires_approval" };
    const answer = await app.call("PUT", `${NETWORKS}/${made.id}`, put);
    assert.equal(answer.status, 200);
    const [changed] = await app.get<Entity[]>(NETWORKS);
    assert.equal(changed?.id, made.id);
    assert.equal(changed["severity"], "sign_up_requires_approval");
    assert.equal(changed["comment"], "bots");
    for (const wrong of [
      { ip: "192.0.2.7" },
      { ip: "192.0.2.7", severity: "mild" },
      { ip: "host.example", severity: "no_access" },
      { ip: "127.0.0.1", severity: "no_access" },
    ])
      assert.equal((await app.call("POST", NETWORKS, wrong)).status, 422);
    assert.equal((await app.get<Entity[]>(NETWORKS)).length, 1);
  });

  test("moderators and users are refused", async () => {
    for (const role of ["moderator", "user"] as const) {
      const app = await client(role);
      for (const path of [DOMAINS, ADDRESSES, NETWORKS]) {
        for (const method of ["GET", "POST"] as const)
          assert.equal((await app.call(method, path)).status, 403);
        for (const method of ["GET", "DELETE"] as const)
          assert.equal((await app.call(method, `${path}/1`)).status, 403);
      }
      assert.equal((await app.call("PUT", `${NETWORKS}/1`)).status, 403);
      assert.equal((await app.call("POST", `${ADDRESSES}/test`)).status, 403);
    }
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createScopedApp } from "../support/mastodon/scoped-app.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { Role } from "../../src/features/accounts/index.ts";

type Account = {
  readonly id: string;
  readonly username: string;
  readonly domain: string | null;
  readonly silenced: boolean;
  readonly suspended: boolean;
  readonly account: { id: string };
};

type Report = {
  readonly id: string;
  readonly action_taken: boolean;
  readonly comment: string;
  readonly account: Account | null;
  readonly target_account: Account;
  readonly assigned_account: Account | null;
  readonly action_taken_by_account: Account | null;
  readonly statuses: readonly { id: string }[];
};

const ROUTES = [
  ["GET", "/v1/admin/accounts"],
  ["GET", "/v2/admin/accounts"],
  ["GET", "/v1/admin/accounts/999999"],
  ["POST", "/v1/admin/accounts/999999/action"],
  ["POST", "/v1/admin/accounts/999999/unsuspend"],
  ["POST", "/v1/admin/accounts/999999/unsilence"],
  ["POST", "/v1/admin/accounts/999999/approve"],
  ["POST", "/v1/admin/accounts/999999/reject"],
  ["GET", "/v1/admin/reports"],
  ["GET", "/v1/admin/reports/999999"],
  ["POST", "/v1/admin/reports/999999/assign_to_self"],
  ["POST", "/v1/admin/reports/999999/unassign"],
  ["POST", "/v1/admin/reports/999999/resolve"],
  ["POST", "/v1/admin/reports/999999/reopen"],
] as const;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async (role?: Role) => {
    const who = await kith().person(role ? { role } : {});
    return {
      ...{ who, id: String(who.record.ID) },
      app: MastodonClient.of(kith(), who),
    };
  };

  test("moderators handle reports", async () => {
    const [mod, ann, bob] = [
      await client("moderator"),
      await client(),
      await client(),
    ];
    const { id } = await bob.app.write("rude words");
    await ann.app.post("/v1/reports", {
      ...{ account_id: bob.id, status_ids: [id], comment: "look at this" },
    });
    const [report] = await mod.app.get<Report[]>("/v1/admin/reports");
    assert.ok(report);
    assert.equal(report.comment, "look at this");
    assert.equal(report.account?.id, ann.id);
    assert.equal(report.target_account.account.id, bob.id);
    assert.deepEqual(
      report.statuses.map((it) => it.id),
      [id],
    );
    const path = `/v1/admin/reports/${report.id}`;
    const act = (name: string) => mod.app.post<Report>(`${path}/${name}`);
    assert.equal((await act("assign_to_self")).assigned_account?.id, mod.id);
    assert.equal((await act("unassign")).assigned_account, null);
    const resolved = await act("resolve");
    assert.equal(resolved.action_taken, true);
    assert.equal(resolved.action_taken_by_account?.id, mod.id);
    assert.deepEqual(await mod.app.get("/v1/admin/reports"), []);
    const closed = await mod.app.get<Report[]>(
      "/v1/admin/reports?resolved=true",
    );
    assert.equal(closed[0]?.id, report.id);
    assert.equal((await act("reopen")).action_taken, false);
    await mod.app.post(`/v1/admin/accounts/${bob.id}/action`, {
      ...{ type: "silence", text: "too rude", report_id: report.id },
    });
    const after = await mod.app.get<Report>(path);
    assert.equal(after.action_taken, true);
    assert.equal(after.target_account.silenced, true);
    await mod.app.notFound("GET", "/v1/admin/reports/999999");
  });

  test("a report of a limited post does not show it", async () => {
    const [mod, ann, bob] = [
      await client("moderator"),
      await client(),
      await client(),
    ];
    await bob.app.post(`/v1/accounts/${ann.id}/follow`);
    await ann.app.post(`/v1/accounts/${bob.id}/follow`);
    const { id } = await bob.app.write("between us", { visibility: "private" });
    await ann.app.post("/v1/reports", {
      ...{ account_id: bob.id, status_ids: [id] },
    });
    const answer = await mod.app.call("GET", "/v1/admin/reports");
    assert.doesNotMatch(answer.text, /between us/);
  });

  test("moderators suspend, silence and reinstate people, here and elsewhere", async () => {
    const [mod, bob] = [await client("moderator"), await client()];
    const other = await remotePerson(kith(), "zoe@remote.example");
    for (const [id, domain] of [
      [bob.id, null],
      [String(other.id), "remote.example"],
    ] as const) {
      const path = `/v1/admin/accounts/${id}`;
      const state = async () => {
        const found = await mod.app.get<Account>(path);
        assert.equal(found.domain, domain);
        return [found.silenced, found.suspended];
      };
      const act = (type: string) => mod.app.post(`${path}/action`, { type });
      assert.deepEqual(await state(), [false, false]);
      await act("none");
      await act("silence");
      assert.deepEqual(await state(), [true, false]);
      await act("suspend");
      assert.deepEqual(await state(), [true, true]);
      const list = async (query: string) =>
        (await mod.app.get<Account[]>(`/v1/admin/accounts?${query}`)).map(
          (it) => it.id,
        );
      assert.ok((await list("suspended=true")).includes(id));
      assert.ok((await list("silenced=true")).includes(id));
      await mod.app.post(`${path}/unsilence`);
      await mod.app.post(`${path}/unsuspend`);
      assert.deepEqual(await state(), [false, false]);
      assert.ok(!(await list("suspended=true")).includes(id));
    }
    const refused = (type: string) =>
      mod.app.refused(
        "POST",
        `/v1/admin/accounts/${bob.id}/action`,
        422,
        /Type/,
        { type },
      );
    await refused("disable");
    await mod.app.notFound("POST", "/v1/admin/accounts/999999/action", {
      type: "none",
    });
    const boss = await client("admin");
    await mod.app.refused(
      "POST",
      `/v1/admin/accounts/${boss.id}/action`,
      403,
      "This action is not allowed",
      { type: "suspend" },
    );
  });

  test("others are refused, whatever their token grants", async () => {
    const ann = await client();
    const before = await kith().snapshot();
    for (const [method, path] of ROUTES) {
      const answer = await ann.app.call(method, path);
      assert.equal(
        `${answer.status} ${answer.text}`,
        '403 {"error":"This action is not allowed"}',
      );
      const nobody = await MastodonClient.of(kith()).call(method, path);
      assert.equal(nobody.status, 401);
    }
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("tokens of moderators need the scope of each call", async () => {
    const { who } = await client("moderator");
    const app = createScopedApp(kith());
    for (const [method, path] of ROUTES) {
      const verb = method === "GET" ? "read" : "write";
      const part = path.includes("reports") ? "reports" : "accounts";
      const status = (...scopes: string[]) =>
        app.statusOf(method, `/api${path}`, who.token, scopes);
      assert.notEqual(await status(`admin:${verb}:${part}`), 403, path);
      assert.equal(await status("read", "write", "follow", "push"), 403, path);
    }
  });
});

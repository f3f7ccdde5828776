import assert from "node:assert/strict";
import { before, test } from "node:test";
import { runAccountCommand } from "../../src/cli/commands/account-commands.ts";
import { runAuditCommand } from "../../src/cli/commands/audit-commands.ts";
import { runHostsCommand } from "../../src/cli/commands/moderation/host-commands.ts";
import { runRelaysCommand } from "../../src/cli/commands/relay-commands.ts";
import { CodeNeeded } from "../../src/features/accounts/index.ts";
import type { UserId } from "../../src/features/ids.ts";
import { assertError, type ApiClient } from "../support/server/api-client.ts";
import { actsSince, lastAct, member } from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { browsing, enrol } from "../support/sign-in/second-factor.ts";

type Account = { ID: number; Username: string; Role: string; State: string };
type Entry = { ID: number; By: string; Action: string; Details: string };
type Policy = { Host: string; Blocked: boolean; Reason: string };
type Relay = { ID: number; Url: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let boss: ApiClient;
  let keeper: ApiClient;
  before(async () => {
    boss = await member(kith(), "boss", "admin");
    keeper = await member(kith(), "keeper", "moderator");
  });

  const find = async (username: string) => {
    const all = await boss.get<Account[]>("/admin/accounts", {
      name: username,
    });
    const account = all.find((it) => it.Username === username);
    return account ?? assert.fail(username);
  };

  test("accounts are found by a part of the name, by role and by state", async () => {
    for (const name of ["ann_a", "annxa", "joanna"]) await member(kith(), name);
    const names = async (query: Record<string, string>) =>
      (await keeper.get<Account[]>("/admin/accounts", query)).map(
        ({ Username }) => Username,
      );
    assert.deepEqual(await names({ name: "ANN" }), [
      ...["joanna", "annxa", "ann_a"],
    ]);
    assert.deepEqual(await names({ name: "ann_a" }), ["ann_a"]);
    assert.deepEqual(await names({ name: "ann%" }), []);
    assert.deepEqual(await names({ role: "moderator" }), ["keeper"]);
    assert.deepEqual(await names({ name: "ann", state: "pending" }), []);
    assert.deepEqual(await names({ name: "ann", limit: "1", offset: "1" }), [
      "annxa",
    ]);
    const path = "/admin/accounts";
    for (const query of ["role=king", "state=gone"])
      await keeper.badRequest("GET", `${path}?${query}`);
    const gone = await keeper.call("GET", `${path}/999999`);
    assertError(gone, 404, "User not found", "no such account");
  });

  test("a role is given, and the last admin stays", async () => {
    const first = await find("boss");
    const path = `/admin/accounts/${first.ID}`;
    const form = { role: "user" };
    await boss.refused("PUT", path, { form }, 409, "Conflict");
    const before = await lastAct(kith());
    await member(kith(), "second");
    const second = await find("second");
    const at = `/admin/accounts/${second.ID}`;
    const made = await boss.put<Account>(at, { role: "admin" });
    assert.equal(made.Role, "admin");
    const { administration } = kith().server.features;
    // Each takes it from the other at once.
    const done = await Promise.allSettled(
      ["boss", "second"].map((username) =>
        administration.setRole(null, { username }, "moderator"),
      ),
    );
    const statuses = done.map(({ status }) => status).sort();
    assert.deepEqual(statuses, ["fulfilled", "rejected"]);
    const admins = await administration.list(
      { role: "admin" },
      { offset: 0, limit: 10 },
    );
    assert.equal(admins.length, 1);
    await administration.setRole(null, { username: "boss" }, "admin");
    const acts = await actsSince(kith(), before);
    assert.equal(acts.length, 3);
    assert.equal(acts[0], "boss: account.set_role second");
    await boss.blank("PUT", at);
    await boss.badRequest("PUT", at, { form: { role: "king" } });
    await keeper.refused("PUT", at, { form }, 403, "Forbidden");
  });

  test("a new password is shown once, and ends all sessions and tokens", async () => {
    const lost = await member(kith(), "lost");
    const { accounts } = kith().server.features;
    const session = (await accounts.signIn("lost", PASSWORD))?.secret ?? "";
    assert.ok(await accounts.findSession(session));
    const { ID } = await find("lost");
    const before = await lastAct(kith());
    const path = `/admin/accounts/${ID}/password`;
    const { Password } = await boss.post<{ Password: string }>(path);
    assert.ok(Password.length >= 16);
    assert.equal(await accounts.findSession(session), undefined);
    await lost.unauthorized("GET", "/aspects");
    assert.equal(await accounts.signIn("lost", PASSWORD), undefined);
    assert.ok(await accounts.signIn("lost", Password));
    assert.deepEqual(await actsSince(kith(), before), [
      "boss: account.reset_password lost",
    ]);
    const log = await kith().server.features.audit.list({
      offset: 0,
      limit: 10,
    });
    assert.ok(!JSON.stringify(log).includes(Password));
  });

  test("sessions and tokens are ended", async () => {
    const careless = await member(kith(), "careless");
    const { ID } = await find("careless");
    const before = await lastAct(kith());
    await boss.delete(`/admin/accounts/${ID}/sessions`);
    await careless.unauthorized("GET", "/aspects");
    assert.ok(
      (await kith().token("careless")).token,
      "the password still holds",
    );
    assert.deepEqual(await actsSince(kith(), before), [
      "boss: account.end_sessions careless",
    ]);
  });

  test("an admin removes the second factor of a person who has lost it", async () => {
    const user = await browsing(kith(), "phoneless");
    await enrol(kith(), user);
    const { accounts } = kith().server.features;
    const grant = {
      ...{ username: "phoneless", password: PASSWORD, clientId: "app" },
    };
    await assert.rejects(accounts.issueToken(grant), CodeNeeded);
    const { ID } = await find("phoneless");
    const path = `/admin/accounts/${ID}/second_factor`;
    await keeper.refused("DELETE", path, {}, 403, "Forbidden");
    const before = await lastAct(kith());
    await boss.delete(path);
    assert.ok((await accounts.issueToken(grant)).token);
    assert.deepEqual(await actsSince(kith(), before), [
      "boss: account.reset_second_factor phoneless",
    ]);
  });

  test("a closed account stays as it is", async () => {
    await member(kith(), "closed");
    const { ID } = await find("closed");
    const { accounts } = kith().server.features;
    await kith().db.transaction((tx) => accounts.closeMoved(tx, ID as UserId));
    const path = `/admin/accounts/${ID}`;
    const form = { role: "admin" };
    await boss.refused("PUT", path, { form }, 409, "Conflict");
    await boss.refused("POST", `${path}/password`, {}, 409, "Conflict");
  });

  test("servers are decided of, by admins alone; it is applied and written down", async () => {
    const before = await lastAct(kith());
    const decide = (decision: string, reason = "") =>
      boss.post("/admin/hosts", { host: "Bad.Example", decision, reason });
    await decide("block", "spam");
    await decide("reject_media");
    const [policy] = await keeper.get<Policy[]>("/admin/hosts");
    assert.deepEqual([policy?.Host, policy?.Blocked], ["bad.example", true]);
    const { hostPolicies } = kith().server.features;
    assert.equal(await hostPolicies.isHostAllowed("x.bad.example"), false);
    await boss.delete("/admin/hosts/bad.example");
    await boss.notFound("DELETE", "/admin/hosts/bad.example");
    assert.deepEqual(await boss.get("/admin/hosts"), []);
    for (const form of [
      { host: "a b", decision: "block" },
      { host: kith().host, decision: "block" },
      { host: "x.example", decision: "burn" },
    ])
      await boss.badRequest("POST", "/admin/hosts", { form });
    await boss.blank("POST", "/admin/hosts", { form: { decision: "block" } });
    assert.deepEqual(await actsSince(kith(), before), [
      "boss: host.block bad.example",
      "boss: host.reject_media bad.example",
      "boss: host.forgive bad.example",
    ]);
  });

  test("relays and the queue are looked after, and each act is written down", async () => {
    const before = await lastAct(kith());
    const url = "https://relay.example/inbox";
    await boss.post("/admin/relays", { url });
    const form = { url };
    await boss.refused("POST", "/admin/relays", { form }, 409, "Conflict");
    await boss.badRequest("POST", "/admin/relays", {
      form: { url: "ftp://x" },
    });
    const queue = await boss.get<{ Kind: string }[]>("/admin/queue");
    assert.ok(queue.some(({ Kind }) => Kind === "follow-relay"));
    await boss.post("/admin/queue/retry", { kind: "follow-relay" });
    await boss.blank("POST", "/admin/queue/drop", { form: { host: " " } });
    const dropped = await boss.post("/admin/queue/drop", {
      kind: "follow-relay",
    });
    assert.deepEqual(dropped, { Dropped: 1, Running: 0 });
    const [relay] = await boss.get<Relay[]>("/admin/relays");
    assert.equal(relay?.Url, url);
    await boss.delete(`/admin/relays/${relay.ID}`);
    await boss.notFound("DELETE", `/admin/relays/${relay.ID}`);
    assert.deepEqual(await actsSince(kith(), before), [
      `boss: relay.add ${url}`,
      "boss: queue.retry ",
      "boss: queue.drop ",
      `boss: relay.remove ${url}`,
    ]);
  });

  test("actions on the command line are recorded, too", async () => {
    const { features } = kith().server;
    const before = await lastAct(kith());
    const say = () => {};
    await member(kith(), "cli");
    await runAccountCommand(features, ["promote", "cli", "moderator"], say);
    const options = { json: false, yes: false };
    await runHostsCommand(
      features,
      ["silence", "loud.example"],
      { ...options, reason: "noise" },
      say,
    );
    await runHostsCommand(features, ["forgive", "loud.example"], options, say);
    const relay = "https://relay.example/actor";
    await runRelaysCommand(features.relays, ["add", relay], say);
    await runRelaysCommand(features.relays, ["remove", relay], say);
    const expected = [
      "command line: account.set_role cli",
      "command line: host.silence loud.example",
      "command line: host.forgive loud.example",
      `command line: relay.add ${relay}`,
      `command line: relay.remove ${relay}`,
    ];
    assert.deepEqual(await actsSince(kith(), before), expected);
    const lines: string[] = [];
    const run = (words: string[]) =>
      runAuditCommand(features.audit, words, (line) => {
        lines.push(line);
      });
    await run(["list"]);
    const [, newest = "", , , silenced = ""] = lines;
    assert.match(newest, /Z\tcommand line\trelay\.remove\thttps:/);
    assert.match(silenced, /\thost\.silence\tloud\.example\tnoise$/);
    await assert.rejects(run(["burn"]), /kith audit list/);
  });

  test("the log is read from the newest on, in parts", async () => {
    const all = await boss.get<Entry[]>("/admin/audit", { limit: "100" });
    const ids = all.map(({ ID }) => ID);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    const part = await boss.get<Entry[]>("/admin/audit", {
      ...{ before: String(ids[2]), limit: "2" },
    });
    assert.deepEqual(
      part.map(({ ID }) => ID),
      ids.slice(3, 5),
    );
    const [role] = all.filter(({ Action }) => Action === "account.set_role");
    assert.equal(role?.Details, "user -> moderator");
    await keeper.refused("GET", "/admin/audit", {}, 403, "Forbidden");
  });

  test("a failed action is not recorded, and an unrecorded one is not performed", async () => {
    const { administration, audit } = kith().server.features;
    const unchanged = await kith().snapshot();
    const nobody = { username: "nobody" };
    await assert.rejects(administration.endSessions(null, nobody));
    await assert.rejects(
      kith().db.transaction(async (tx) => {
        await audit.recordAct(tx, {
          ...{ by: null, action: "host.block", target: "x.example" },
        });
        throw new Error("the act fails");
      }),
    );
    assert.deepEqual(await kith().snapshot(), unchanged);
  });
});

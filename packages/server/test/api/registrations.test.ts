import assert from "node:assert/strict";
import { before, test } from "node:test";
import { runAccountCommand } from "../../src/cli/commands/account-commands.ts";
import type { UserId } from "../../src/features/ids.ts";
import { assertError, type ApiClient } from "../support/server/api-client.ts";
import {
  actsSince,
  lastAct,
  member,
  signUpAs,
} from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Registration = { ID: number; Username: string; Reason: string };
type Overview = { PendingRegistrations: number };

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_REGISTRATION: "approval" } });
  let keeper: ApiClient;
  before(async () => {
    keeper = await member(kith(), "keeper", "moderator");
  });

  const list = () => keeper.get<Registration[]>("/admin/registrations");

  const register = async (username: string, reason = "") => {
    const { status, text } = await signUpAs(kith(), username, { reason });
    assert.equal(status, 302, text);
    const found = (await list()).find((it) => it.Username === username);
    assert.ok(found);
    return found;
  };

  const webfinger = async (username: string) => {
    const resource = `acct:${username}@${kith().host}`;
    const at = `${kith().baseUrl}/.well-known/webfinger?resource=${resource}`;
    return (await fetch(at)).status;
  };

  test("a newcomer says why, waits unseen, and is accepted", async () => {
    const waiting = await register("ada", "I know Bob.\nAnd I bake.");
    assert.equal(waiting.Reason, "I know Bob.\nAnd I bake.");
    const overview = await keeper.get<Overview>("/admin/overview");
    assert.equal(overview.PendingRegistrations, 1);
    assert.equal(await webfinger("ada"), 404);
    const handle = `ada@${kith().host}`;
    const { features } = kith().server;
    assert.equal(await features.people.find({ handle }), undefined);
    assert.equal(
      await features.accounts.signIn("ada", "correct horse"),
      undefined,
    );
    const before = await lastAct(kith());
    await keeper.post(`/admin/registrations/${waiting.ID}/approve`);
    assert.deepEqual(await list(), []);
    assert.equal(await webfinger("ada"), 200);
    const { token } = await kith().token("ada");
    const ada = kith().anonymous.with(token);
    assert.deepEqual(await ada.get("/aspects"), []);
    assert.equal(
      (await features.accounts.getProofKey(waiting.ID as UserId)).type,
      "private",
    );
    const account = await features.administration.get(waiting.ID as UserId);
    assert.equal(account.reason, null, "it was for the decision alone");
    const again = `/admin/registrations/${waiting.ID}/approve`;
    await keeper.refused("POST", again, {}, 409, "Conflict");
    assert.deepEqual(await actsSince(kith(), before), [
      "keeper: account.approve ada",
    ]);
  });

  test("a rejected account is removed completely, and the name is free", async () => {
    const first = await register("bert");
    const before = await lastAct(kith());
    await keeper.delete(`/admin/registrations/${first.ID}`);
    assert.deepEqual(await actsSince(kith(), before), [
      "keeper: account.reject bert",
    ]);
    assert.equal(await kith().server.features.accounts.find("bert"), undefined);
    const second = await register("bert");
    assert.notEqual(second.ID, first.ID);
    await keeper.post(`/admin/registrations/${second.ID}/approve`);
    const path = `/admin/registrations/${second.ID}`;
    await keeper.refused("DELETE", path, {}, 409, "Conflict");
    assert.equal((await kith().token("bert")).ClientID, "test");
  });

  test("a waiting account of an older Kith that could be found is closed when it is rejected", async () => {
    await member(kith(), "olga");
    const { administration, accounts, people } = kith().server.features;
    await kith().db.transaction((tx) =>
      tx
        .updateTable("users")
        .set({ state: "pending" })
        .where("username", "=", "olga")
        .execute(),
    );
    await administration.reject(null, { username: "olga" });
    assert.equal((await accounts.find("olga"))?.state, "closed");
    const handle = `olga@${kith().host}`;
    assert.equal((await people.find({ handle }))?.state, "closed");
  });

  test("a reason has at most 1,000 characters, and an overlong one changes nothing", async () => {
    const unchanged = await kith().snapshot();
    const reason = "🦌".repeat(1_001);
    const refused = await signUpAs(kith(), "longwinded", { reason });
    assert.equal(refused.status, 422);
    const page = await signUpAs(kith(), "longwinded", { reason }, "text/html");
    assert.match(page.text, /Your reason is too long/);
    assert.match(page.text, /<textarea[^>]*aria-invalid="true"/);
    assert.deepEqual(await kith().snapshot(), unchanged);
    const { ID } = await register("longwinded", "🦌".repeat(1_000));
    await keeper.delete(`/admin/registrations/${ID}`);
  });

  test("two who decide at once do not both succeed", async () => {
    const { ID } = await register("contested");
    const before = await lastAct(kith());
    const answers = await Promise.all([
      keeper.call("POST", `/admin/registrations/${ID}/approve`),
      keeper.call("DELETE", `/admin/registrations/${ID}`),
    ]);
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1, answers.map(({ text }) => text).join());
    assert.equal((await actsSince(kith(), before)).length, 1);
  });

  test("the command line lists, approves and rejects", async () => {
    await register("clara", "tab\there\nand a line");
    await register("dora");
    const lines: string[] = [];
    const run = (...words: string[]) =>
      runAccountCommand(kith().server.features, words, (line) => {
        lines.push(line);
      });
    await run("list");
    const rows = lines.map((line) => line.split("\t"));
    const clara = rows.find(([name]) => name === "clara");
    assert.deepEqual(clara?.toSpliced(3, 1), [
      ...["clara", "user", "pending", "tab here and a line"],
    ]);
    const before = await lastAct(kith());
    await run("approve", "clara");
    await run("reject", "Dora");
    await assert.rejects(
      run("approve", "clara"),
      /is not waiting for approval\.$/,
    );
    await assert.rejects(run("reject", "nobody"), /no account nobody/);
    assert.deepEqual(await actsSince(kith(), before), [
      "command line: account.approve clara",
      "command line: account.reject dora",
    ]);
    assert.ok((await kith().token("clara")).token);
  });

  test("a missing account cannot be decided", async () => {
    for (const id of ["999999", "0", "x"]) {
      const path = `/admin/registrations/${id}`;
      const answer = await keeper.call("DELETE", path);
      assertError(answer, 404, "User not found", id);
    }
  });
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { runBansCommand } from "../../src/cli/commands/moderation/ban-commands.ts";
import { lockKey } from "../../src/db/dialect.ts";
import { createForgetBans } from "../../src/features/bans/index.ts";
import { timestamp } from "../../src/lib/time/clock.ts";
import type { ApiClient } from "../support/server/api-client.ts";
import { tokenIn, useMailBox } from "../support/mail/mail-box.ts";
import { newUser, visitor } from "../support/pages/visit.ts";
import { actsSince, lastAct, member } from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

type Ban = {
  readonly ID: number;
  readonly Kind: string;
  readonly Value: string;
  readonly Severity: string;
  readonly Comment: string;
  readonly ExpiresAt: string | null;
};

const BANS = "/admin/bans";
const NO_NETWORK = /No accounts can be made from your network/;
const NO_ADDRESS = /This e-mail address cannot be used here/;

forEachDatabase((kind) => {
  const box = useMailBox();
  const kith = useKith(kind, {
    env: {
      KITH_TRUSTED_PROXIES: "127.0.0.1",
      get KITH_SMTP_URL() {
        return box.url();
      },
      KITH_MAIL_FROM: "kith@kith.example",
    },
  });
  let boss: ApiClient;
  before(async () => {
    boss = await member(kith(), "boss", "admin");
  });

  let count = 0;
  const ban = (form: Record<string, string>) => boss.post<Ban>(BANS, form);
  /** Signs up from a network, as a program. */
  const signUp = async (from: string, more: Record<string, string> = {}) => {
    count += 1;
    const username = `guest${count}`;
    const answer = await fetch(`${kith().baseUrl}/users/sign_up`, {
      method: "POST",
      headers: { accept: "application/json", "x-forwarded-for": from },
      body: new URLSearchParams({ username, password: PASSWORD, ...more }),
      redirect: "manual",
    });
    return { username, status: answer.status, text: await answer.text() };
  };
  const stateOf = async (username: string) =>
    (await boss.get<{ State: string }[]>("/admin/accounts", { name: username }))
      .map(({ State }) => State)
      .join();
  const invite = async () => {
    const { Url } = await boss.post<{ Url: string }>("/invitations", {});
    return new URL(Url).searchParams.get("invitation") ?? assert.fail(Url);
  };

  test("a banned network signs nobody up, and its neighbours do", async () => {
    const made = await ban({
      ...{ kind: "network", value: "198.51.100.77/24" },
      ...{ severity: "no_sign_ups", comment: "bots" },
    });
    assert.equal(made.Value, "198.51.100.0/24");
    const refused = await signUp("198.51.100.3");
    assert.equal(refused.status, 422);
    assert.match(refused.text, NO_NETWORK);
    assert.equal(await stateOf(refused.username), "");
    assert.equal((await signUp("198.51.101.3")).status, 302);
    // An invitation opens no door that is shut, and is not used up.
    const invitation = await invite();
    const guest = await signUp("198.51.100.3", { invitation });
    assert.equal(guest.status, 422);
    assert.equal((await signUp("192.0.2.9", { invitation })).status, 302);
    await boss.delete(`${BANS}/${made.ID}`);
    assert.equal((await signUp("198.51.100.3")).status, 302);
  });

  test("a ban that is set during a sign-up is met by it", async () => {
    const { db, server, clock } = kith();
    for (const [severity, state] of [
      ["no_sign_ups", ""],
      ["approval", "pending"],
    ] as const) {
      const username = `late${severity.length}`;
      const from = `192.0.2.${severity.length}`;
      const { signedUp } = await db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, "bans");
        const signedUp = server.features.accounts.signUp({
          ...{ username, password: PASSWORD, from },
        });
        // It has made its first check, and waits for this transaction.
        for (let turn = 0; turn < 200; turn += 1) await setImmediate();
        const ban = { kind: "network", value: `${from}/32`, severity } as const;
        await tx
          .insertInto("bans")
          .values({ ...ban, comment: "", created_at: timestamp(clock.now()) })
          .execute();
        return { signedUp };
      });
      const { kind: outcome } = await signedUp;
      assert.equal(outcome, state === "" ? "refused" : "created");
      assert.equal(await stateOf(username), state);
    }
  });

  test("a range of IPv6 meets its subscribers, and a mapped address is one of IPv4", async () => {
    await ban({
      ...{ kind: "network", value: "2001:db8:5::1/128" },
      severity: "no_sign_ups",
    });
    await ban({
      ...{ kind: "network", value: "::ffff:203.0.113.5" },
      severity: "no_sign_ups",
    });
    const values = (await boss.get<Ban[]>(BANS)).map(({ Value }) => Value);
    assert.ok(values.includes("2001:db8:5::/64"), String(values));
    assert.ok(values.includes("203.0.113.5/32"), String(values));
    assert.equal((await signUp("2001:db8:5::abcd")).status, 422);
    assert.equal((await signUp("2001:db8:5:1::abcd")).status, 302);
    assert.equal((await signUp("203.0.113.5")).status, 422);
  });

  test("sign-ups of a network wait for approval, but for guests of an invitation", async () => {
    await ban({
      ...{ kind: "network", value: "192.0.2.64/26" },
      severity: "approval",
    });
    const waiting = await signUp("192.0.2.65");
    assert.equal(waiting.status, 302);
    assert.equal(await stateOf(waiting.username), "pending");
    const guest = await signUp("192.0.2.66", { invitation: await invite() });
    assert.equal(await stateOf(guest.username), "active");
  });

  test("a network without access is refused every page and call, and not the admin's own", async () => {
    const [value, severity] = ["198.18.4.0/22", "no_access"];
    const from = (network: string, path: string) =>
      fetch(`${kith().baseUrl}${path}`, {
        headers: { "x-forwarded-for": network },
      });
    const made = await ban({ kind: "network", value, severity });
    for (const path of ["/", "/users/sign_in", "/api/v0/openapi.json"]) {
      assert.equal((await from("198.18.7.255", path)).status, 403, path);
      assert.notEqual((await from("198.18.8.0", path)).status, 403, path);
    }
    await boss.delete(`${BANS}/${made.ID}`);
    assert.equal((await from("198.18.7.255", "/users/sign_in")).status, 200);
    const unchanged = await kith().snapshot();
    await boss.badRequest("POST", BANS, {
      form: { kind: "network", value: "127.0.0.0/8", severity },
    });
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("a banned mail domain covers what is below it, and no namesakes", async () => {
    await ban({
      ...{ kind: "mail_domain", value: "Throwaway.Example" },
      severity: "no_sign_ups",
    });
    for (const email of ["a@throwaway.example", "b@mx.THROWAWAY.example"]) {
      const refused = await signUp("192.0.2.1", { email });
      assert.equal(refused.status, 422, email);
      assert.match(refused.text, NO_ADDRESS);
    }
    const email = "c@notthrowaway.example";
    assert.equal((await signUp("192.0.2.1", { email })).status, 302);
    assert.equal((await signUp("192.0.2.1")).status, 302);
  });

  test("a banned address is met in every spelling, and stored as a hash alone", async () => {
    const made = await ban({
      ...{ kind: "mail_address", value: "Mal.Lory+one@Gmail.com" },
      severity: "no_sign_ups",
    });
    const hash = createHash("sha256").update("mallory@gmail.com").digest("hex");
    assert.equal(made.Value, hash);
    await ban({
      ...{ kind: "mail_address", value: "eve.x@mail.example" },
      severity: "no_sign_ups",
    });
    const meets = async (email: string) =>
      (await signUp("192.0.2.1", { email })).status === 422;
    assert.ok(await meets("m.a.l.l.o.r.y+two@gmail.com"));
    assert.ok(await meets("EVE.X+z@mail.example"));
    // Elsewhere a dot makes another box.
    assert.ok(!(await meets("evex@mail.example")));
    const stored = JSON.stringify([
      await kith().db.read.selectFrom("bans").selectAll().execute(),
      await kith().db.read.selectFrom("audit_log").selectAll().execute(),
    ]);
    assert.doesNotMatch(stored, /mal\.?lory|eve\.x/i);
  });

  test("an address that is banned is taken by no account, also while its link waits", async () => {
    const ann = await newUser(kith().baseUrl, "ann");
    const { csrf_token, password } = ann;
    const want = (email: string) =>
      ann.post("/settings/mail/address", { csrf_token, email, password });
    assert.equal((await want("ann@later.example")).status, 200);
    await kith().settle();
    const mail = box.to("ann@later.example").at(-1) ?? assert.fail("No mail");
    const token = tokenIn(mail, "/mail/confirm");
    const form = { kind: "mail_domain", value: "later.example" };
    await ban({ ...form, severity: "no_sign_ups" });
    const refused = await want("ann2@later.example");
    assert.equal(refused.status, 409);
    assert.match(refused.text, NO_ADDRESS);
    assert.equal((await ann.post("/mail/confirm", { token })).status, 404);
    // Approval is a matter of sign-ups.
    await ban({ ...form, severity: "approval" });
    assert.equal((await want("ann3@later.example")).status, 200);
  });

  test("a ban ends by itself, and is deleted then", async () => {
    const made = await ban({
      ...{ kind: "network", value: "192.0.2.200", severity: "no_access" },
      days: "2",
    });
    const { db, clock } = kith();
    const visit = () =>
      fetch(`${kith().baseUrl}/users/sign_in`, {
        headers: { "x-forwarded-for": "192.0.2.200" },
      });
    assert.equal((await visit()).status, 403);
    clock.advance(2 * DAY_MS);
    assert.equal((await visit()).status, 200);
    // Notes the first use of this day.
    await boss.get(BANS);
    await boss.notFound("DELETE", `${BANS}/${made.ID}`);
    const forget = createForgetBans({ db, clock });
    const { signal } = new AbortController();
    await forget({}, { signal } as Parameters<typeof forget>[1]);
    const left = await db.read
      .selectFrom("bans")
      .select("id")
      .where("id", "=", made.ID)
      .execute();
    assert.deepEqual(left, []);
  });

  test("bad input is refused and changes nothing", async () => {
    const unchanged = await kith().snapshot();
    const [network, mail] = [{ kind: "network" }, { kind: "mail_domain" }];
    const severity = "no_sign_ups";
    for (const form of [
      ...["1.2.3", "10.0.0.0/7", "10.0.0.0/33", "::/0", "1.2.3.4/x", "a"].map(
        (value) => ({ ...network, value, severity }),
      ),
      ...["no domain", "a@b.example", "1.2.3.4", "x..example"].map((value) => ({
        ...{ ...mail, value, severity },
      })),
      { kind: "mail_address", value: "nobody", severity },
      { ...mail, value: "a.example", severity: "no_access" },
      { ...mail, value: "a.example", severity: "harsh" },
      { kind: "moon", value: "a.example", severity },
      { ...mail, value: "a.example", severity, comment: "x".repeat(501) },
      { ...mail, value: "a.example", severity, days: "0" },
      { ...mail, value: "a.example", severity, days: "3651" },
    ])
      await boss.badRequest("POST", BANS, { form });
    await boss.notFound("DELETE", `${BANS}/999999`);
    await boss.notFound("DELETE", `${BANS}/x`);
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("a page bans and lifts, and keeps what was typed", async () => {
    const browser = visitor(kith().baseUrl);
    const form = { username: "boss", password: PASSWORD };
    await browser.post("/users/sign_in", form);
    const { text } = await browser.get(BANS);
    const [, csrf_token = ""] =
      /name="csrf_token" value="([^"]+)"/.exec(text) ?? [];
    const typed = { kind: "network", severity: "no_sign_ups", csrf_token };
    const wrong = await browser.post(`${BANS}/set`, {
      ...typed,
      value: "odd one",
    });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="odd one"/);
    const value = "203.0.113.128/25";
    const done = await browser.post(`${BANS}/set`, {
      ...{ ...typed, value, days: "3", comment: "noise" },
    });
    assert.equal(done.status, 302, done.text);
    const shown = (await browser.get(BANS)).text;
    assert.match(shown, /203\.0\.113\.128\/25/);
    assert.match(shown, /The ban is in force/);
    const [made] = await boss.get<Ban[]>(BANS);
    assert.deepEqual([made?.Value, made?.Comment], [value, "noise"]);
    const id = String(made?.ID);
    const lifted = await browser.post(`${BANS}/lift`, { csrf_token, id });
    assert.equal(lifted.status, 302);
    const again = await browser.post(`${BANS}/lift`, { csrf_token, id });
    assert.equal(again.status, 422);
  });

  test("the command line bans and lifts, and the log names no network", async () => {
    const last = await lastAct(kith());
    const run = async (...words: string[]) => {
      const said: string[] = [];
      const options = { json: false, yes: false, reason: "cli" };
      const more = words[0] === "lift" || words[0] === "list";
      await runBansCommand(
        kith().server.features.bans,
        words,
        more ? { json: false, yes: false } : options,
        (line) => said.push(line),
      );
      return said.join("\n");
    };
    const said = await run("network", "203.0.113.99", "no-access");
    const [, id = ""] = /lift (\d+)/.exec(said) ?? assert.fail(said);
    assert.match(await run("list"), /203\.0\.113\.99\/32\s+no_access\s+cli/);
    await run("lift", id);
    assert.deepEqual(await actsSince(kith(), last), [
      `command line: ban.set network ${id}`,
      `command line: ban.lift network ${id}`,
    ]);
    for (const words of [
      ["network"],
      ["network", "x"],
      ["moon", "x"],
      ["lift", id],
    ])
      await assert.rejects(run(...words), { name: "UsageError" });
  });

  test("admins alone see bans, and decide", async () => {
    const keeper = await member(kith(), "keeper", "moderator");
    for (const [method, path] of [
      ["GET", BANS],
      ["POST", BANS],
      ["DELETE", `${BANS}/1`],
    ] as const)
      assert.equal((await keeper.call(method, path)).status, 403);
  });
});

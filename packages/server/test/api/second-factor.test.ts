import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { UsageError } from "../../src/cli/usage.ts";
import { createLog } from "../../src/observability/log.ts";
import { visitor } from "../support/pages/visit.ts";
import { unpack } from "../support/scenes/archive.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { dumpDatabase } from "../support/remote/key-forms.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import {
  appOf,
  browsing,
  enrol,
  recoveryCodesOn,
  resetPassword,
  resetSecondFactor,
  secretOn,
  type Changing,
} from "../support/sign-in/second-factor.ts";
import type { IssuedTokenRecord } from "../support/server/wire.ts";

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const TOKENS = "/oauth/tokens";

forEachDatabase((kind) => {
  const lines: string[] = [];
  const log = createLog("trace", (text) => text, {
    write: (line: string): void => void lines.push(line),
  });
  const kith = useKith(kind, { log });
  before(() => kith().clock.stopAt(kith().clock.now()));
  /** Secrets that must not be stored or logged. */
  const secrets: string[] = [];

  const grant = (username: string, more: Record<string, string> = {}) => ({
    ...{ grant_type: "password", username, password: PASSWORD },
    ...{ client_id: "test", ...more },
  });
  const askToken = (username: string, more: Record<string, string> = {}) =>
    kith().anonymous.call("POST", TOKENS, { form: grant(username, more) });
  const passTime = () => kith().clock.advance(2 * STEP_MS);
  const someone = (username: string) => browsing(kith(), username);
  const protect = async (user: Changing) => {
    const made = await enrol(kith(), user);
    secrets.push(made.app.secret, ...made.recoveryCodes);
    passTime();
    return made;
  };
  /** Gives the right password in a new browser. */
  const firstStep = async (username: string) => {
    const browser = visitor(kith().baseUrl);
    const form = { username, password: PASSWORD };
    const answer = await browser.post("/users/sign_in", form);
    return { ...browser, answer };
  };
  const secondStep = (
    browser: Pick<ReturnType<typeof visitor>, "post">,
    code: string,
  ) => browser.post("/users/sign_in/second", { code });

  describe("setting it up", () => {
    test("shows a secret, and counts only when a code of it was seen", async () => {
      const ann = await someone("ann");
      const begun = await ann.change("second_factor");
      assert.equal(begun.status, 200);
      assert.equal(begun.headers.get("cache-control"), "private, no-store");
      const app = appOf(kith(), secretOn(begun.text));
      secrets.push(app.secret);
      assert.match(begun.text, /<svg[^>]+role="img"/);
      assert.equal((await askToken("ann")).status, 200, "not yet");
      const code = String((Number(app.code()) + 1) % 1e6).padStart(6, "0");
      const wrong = await ann.change("second_factor/confirm", { code });
      assert.equal(wrong.status, 401);
      for (const text of [wrong.text, (await ann.see()).text]) {
        assert.equal(secretOn(text), "", "it is not shown again");
        assert.doesNotMatch(text, /<svg[^>]+role="img"|otpauth:/);
        assert.ok(!text.replaceAll(" ", "").includes(app.secret));
      }
      assert.equal((await askToken("ann")).status, 200, "not yet");
      const right = { code: app.code() };
      const done = await ann.change("second_factor/confirm", right);
      const codes = recoveryCodesOn(done.text);
      secrets.push(...codes);
      assert.equal(new Set(codes).size, 10);
      assert.equal((await askToken("ann")).status, 401);
      const used = await askToken("ann", { otp: app.code() });
      assert.equal(used.status, 401, "the first code is used up");
      const page = await ann.see();
      assert.match(page.text, /You have 10 recovery codes left/);
      assert.ok(!codes.some((it) => page.text.includes(it)), "shown once");
      const again = await ann.change("second_factor");
      assert.equal(again.status, 409);
    });

    test("begun again, it makes another secret, and the first one counts no more", async () => {
      const ina = await someone("ina");
      const begin = async () =>
        appOf(kith(), secretOn((await ina.change("second_factor")).text));
      const first = await begin();
      const second = await begin();
      assert.notEqual(first.secret, second.secret);
      const old = { code: first.code() };
      const path = "second_factor/confirm";
      assert.equal((await ina.change(path, old)).status, 401);
      const right = { code: second.code() };
      assert.equal((await ina.change(path, right)).status, 200);
    });

    test("ends all other sessions and all tokens, and keeps this one", async () => {
      const bea = await someone("bea");
      const other = await firstStep("bea");
      assert.equal((await other.get("/home")).status, 200);
      const { token } = await kith().token("bea");
      await protect(bea);
      assert.equal((await bea.see()).status, 200);
      assert.equal((await other.get("/home")).status, 302);
      await kith().anonymous.with(token).unauthorized("GET", TOKENS);
    });

    test("needs the password, the form's token, a session, and to be done soon", async () => {
      const cid = await someone("cid");
      const before = await kith().snapshot();
      const wrong = await cid.change("second_factor", { password: "wrong!" });
      assert.equal(wrong.status, 401);
      const forged = await cid.change("second_factor", { csrf_token: "x" });
      assert.equal(forged.status, 403);
      const stranger = visitor(kith().baseUrl);
      const form = { password: PASSWORD };
      const path = "/settings/security/second_factor";
      assert.equal((await stranger.post(path, form)).status, 302);
      const early = await cid.change("second_factor/confirm", {
        code: "123456",
      });
      assert.equal(early.status, 409);
      assert.deepEqual(await kith().snapshot(), before);
      const begun = await cid.change("second_factor");
      const app = appOf(kith(), secretOn(begun.text));
      kith().clock.advance(31 * MINUTE_MS);
      const late = { code: app.code() };
      assert.equal(
        (await cid.change("second_factor/confirm", late)).status,
        409,
      );
      assert.equal((await askToken("cid")).status, 200);
    });
  });

  describe("signing in", () => {
    test("the password leads to a second page, and to no session before it", async () => {
      const { app } = await protect(await someone("dan"));
      const browser = await firstStep("dan");
      assert.equal(browser.answer.status, 302);
      assert.equal(
        browser.answer.headers.get("location"),
        "/users/sign_in/second",
      );
      const [cookie = "", ...more] = browser.answer.headers.getSetCookie();
      assert.match(cookie, /^kith_sign_in_\d+=.*HttpOnly; SameSite=Lax$/);
      assert.match(cookie, /Max-Age=600;/);
      assert.deepEqual(more, []);
      assert.equal((await browser.get("/home")).status, 302);
      const page = await browser.get("/users/sign_in/second");
      assert.match(page.text, /autocomplete="one-time-code"/);
      const wrong = await secondStep(browser, "000000");
      assert.equal(wrong.status, 401);
      assert.equal((await browser.get("/home")).status, 302);
      const pending = { cookie: browser.cookies() };
      const spaced = `${app.code().slice(0, 3)} ${app.code().slice(3)}`;
      const right = await secondStep(browser, spaced);
      assert.equal(right.headers.get("location"), "/home");
      assert.equal((await browser.get("/home")).status, 200);
      passTime();
      const replayed = await visitor(kith().baseUrl).post(
        "/users/sign_in/second",
        { code: app.code() },
        pending,
      );
      assert.equal(replayed.headers.get("location"), "/users/sign_in");
      assert.equal(replayed.headers.getSetCookie().length, 0, "used up");
    });

    test("without a second factor nothing is asked", async () => {
      await someone("eve");
      const { answer } = await firstStep("eve");
      assert.equal(answer.headers.get("location"), "/home");
    });

    test("a wrong password says nothing of it", async () => {
      await protect(await someone("fay"));
      await someone("gus");
      const answers = await Promise.all(
        ["fay", "gus"].map(async (username) => {
          const form = { username, password: "wrong!" };
          const browser = visitor(kith().baseUrl);
          const { status, headers, text } = await browser.post(
            "/users/sign_in",
            form,
          );
          assert.deepEqual(headers.getSetCookie(), []);
          const api = await askToken(username, {
            password: "wrong!",
            otp: "123456",
          });
          assert.equal(api.headers.get("x-otp"), null);
          return [
            status,
            text.replaceAll(username, ""),
            api.status,
            api.text,
          ] as const;
        }),
      );
      assert.deepEqual(answers[0], answers[1]);
      assert.equal(answers[0]?.[0], 401);
    });

    test("a code counts once, however many come at the same time", async () => {
      const { app } = await protect(await someone("hal"));
      const browsers = await Promise.all(
        Array.from({ length: 6 }, () => firstStep("hal")),
      );
      const code = app.code();
      const answers = await Promise.all([
        ...browsers.map((browser) => secondStep(browser, code)),
        ...[1, 2, 3].map(() => askToken("hal", { otp: code })),
      ]);
      const let_in = answers.filter(({ status }) =>
        [200, 302].includes(status),
      );
      assert.equal(let_in.length, 1);
      const late = await secondStep(await firstStep("hal"), code);
      assert.equal(late.status, 401);
      const older = await secondStep(await firstStep("hal"), app.code(-1));
      assert.equal(older.status, 401, "nor an older one after it");
    });

    test("a recovery code counts once, however many come at the same time", async () => {
      const { recoveryCodes } = await protect(await someone("ida"));
      const [code = "", other = ""] = recoveryCodes;
      const answers = await Promise.all([
        secondStep(await firstStep("ida"), code.toUpperCase()),
        secondStep(await firstStep("ida"), code.replaceAll("-", " ")),
        askToken("ida", { otp: code }),
      ]);
      const let_in = answers.filter(({ status }) =>
        [200, 302].includes(status),
      );
      assert.equal(let_in.length, 1);
      const again = await secondStep(await firstStep("ida"), code);
      assert.equal(again.status, 401);
      const browser = await firstStep("ida");
      assert.equal((await secondStep(browser, other)).status, 302);
      const page = await browser.get("/settings/security");
      assert.match(page.text, /You have 8 recovery codes left/);
    });

    test("a pending sign-in ends after ten minutes, and with a new password", async () => {
      const { app } = await protect(await someone("jan"));
      const slow = await firstStep("jan");
      kith().clock.advance(10 * MINUTE_MS);
      const late = await secondStep(slow, app.code());
      assert.equal(late.headers.get("location"), "/users/sign_in");
      const waiting = await firstStep("jan");
      await resetPassword(kith(), "jan");
      const ended = await secondStep(waiting, app.code());
      assert.equal(ended.headers.get("location"), "/users/sign_in");
      assert.equal(
        (await waiting.get("/users/sign_in/second")).headers.get("location"),
        "/users/sign_in",
      );
      const fresh = await firstStep("jan");
      assert.equal(
        fresh.answer.headers.get("location"),
        "/users/sign_in/second",
        "a new password leaves the second factor on",
      );
      const right = await secondStep(fresh, app.code());
      assert.equal(right.headers.get("location"), "/home");
    });

    test("the code of one account opens no other", async () => {
      const { app, recoveryCodes } = await protect(await someone("kim"));
      await protect(await someone("lea"));
      const browser = await firstStep("lea");
      for (const code of [app.code(), recoveryCodes[0] ?? "", "", "' or 1=1"])
        assert.equal((await secondStep(browser, code)).status, 401);
    });
  });

  describe("tokens", () => {
    test("need a code as well, as parameter or as header", async () => {
      const { app, recoveryCodes } = await protect(await someone("mia"));
      const alone = await askToken("mia");
      assert.equal(alone.status, 401);
      assert.equal(alone.text, '{"error":"Unauthorized"}');
      assert.equal(alone.headers.get("x-otp"), "required");
      for (const otp of ["", " ", "000000", "x".repeat(5000)])
        assert.equal((await askToken("mia", { otp })).status, 401);
      const issued = await askToken("mia", { otp: app.code() });
      assert.equal(issued.status, 200, issued.text);
      const { token } = JSON.parse(issued.text) as IssuedTokenRecord;
      const client = kith().anonymous.with(token);
      await client.get(TOKENS);
      const headers = { "X-OTP": recoveryCodes[0] ?? "" };
      const form = grant("mia", { client_id: "second", otp: "000000" });
      const second = await kith().anonymous.call("POST", TOKENS, {
        form,
        headers,
      });
      assert.equal(second.status, 200);
      // A session or token that has passed it is enough, together with the password.
      await client.put("/users/password", {
        current_password: PASSWORD,
        password: "another horse",
      });
      const left = await client.call("DELETE", "/users", {
        form: { password: "another horse" },
      });
      assert.equal(left.status, 200);
    });

    test("without a second factor a code changes nothing", async () => {
      await someone("ned");
      for (const more of [{}, { otp: "" }, { otp: "123456" }])
        assert.equal((await askToken("ned", more)).status, 200);
      const wrong = { password: "wrong!", otp: "123456" };
      assert.equal((await askToken("ned", wrong)).status, 401);
      assert.equal((await askToken("nobody9", wrong)).status, 404);
    });
  });

  describe("changing it", () => {
    test("needs the password and a code; then other sessions and tokens end", async () => {
      const pat = await someone("pat");
      const { app, recoveryCodes } = await protect(pat);
      const other = await firstStep("pat");
      await secondStep(other, app.code());
      const waiting = await firstStep("pat");
      const before = await pat.see();
      for (const path of ["recovery_codes", "second_factor/remove"])
        for (const form of [
          {},
          { code: "000000" },
          { code: app.code(1), password: "wrong!" },
          { code: app.code(1), csrf_token: "x" },
        ]) {
          const { status } = await pat.change(path, form);
          assert.equal(status, "csrf_token" in form ? 403 : 401, path);
        }
      assert.equal((await pat.see()).text, before.text);
      assert.equal((await other.get("/home")).status, 200);
      const renewed = await pat.change("recovery_codes", { code: app.code(1) });
      const fresh = recoveryCodesOn(renewed.text);
      secrets.push(...fresh);
      assert.equal(new Set([...fresh, ...recoveryCodes]).size, 20);
      assert.equal((await other.get("/home")).status, 302);
      passTime();
      const stale = await secondStep(waiting, app.code());
      assert.equal(stale.headers.get("location"), "/users/sign_in");
      const old = { code: recoveryCodes[0] ?? "" };
      assert.equal((await pat.change("second_factor/remove", old)).status, 401);
      const token = await askToken("pat", { otp: app.code() });
      assert.equal(token.status, 200);
      const { token: secret } = JSON.parse(token.text) as IssuedTokenRecord;
      const off = await pat.change("second_factor/remove", {
        code: fresh[0] ?? "",
      });
      assert.equal(off.status, 302);
      await kith().anonymous.with(secret).unauthorized("GET", TOKENS);
      assert.equal((await pat.see()).status, 200);
      assert.equal((await askToken("pat")).status, 200);
      for (const table of ["second_factors", "recovery_codes"] as const) {
        const rows = await kith()
          .db.read.selectFrom(table)
          .innerJoin("users", "users.id", `${table}.user_id`)
          .select("username")
          .where("username", "=", "pat")
          .execute();
        assert.deepEqual(rows, []);
      }
    });

    test("an operator removes it, and ends what was begun with it", async () => {
      const quinn = await someone("quinn");
      const { app } = await protect(quinn);
      const token = await askToken("quinn", { otp: app.code() });
      const { token: secret } = JSON.parse(token.text) as IssuedTokenRecord;
      const waiting = await firstStep("quinn");
      const said = await resetSecondFactor(kith(), "QUINN");
      assert.match(said, /every session and token has ended\.$/);
      await assert.rejects(resetSecondFactor(kith(), "nobody9"), {
        message: "There is no account nobody9.",
      });
      await assert.rejects(resetSecondFactor(kith()), UsageError);
      assert.equal((await quinn.see()).status, 302);
      await kith().anonymous.with(secret).unauthorized("GET", TOKENS);
      passTime();
      const stale = await secondStep(waiting, app.code());
      assert.equal(stale.headers.get("location"), "/users/sign_in");
      const { answer } = await firstStep("quinn");
      assert.equal(answer.headers.get("location"), "/home");
    });
  });

  test("an export says that there is one, and no more", async () => {
    const { app } = await protect(await someone("rosa"));
    const issued = await askToken("rosa", { otp: app.code() });
    const { token } = JSON.parse(issued.text) as IssuedTokenRecord;
    const response = await fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: token },
    });
    const files = await unpack(await response.bytes());
    const account = JSON.parse(String(files.get("account.json"))) as object;
    assert.equal((account as { secondFactor?: unknown }).secondFactor, true);
    const text = Buffer.concat([...files.values()]).toString("latin1");
    for (const secret of secrets) assert.ok(!text.includes(secret));
  });

  test("a secret sealed for one account does not open in another", async () => {
    const sam = await someone("sam");
    const { app } = await protect(sam);
    await protect(await someone("tom"));
    const idOf = async (username: string) =>
      (await kith().server.features.accounts.find(username))?.id ??
      assert.fail();
    const [from, to] = [await idOf("sam"), await idOf("tom")];
    await kith().db.transaction(async (tx) => {
      const { secret_sealed } = await tx
        .selectFrom("second_factors")
        .select("secret_sealed")
        .where("user_id", "=", from)
        .executeTakeFirstOrThrow();
      await tx
        .updateTable("second_factors")
        .set({ secret_sealed, last_step: 0 })
        .where("user_id", "=", to)
        .execute();
    });
    const answer = await secondStep(await firstStep("tom"), app.code());
    assert.equal(answer.status, 500);
  });

  test("neither secrets nor codes are in the database or in a log", async () => {
    const dump = await dumpDatabase(kith().db);
    assert.ok(secrets.length > 100);
    assert.ok(lines.length > 0, "something was logged");
    for (const secret of secrets.flatMap((it) => [it, it.replaceAll("-", "")]))
      for (const text of [dump, lines.join("")])
        assert.ok(!text.includes(secret));
  });
});

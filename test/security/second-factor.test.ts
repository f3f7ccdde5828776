import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { sql } from "kysely";
import type { Db } from "../../packages/server/src/db/db.ts";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { visitor } from "../../packages/server/test/support/pages/visit.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  PASSWORD,
  useKith,
} from "../../packages/server/test/support/server/kith-server.ts";
import { PasskeyDevice } from "../../packages/server/test/support/sign-in/passkey.ts";
import {
  browsing,
  enrol,
} from "../../packages/server/test/support/sign-in/second-factor.ts";

const MINUTE_MS = 60_000;
const QUARTER_S = 15 * 60;
const WRONG = "000000";

forEachDatabase((kind) => {
  const metrics = createMetrics();
  const kith = useKith(kind, {
    env: {
      KITH_RATE_LIMITS: "1",
      KITH_SIGN_UPS: "100",
      KITH_TRUSTED_PROXIES: "loopback",
    },
    metrics,
  });
  // Everything is one window, however long it takes.
  before(() => kith().clock.stopAt(kith().clock.now()));
  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return `10.1.${addresses >> 8}.${addresses & 255}`;
  };

  const somebody = async (username: string) => {
    const user = await browsing(kith(), username);
    const made = await enrol(kith(), user);
    kith().clock.advance(MINUTE_MS);
    return { user, ...made };
  };
  /** A browser at an address, after the right password. */
  const firstStep = async (username: string, from: string) => {
    const headers = { "x-forwarded-for": from };
    const browser = visitor(kith().baseUrl);
    const form = { username, password: PASSWORD };
    const answer = await browser.post("/users/sign_in", form, headers);
    assert.equal(answer.status, 302, answer.text);
    return {
      ...browser,
      try: (code: string) =>
        browser.post("/users/sign_in/second", { code }, headers),
    };
  };
  const askToken = (username: string, from: string, otp: string) =>
    kith().anonymous.call("POST", "/oauth/tokens", {
      headers: { "x-forwarded-for": from },
      form: {
        ...{ grant_type: "password", username, password: PASSWORD },
        ...{ client_id: "app", otp },
      },
    });
  const assertTooMany = (
    { status, headers }: { status: number; headers: Headers },
    mostSeconds: number,
  ) => {
    assert.equal(status, 429);
    const seconds = Number(headers.get("retry-after"));
    assert.ok(seconds >= 1 && seconds <= mostSeconds, `${seconds} s`);
  };

  describe("an attacker with the password who guesses codes", () => {
    test("case 57: is refused after ten, at every endpoint and after every new sign-in", async () => {
      const { app, user } = await somebody("ann");
      const evil = newAddress();
      for (let n = 0; n < 5; n += 1) {
        const browser = await firstStep("ann", evil);
        assert.equal((await browser.try(WRONG)).status, 401);
        assert.equal((await askToken("ann", evil, WRONG)).status, 401);
      }
      const browser = await firstStep("ann", evil);
      assertTooMany(await browser.try(WRONG), QUARTER_S);
      assertTooMany(await browser.try(app.code()), QUARTER_S);
      assertTooMany(await askToken("ann", evil, app.code()), QUARTER_S);
      const form = { csrf_token: user.csrf_token, password: PASSWORD };
      const off = await user.post(
        "/settings/security/second_factor/remove",
        { ...form, code: app.code() },
        { "x-forwarded-for": evil },
      );
      assertTooMany(off, QUARTER_S);
      const elsewhere = await firstStep("ann", newAddress());
      assert.equal((await elsewhere.try(app.code())).status, 302);
      kith().clock.advance(15 * MINUTE_MS);
      const patient = await firstStep("ann", evil);
      assert.equal((await patient.try(app.code())).status, 302);
    });

    test("case 57: concurrent attempts count like sequential ones", async () => {
      await somebody("bea");
      const browser = await firstStep("bea", newAddress());
      const answers = await Promise.all(
        Array.from({ length: 15 }, () => browser.try(WRONG)),
      );
      const tried = answers.filter(({ status }) => status === 401);
      assert.equal(tried.length, 10);
    });

    test("each attempt counts once, however often the database retries the transaction", async () => {
      const { app, user } = await somebody("una");
      const renew = () => {
        const form = { csrf_token: user.csrf_token, password: PASSWORD };
        const path = "/settings/security/recovery_codes";
        return user.post(path, { ...form, code: app.code() });
      };
      const refusal = await refuseToDelete(kith().db, "recovery_codes");
      for (let n = 0; n < 3; n += 1) assert.equal((await renew()).status, 500);
      await refusal.end();
      assert.equal((await renew()).status, 200);
    });

    test("case 57: from many addresses gets fifty a day, and does not lock the owner out", async () => {
      const { app, recoveryCodes } = await somebody("cid");
      const home = newAddress();
      const atHome = await firstStep("cid", home);
      assert.equal((await atHome.try(app.code())).status, 302);
      kith().clock.advance(MINUTE_MS);
      const statuses = [];
      for (let n = 0; n < 60; n += 1)
        statuses.push((await askToken("cid", newAddress(), WRONG)).status);
      // One is allowed after the fifty, from the shared remainder.
      assert.equal(statuses.filter((status) => status === 401).length, 51);
      assertTooMany(await askToken("cid", newAddress(), app.code()), 30 * 60);
      const back = await firstStep("cid", home);
      assert.equal((await back.try(app.code())).status, 302);
      const abroad = await firstStep("cid", newAddress());
      assert.equal((await abroad.try(recoveryCodes[0] ?? "")).status, 302);
    });

    test("case 57: recovery codes are counted as well", async () => {
      const { recoveryCodes } = await somebody("dan");
      const browser = await firstStep("dan", newAddress());
      for (let n = 0; n < 10; n += 1)
        assert.equal((await browser.try(`aaaa-bbbb-${n}`)).status, 401);
      assertTooMany(await browser.try(recoveryCodes[0] ?? ""), QUARTER_S);
    });

    test("case 57: without the password gets no attempt, and uses up none of the owner's", async () => {
      const { app } = await somebody("eve");
      const evil = newAddress();
      for (let n = 0; n < 15; n += 1) {
        const browser = visitor(kith().baseUrl);
        const headers = { "x-forwarded-for": evil };
        const code = { code: app.code() };
        for (const cookie of ["", `kith_sign_in_1=${"x".repeat(43)}`]) {
          const sent = { ...headers, cookie };
          const path = "/users/sign_in/second";
          const answer = await browser.post(path, code, sent);
          assert.equal(answer.headers.get("location"), "/users/sign_in");
        }
        const answer = await kith().anonymous.call("POST", "/oauth/tokens", {
          headers,
          form: {
            ...{ grant_type: "password", username: "eve", client_id: "app" },
            ...{ password: "wrong!", otp: app.code() },
          },
        });
        assert.equal(answer.status, 401);
      }
      const owner = await firstStep("eve", evil);
      assert.equal((await owner.try(app.code())).status, 302);
    });
  });

  test("a passkey opens the account despite all wrong codes", async () => {
    const { user } = await somebody("fay");
    const device = new PasskeyDevice(kith().baseUrl);
    const { csrf_token } = user;
    const made = await user.post("/settings/security/passkeys/options", {
      csrf_token,
      password: PASSWORD,
    });
    const credential = device.create(made.text);
    await user.change("passkeys", { credential });
    const home = newAddress();
    const browser = await firstStep("fay", home);
    for (let n = 0; n < 11; n += 1) await browser.try(WRONG);
    const headers = { "x-forwarded-for": home };
    const asked = await browser.post(
      "/users/sign_in/passkey/options",
      {},
      headers,
    );
    const answer = await browser.post(
      "/users/sign_in/passkey",
      { credential: device.get(asked.text) },
      headers,
    );
    assert.equal(answer.headers.get("location"), "/home");
    assert.doesNotMatch(browser.cookies(), /kith_sign_in/);
  });

  test("refused requests are counted by limit", async () => {
    const text = await metrics.render();
    for (const by of ["account", "account_and_address"])
      assert.match(
        text,
        new RegExp(
          `^kith_requests_refused_total\\{limit="codes",by="${by}"\\} [1-9]`,
          "m",
        ),
      );
  });
});

/** Makes the database refuse to delete from a table: on PostgreSQL with an error that makes the transaction retry. */
async function refuseToDelete(
  db: Db,
  table: string,
): Promise<{ end(): Promise<void> }> {
  const run = async (...statements: string[]): Promise<void> => {
    await db.transaction(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    });
  };
  if (db.dialect === "sqlite") {
    await run(
      `create trigger refuse before delete on ${table} begin select raise(abort, 'refused'); end`,
    );
    return { end: () => run("drop trigger refuse") };
  }
  await run(
    `create function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'refused' using errcode = '40001'; end $$`,
    `create trigger refuse before delete on ${table} for each row execute function refuse()`,
  );
  return { end: () => run("drop function refuse cascade") };
}

import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, startKith, useKith } from "../support/server/kith-server.ts";
import {
  PasskeyDevice,
  rsaCoseKey,
  type Lie,
} from "../support/sign-in/passkey.ts";
import {
  browsing,
  enrol,
  resetPassword,
  resetSecondFactor,
  type Changing,
} from "../support/sign-in/second-factor.ts";

const MINUTE_MS = 60_000;
const JSON_WANTED = { accept: "application/json" };
const PRESENT_ALONE = 1;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const someone = (username: string) => browsing(kith(), username);
  const newDevice = () => new PasskeyDevice(kith().baseUrl);

  const askForNew = async (user: Changing, password = PASSWORD) =>
    user.post(
      "/settings/security/passkeys/options",
      { csrf_token: user.csrf_token, password },
      JSON_WANTED,
    );
  const add = async (
    user: Changing,
    device: PasskeyDevice,
    { name = "My phone", ...lie }: Lie & { readonly name?: string } = {},
  ) => {
    const asked = await askForNew(user);
    assert.equal(asked.status, 200, asked.text);
    const credential = device.create(asked.text, lie);
    return user.change("passkeys", { credential, name });
  };
  const withPasskey = async (username: string) => {
    const user = await someone(username);
    const device = newDevice();
    assert.equal((await add(user, device)).status, 302);
    return { user, device };
  };
  const ask = async () => {
    const browser = visitor(kith().baseUrl);
    const { text } = await browser.post("/users/sign_in/passkey/options", {});
    return { browser, options: text };
  };
  const signIn = async (device: PasskeyDevice, lie: Lie = {}) => {
    const { browser, options } = await ask();
    const credential = device.get(options, lie);
    const answer = await browser.post("/users/sign_in/passkey", { credential });
    return { ...browser, answer };
  };
  const countPasskeys = async () => {
    const { db } = kith();
    return (await db.read.selectFrom("passkeys").select("id").execute()).length;
  };

  test("a passkey signs its owner in, without a name or any other factor", async () => {
    const { user, device } = await withPasskey("ann");
    assert.match((await user.see()).text, /<strong>My phone<\/strong>/);
    await enrol(kith(), user);
    const browser = await signIn(device);
    assert.equal(browser.answer.status, 302);
    assert.equal(browser.answer.headers.get("location"), "/home");
    const [cookie = ""] = browser.answer.headers.getSetCookie();
    assert.match(cookie, /^kith_session_\d+=[\w-]{43};.*HttpOnly/);
    const page = await browser.get("/settings/security");
    assert.match(page.text, /href="\/u\/ann"/);
    assert.match(page.text, /used <time/);
  });

  test("the browser's request names this site and requires user verification", async () => {
    const user = await someone("bea");
    const made = JSON.parse((await askForNew(user)).text) as {
      rp: object;
      user: { id: string };
      attestation: string;
      authenticatorSelection: object;
    };
    assert.deepEqual(made.rp, { id: "localhost", name: "Kith" });
    assert.equal(made.attestation, "none");
    assert.deepEqual(made.authenticatorSelection, {
      residentKey: "required",
      userVerification: "required",
      requireResidentKey: true,
    });
    assert.equal(Buffer.from(made.user.id, "base64url").length, 32);
    assert.ok(!Buffer.from(made.user.id, "base64url").includes("bea"));
    const { options } = await ask();
    const asked = JSON.parse(options) as Record<string, unknown>;
    assert.equal(asked["rpId"], "localhost");
    assert.equal(asked["userVerification"], "required");
    assert.equal(asked["allowCredentials"], undefined);
  });

  describe("adding one", () => {
    test("needs the password, the form's token and a session", async () => {
      const user = await someone("cid");
      const before = await kith().snapshot();
      assert.equal((await askForNew(user, "wrong!")).status, 401);
      const path = "/settings/security/passkeys/options";
      const forged = { csrf_token: "x", password: PASSWORD };
      assert.equal((await user.post(path, forged)).status, 403);
      const stranger = visitor(kith().baseUrl);
      const anonymous = await stranger.post(path, forged, JSON_WANTED);
      assert.equal(anonymous.status, 401);
      assert.deepEqual(await kith().snapshot(), before);
    });

    test("takes an RSA key of a usual cost, and no other", async () => {
      const user = await someone("rsa");
      const rsa = (publicExponent: number) =>
        generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent });
      const usual = rsa(65_537);
      const device = newDevice();
      const { publicKey, privateKey } = usual;
      assert.equal((await add(user, device, { publicKey })).status, 302);
      assert.equal(
        (await signIn(device, { key: privateKey })).answer.status,
        302,
      );
      const costly = rsa(65_539);
      const before = await countPasskeys();
      const other = newDevice();
      const made = await add(user, other, { publicKey: costly.publicKey });
      assert.equal(made.status, 422);
      assert.equal(await countPasskeys(), before);
    });

    test("a key with an expensive exponent stored by an older Kith signs no one in", async () => {
      const { device } = await withPasskey("old");
      const costly = generateKeyPairSync("rsa", {
        modulusLength: 2048,
        publicExponent: 65_539,
      });
      await kith().db.transaction((tx) =>
        tx
          .updateTable("passkeys")
          .set({ public_key: rsaCoseKey(costly.publicKey) })
          .where(
            "credential_id",
            "=",
            device.credentialId.toString("base64url"),
          )
          .execute(),
      );
      const { answer } = await signIn(device, { key: costly.privateKey });
      assert.equal(answer.status, 401);
    });

    test("ignores certificates of the device maker", async () => {
      const user = await someone("mak");
      // `{"alg": -7, "sig": h'00', "x5c": [h'00']}`, which nothing could verify.
      const attStmt = Buffer.from(
        "a363616c672663736967410063783563814100",
        "hex",
      );
      const attestation = { fmt: "packed", attStmt };
      const made = await add(user, newDevice(), { attestation });
      assert.equal(made.status, 302, made.text);
    });

    test("takes no answer that was tampered with, and each challenge once", async () => {
      const user = await someone("dan");
      const before = await countPasskeys();
      for (const lie of [
        { origin: "https://evil.example" },
        { origin: kith().baseUrl.replace("http:", "https:") },
        { host: "evil.example" },
        { type: "webauthn.get" },
        { challenge: randomBytes(32).toString("base64url") },
        { challenge: "" },
        { crossOrigin: true },
        { flags: PRESENT_ALONE },
        { flags: 0 },
        { spoil: "authenticatorData" },
      ] satisfies Lie[]) {
        const { status } = await add(user, newDevice(), lie);
        assert.equal(status, 422, JSON.stringify(lie));
      }
      for (const credential of ["", "{}", "null", "[]", '{"response":1}', "x"])
        assert.equal(
          (await user.change("passkeys", { credential })).status,
          422,
        );
      const asked = (await askForNew(user)).text;
      const broken = newDevice().create(asked, { flags: 0 });
      await user.change("passkeys", { credential: broken });
      const right = { credential: newDevice().create(asked) };
      assert.equal((await user.change("passkeys", right)).status, 422);
      const again = (await askForNew(user)).text;
      const answers = await Promise.all(
        [newDevice(), newDevice(), newDevice()].map((device) =>
          user.change("passkeys", { credential: device.create(again) }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [302, 422, 422]);
      assert.equal(await countPasskeys(), before + 1);
    });

    test("accepts only an answer to this user's request, soon, and not after a new password", async () => {
      const [user, other] = [await someone("eve"), await someone("fay")];
      const asked = (await askForNew(user)).text;
      const stolen = { credential: newDevice().create(asked) };
      assert.equal((await other.change("passkeys", stolen)).status, 422);
      const { options } = await ask();
      const anyone = { ...JSON.parse(options), user: { id: "x" } } as object;
      const mixed = newDevice().create(JSON.stringify(anyone));
      const answer = await user.change("passkeys", { credential: mixed });
      assert.equal(answer.status, 422);
      const early = (await askForNew(user)).text;
      kith().clock.advance(5 * MINUTE_MS);
      const late = { credential: newDevice().create(early) };
      assert.equal((await user.change("passkeys", late)).status, 422);
      const waiting = (await askForNew(user)).text;
      const challenges = async () =>
        kith()
          .db.read.selectFrom("passkey_challenges")
          .select("user_id")
          .where("user_id", "is not", null)
          .execute();
      assert.ok((await challenges()).length > 0, waiting);
      for (const username of ["eve", "fay", "cid", "dan", "bea", "ann"])
        await resetPassword(kith(), username);
      assert.deepEqual(await challenges(), []);
    });

    test("a passkey is one person's, and twenty are enough", async () => {
      const { user, device } = await withPasskey("gus");
      const other = await someone("hal");
      const { credentialId } = device;
      const taken = await add(other, newDevice(), { credentialId });
      assert.equal(taken.status, 409);
      const twice = await add(user, newDevice(), { credentialId });
      assert.equal(twice.status, 409);
      const long = await add(user, newDevice(), { name: " ü".repeat(200) });
      assert.equal(long.status, 302);
      const nameless = await add(user, newDevice(), { name: " " });
      assert.equal(nameless.status, 302);
      const names = await kith()
        .db.read.selectFrom("passkeys")
        .innerJoin("users", "users.id", "passkeys.user_id")
        .select("name")
        .where("username", "=", "gus")
        .execute();
      assert.deepEqual(
        names.map(({ name }) => [...name].length),
        [8, 50, 7],
      );
      for (let count = names.length; count < 20; count += 1)
        assert.equal((await add(user, newDevice())).status, 302);
      assert.equal((await askForNew(user)).status, 409);
    });
  });

  describe("signing in", () => {
    let device: PasskeyDevice;
    let other: PasskeyDevice;
    before(async () => {
      ({ device } = await withPasskey("ida"));
      ({ device: other } = await withPasskey("jan"));
    });

    test("takes no answer that was tampered with", async () => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      for (const lie of [
        { origin: "https://evil.example" },
        { origin: kith().baseUrl.replace("http:", "https:") },
        { host: "evil.example" },
        { type: "webauthn.create" },
        { challenge: randomBytes(32).toString("base64url") },
        { challenge: "" },
        { crossOrigin: true },
        { flags: PRESENT_ALONE },
        { flags: 0 },
        { key: privateKey },
        { key: other.keys.privateKey },
        { credentialId: randomBytes(32) },
        { credentialId: other.credentialId },
        { userHandle: other.userHandle },
        { userHandle: "" },
        { spoil: "authenticatorData" },
        { spoil: "signature" },
        { spoil: "clientDataJSON" },
      ] satisfies Lie[]) {
        const { answer } = await signIn(device, lie);
        assert.equal(answer.status, 401, JSON.stringify(Object.keys(lie)));
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
      const { browser } = await ask();
      for (const credential of ["", "{}", "null", "[]", '{"response":1}', "x"])
        assert.equal(
          (await browser.post("/users/sign_in/passkey", { credential })).status,
          401,
        );
      assert.equal((await signIn(device)).answer.status, 302);
    });

    test("takes each challenge once, soon, however many answers come", async () => {
      const { browser, options } = await ask();
      const credential = device.get(options);
      const path = "/users/sign_in/passkey";
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() =>
          visitor(kith().baseUrl).post(path, { credential }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [302, 401, 401, 401]);
      assert.equal((await browser.post(path, { credential })).status, 401);
      const { options: early } = await ask();
      kith().clock.advance(5 * MINUTE_MS);
      const late = { credential: device.get(early) };
      assert.equal((await browser.post(path, late)).status, 401);
      await ask();
      const rows = await kith()
        .db.read.selectFrom("passkey_challenges")
        .select("challenge_hash")
        .execute();
      assert.equal(rows.length, 1, "what is too old goes with the next one");
    });

    test("refuses a counter that does not advance", async () => {
      const { device: counting } = await withPasskey("kim");
      const counts = [5, 5, 4, 0, 6];
      const statuses = [];
      for (const counter of counts)
        statuses.push((await signIn(counting, { counter })).answer.status);
      assert.deepEqual(statuses, [302, 401, 401, 401, 302]);
      const [one, two] = [await ask(), await ask()];
      const answers = await Promise.all(
        [one, two].map(({ browser, options }) => {
          const credential = counting.get(options, { counter: 7 });
          return browser.post("/users/sign_in/passkey", { credential });
        }),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 401]);
    });

    test("comes from no other site, and not for an account that is closed", async () => {
      const { browser, options } = await ask();
      const elsewhere = { origin: "https://evil.example" };
      const credential = device.get(options);
      for (const path of ["passkey", "passkey/options", "second"]) {
        const at = `/users/sign_in/${path}`;
        const answer = await browser.post(at, { credential }, elsewhere);
        assert.equal(answer.status, 403);
      }
      const { token } = await kith().token("jan");
      const form = { password: PASSWORD };
      const client = kith().anonymous.with(token);
      await client.call("DELETE", "/users", { form });
      assert.equal((await signIn(other)).answer.status, 401);
    });
  });

  describe("removing one", () => {
    test("needs the password; it and other pending requests end", async () => {
      const { user, device } = await withPasskey("lea");
      const { token } = await kith().token("lea");
      const browser = await signIn(device);
      const id = /name="passkey"\s+value="(\d+)"/.exec(
        (await user.see()).text,
      )?.[1];
      assert.ok(id);
      const wrong = { passkey: id, password: "wrong!" };
      assert.equal((await user.change("passkeys/remove", wrong)).status, 401);
      const stranger = await someone("mia");
      for (const passkey of [id, "0", "999999"])
        assert.equal(
          (await stranger.change("passkeys/remove", { passkey })).status,
          422,
        );
      assert.equal((await browser.get("/home")).status, 200);
      const done = await user.change("passkeys/remove", { passkey: id });
      assert.equal(done.status, 302);
      assert.equal((await user.see()).status, 200);
      assert.equal((await browser.get("/home")).status, 302);
      await kith().anonymous.with(token).unauthorized("GET", "/aspects");
      assert.equal((await signIn(device)).answer.status, 401);
    });

    test("an operator removes them with the second factor", async () => {
      const { device } = await withPasskey("ned");
      await resetPassword(kith(), "ned");
      assert.equal((await signIn(device)).answer.status, 302);
      await resetSecondFactor(kith(), "ned");
      assert.equal((await signIn(device)).answer.status, 401);
    });
  });
});

test("over https a passkey belongs to the host of the base URL, on any port", async (t) => {
  const baseUrl = "https://social.example:8443";
  const env = { KITH_BASE_URL: baseUrl, KITH_REGISTRATION: "open" };
  const kith = await startKith("sqlite", { env });
  t.after(() => kith.close());
  const user = await browsing(kith, "ann");
  const device = new PasskeyDevice(baseUrl);
  const asked = await user.change("passkeys/options");
  const { rp } = JSON.parse(asked.text) as { rp: { id: string } };
  assert.equal(rp.id, "social.example");
  const { status } = await user.change("passkeys", {
    credential: device.create(asked.text),
  });
  assert.equal(status, 302);
  for (const [lie, isIn] of [
    [{ origin: "http://social.example:8443" }, false],
    [{ origin: "https://social.example" }, false],
    [{ origin: "https://evil.social.example:8443" }, false],
    [{}, true],
  ] as const) {
    const browser = visitor(kith.baseUrl);
    const path = "/users/sign_in/passkey";
    const { text } = await browser.post(`${path}/options`, {});
    const credential = device.get(text, lie);
    const answer = await browser.post(path, { credential });
    assert.equal(answer.status, isIn ? 302 : 401);
    if (isIn)
      assert.match(
        answer.headers.getSetCookie()[0] ?? "",
        /^__Host-kith_session=.*; Secure$/,
      );
  }
});

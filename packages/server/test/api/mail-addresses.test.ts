import assert from "node:assert/strict";
import { test } from "node:test";
import { linkIn, tokenIn, useMailBox } from "../support/mail/mail-box.ts";
import { newUser, visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";

const CONFIRM = "/mail/confirm";
const LOST = "/users/password";
const CHOOSE = "/users/password/new";

forEachDatabase((kind) => {
  const box = useMailBox();
  const kith = useKith(kind, {
    env: {
      get KITH_SMTP_URL() {
        return box.url();
      },
      KITH_MAIL_FROM: "kith@kith.example",
    },
  });
  let count = 0;

  const somebody = async () => {
    count += 1;
    const user = await newUser(kith().baseUrl, `user${count}`);
    const { csrf_token, password } = user;
    const email = `${user.username}@mail.example`;
    const want = (address = email, given = password) =>
      user.post("/settings/mail/address", {
        ...{ csrf_token, email: address, password: given },
      });
    const remove = (given = password) =>
      user.post("/settings/mail/remove", { csrf_token, password: given });
    /** Wants an address and confirms it. */
    const confirm = async (address = email) => {
      assert.equal((await want(address)).status, 200);
      await kith().settle();
      const mail = box.to(address).at(-1) ?? assert.fail("No mail came");
      const token = tokenIn(mail, CONFIRM);
      assert.equal((await user.post(CONFIRM, { token })).status, 200);
      await kith().settle();
      return token;
    };
    return { ...user, email, want, remove, confirm };
  };

  const ask = async (email: string) => {
    const answer = await visitor(kith().baseUrl).post(LOST, { email });
    await kith().settle();
    return answer;
  };

  const signIn = async (username: string, password: string) => {
    const answer = await fetch(`${kith().baseUrl}/users/sign_in`, {
      method: "POST",
      body: new URLSearchParams({ username, password }),
      redirect: "manual",
    });
    await answer.bytes();
    return answer.status;
  };

  test("an address counts once its link is followed, by a form alone", async () => {
    const ann = await somebody();
    assert.match((await ann.get("/settings")).text, /\/settings\/mail/);
    assert.match((await ann.get("/settings/mail")).text, /no address yet/);
    const answer = await ann.want();
    assert.match(answer.text, /A link was sent/);
    await kith().settle();
    const [mail = assert.fail("No mail came")] = box.to(ann.email);
    assert.match(mail.from, /<kith@kith.example>/);
    assert.match(mail.text, new RegExp(`${ann.username}@${kith().host}`));
    assert.equal(mail.header("Auto-Submitted"), "auto-generated");
    assert.match(mail.html, /^<!doctype html>\s*<html lang="en">/);
    const link = linkIn(mail, CONFIRM);
    for (let looks = 0; looks < 2; looks += 1) {
      const page = await fetch(kith().baseUrl + link);
      assert.equal(page.status, 200);
      assert.match(await page.text(), new RegExp(ann.email));
    }
    assert.match((await ann.get("/settings/mail")).text, /Open the link/);
    const token = tokenIn(mail, CONFIRM);
    assert.equal((await ann.post(CONFIRM, { token })).status, 200);
    const page = await ann.get("/settings/mail");
    assert.match(page.text, new RegExp(`Mails are sent to ${ann.email}`));
    const before = await kith().snapshot();
    const again = await ann.post(CONFIRM, { token });
    assert.equal(again.status, 404);
    assert.match(again.text, /used already/);
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("a link ends after a day, and with the next one", async () => {
    const ann = await somebody();
    await ann.want();
    await ann.want();
    await kith().settle();
    const [first, second] = box.to(ann.email);
    // The first ended before it was sent, or after.
    if (first && second) {
      const token = tokenIn(first, CONFIRM);
      assert.equal((await ann.post(CONFIRM, { token })).status, 404);
    }
    const last = box.to(ann.email).at(-1) ?? assert.fail("No mail came");
    kith().clock.advance(DAY_MS + HOUR_MS);
    const token = tokenIn(last, CONFIRM);
    assert.equal((await ann.post(CONFIRM, { token })).status, 404);
    assert.match((await ann.get("/settings/mail")).text, /has ended/);
  });

  test("a change needs the password, and the former address is told", async () => {
    const ann = await somebody();
    await ann.confirm();
    const wrong = await ann.want("thief@mail.example", "wrong");
    assert.equal(wrong.status, 401);
    assert.equal((await ann.remove("wrong")).status, 401);
    assert.equal(box.to("thief@mail.example").length, 0);
    await ann.confirm("new@mail.example");
    const notified = box.to(ann.email).at(-1);
    assert.match(notified?.subject ?? "", /address was changed/);
    assert.doesNotMatch(notified?.text ?? "", /new@mail/, "not where it went");
    assert.equal((await ann.remove()).status, 200);
    await kith().settle();
    const last = box.to("new@mail.example").at(-1);
    assert.match(last?.subject ?? "", /address was changed/);
    assert.match((await ann.get("/settings/mail")).text, /no address yet/);
  });

  test("a text that is no address changes nothing, and no header can be added", async () => {
    const ann = await somebody();
    const before = await kith().snapshot();
    for (const email of [
      ...["", "ann", "ann@", "@mail.example", "a b@mail.example"],
      "ann@mail.example\r\nBcc: eve@mail.example",
      "ann@mail.example, eve@mail.example",
      '"ann\r\nBcc: eve"@mail.example',
      `${"a".repeat(65)}@mail.example`,
      "ann@[127.0.0.1]",
      "<ann@mail.example>",
    ]) {
      const answer = await ann.want(email);
      assert.equal(answer.status, 422, email);
    }
    assert.deepEqual(await kith().snapshot(), before);
    await kith().settle();
    assert.equal(box.received.length, 0);
  });

  test("a lost password is replaced by a link, once, and every session ends", async () => {
    const ann = await somebody();
    await ann.confirm();
    const { token: program } = await kith().token(ann.username);
    const asked = await ask(ann.email.toUpperCase());
    assert.equal(asked.status, 200);
    const mail = box.to(ann.email).at(-1) ?? assert.fail("No mail came");
    assert.match(mail.subject, /new password/);
    const token = tokenIn(mail, CHOOSE);
    const page = await fetch(kith().baseUrl + linkIn(mail, CHOOSE));
    assert.match(await page.text(), new RegExp(ann.username));
    const short = { token, password: "x", confirm: "x" };
    assert.equal((await ann.post(CHOOSE, short)).status, 422);
    const chosen = {
      token,
      password: "another horse",
      confirm: "another horse",
    };
    const [one, two] = await Promise.all([
      ann.post(CHOOSE, chosen),
      ann.post(CHOOSE, chosen),
    ]);
    assert.deepEqual([one.status, two.status].sort(), [200, 404]);
    assert.equal(await signIn(ann.username, ann.password), 401);
    assert.equal(await signIn(ann.username, "another horse"), 302);
    assert.equal((await ann.get("/settings/mail")).status, 302, "signed out");
    const refused = await fetch(`${kith().baseUrl}/api/v0/settings`, {
      headers: { access_token: program },
    });
    assert.equal(refused.status, 401);
    await kith().settle();
    const notified = box.to(ann.email).at(-1);
    assert.match(notified?.subject ?? "", /password was changed/);
    for (const { text } of box.received)
      assert.doesNotMatch(text, /another horse|correct horse/);
  });

  test("an unknown, an unconfirmed and a suspended address are answered alike", async () => {
    const [ann, ben] = [await somebody(), await somebody()];
    await ann.confirm();
    await ben.want();
    await kith().settle();
    const known = await ask(ann.email);
    const unknown = await ask("nobody@mail.example");
    const unconfirmed = await ask(ben.email);
    for (const answer of [unknown, unconfirmed]) {
      assert.equal(answer.status, known.status);
      assert.equal(answer.text, known.text);
    }
    assert.equal(box.to("nobody@mail.example").length, 0);
    assert.equal(box.to(ben.email).length, 1, "only the link to confirm");
    box.received.length = 0;
    const { suspensions, people } = kith().server.features;
    const person = await people.find({
      handle: `${ann.username}@${kith().host}`,
    });
    assert.ok(person);
    await suspensions.decide({
      ...{ by: null, personId: person.id },
      decision: "suspend",
    });
    await kith().settle();
    // The mail about the decision itself.
    box.received.length = 0;
    await ask(ann.email);
    await kith().settle();
    assert.equal(box.to(ann.email).length, 0);
  });

  test("a link to a new password ends after an hour, and with its address", async () => {
    const ann = await somebody();
    await ann.confirm();
    await ask(ann.email);
    const first = box.to(ann.email).at(-1) ?? assert.fail("No mail came");
    await ann.confirm(`other-${ann.email}`);
    const chosen = { password: "another horse", confirm: "another horse" };
    const use = (mail: typeof first) =>
      ann.post(CHOOSE, { ...chosen, token: tokenIn(mail, CHOOSE) });
    assert.equal((await use(first)).status, 404);
    await ask(`other-${ann.email}`);
    const second =
      box.to(`other-${ann.email}`).at(-1) ?? assert.fail("No mail came");
    kith().clock.advance(HOUR_MS + 1_000);
    assert.equal((await use(second)).status, 404);
    assert.equal(await signIn(ann.username, ann.password), 302);
  });

  test("an address can be given at the sign-up, and a wrong one refuses it", async () => {
    const page = await fetch(`${kith().baseUrl}/users/sign_up`);
    assert.match(await page.text(), /name="email"/);
    const form = { password: "correct horse", confirm: "correct horse" };
    const signUp = async (username: string, email: string) => {
      const answer = await fetch(`${kith().baseUrl}/users/sign_up`, {
        method: "POST",
        body: new URLSearchParams({ ...form, username, email }),
        redirect: "manual",
      });
      return { status: answer.status, text: await answer.text() };
    };
    const refused = await signUp("newcomer", "no address");
    assert.equal(refused.status, 422);
    assert.match(refused.text, /This is no e-mail address/);
    assert.equal((await signUp("newcomer", "new@mail.example")).status, 302);
    await kith().settle();
    assert.equal(box.to("new@mail.example").length, 1);
    assert.equal((await signUp("newcomer2", "")).status, 302);
  });

  test("nobody but the owner and admins sees it", async () => {
    const ann = await somebody();
    await ann.confirm();
    const bob = await kith().person();
    const found = await bob.post("/search", {
      handle: `${ann.username}@${kith().host}`,
    });
    assert.doesNotMatch(JSON.stringify(found), /mail\.example/);
    const root = await somebody();
    const shown = async (role: "moderator" | "admin") => {
      const { username } = root;
      const { administration } = kith().server.features;
      await administration.setRole(null, { username }, role);
      const page = await root.get(`/admin/accounts?name=${ann.username}`);
      assert.equal(page.status, 200);
      return page.text.includes(ann.email);
    };
    assert.equal(await shown("moderator"), false);
    assert.equal(await shown("admin"), true);
    const jobs = await kith()
      .db.read.selectFrom("jobs")
      .select(["kind", "payload"])
      .execute();
    for (const { kind: name, payload } of jobs)
      assert.doesNotMatch(`${name} ${payload}`, /mail\.example/);
  });
});

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("without a mail server there is none of it", async () => {
    const ann = await newUser(kith().baseUrl, "ann");
    for (const path of ["/settings/mail", LOST, CHOOSE, CONFIRM])
      assert.notEqual((await ann.get(path)).status, 200, path);
    assert.doesNotMatch((await ann.get("/settings")).text, /settings\/mail/);
    const page = await fetch(`${kith().baseUrl}/users/sign_in`);
    assert.doesNotMatch(await page.text(), /users\/password/);
    const { csrf_token, password } = ann;
    const email = "ann@mail.example";
    const before = await kith().snapshot();
    const form = { csrf_token, password, email };
    assert.equal((await ann.post("/settings/mail/address", form)).status, 404);
    assert.equal((await ann.post(LOST, { email })).status, 404);
    assert.deepEqual(await kith().snapshot(), before);
  });
});

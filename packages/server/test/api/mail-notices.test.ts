import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserId } from "../../src/db/schema/ids.ts";
import type { MailChoices } from "../../src/features/mail/index.ts";
import { linkIn, tokenIn, useMailBox } from "../support/mail/mail-box.ts";
import { newUser } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

const CONFIRM = "/mail/confirm";
const UNSUBSCRIBE = "/mail/unsubscribe";

forEachDatabase((kind) => {
  const box = useMailBox();
  const kith = useKith(kind, {
    env: {
      get KITH_SMTP_URL() {
        return box.url();
      },
      KITH_REGISTRATION: "open",
    },
  });
  let count = 0;

  /** Somebody with a confirmed address. */
  const reader = async (choices: Partial<MailChoices> = {}) => {
    count += 1;
    const user = await newUser(kith().baseUrl, `reader${count}`);
    const { username, csrf_token, password } = user;
    const email = `${username}@mail.example`;
    const handle = `${username}@${kith().host}`;
    const form = { csrf_token, email, password };
    await user.post("/settings/mail/address", form);
    await kith().settle();
    const [mail = assert.fail("No mail came")] = box.to(email);
    await user.post(CONFIRM, { token: tokenIn(mail, CONFIRM) });
    const { token } = await kith().token(username);
    const client = kith().anonymous.with(token);
    const { UserID: userId } = await client.post<{ UserID: UserId }>(
      "/search",
      { handle },
    );
    const setRole = (role: "user" | "moderator" | "admin") =>
      kith().server.features.administration.setRole(null, { username }, role);
    const choose = (role: "user" | "admin", more: Partial<MailChoices>) =>
      kith().server.features.mails.change({ userId, role }, more);
    await choose("user", { frequency: "at_once", ...choices });
    box.received.length = 0;
    const sent = () => box.to(email);
    return { ...user, client, email, handle, userId, choose, setRole, sent };
  };

  const mention = async (
    { handle }: { readonly handle: string },
    by?: TestPerson,
  ) => {
    const writer = by ?? (await kith().person());
    const text = `secret words @{${handle}}`;
    const post = await writer.post<PostRecord>("/posts", { post: text });
    return { writer, post };
  };

  test("a notification is sent at once, without a text, and one click ends it", async () => {
    const ann = await reader();
    const { writer } = await mention(ann);
    await kith().settle();
    const [mail = assert.fail("No mail came")] = ann.sent();
    assert.equal(mail.subject, `${writer.handle} mentioned you`);
    assert.doesNotMatch(mail.text + mail.html, /secret words/);
    assert.match(mail.text, /\/posts\//);
    assert.doesNotMatch(mail.html, /<(img|script|link|style)/);
    assert.equal(
      mail.header("List-Unsubscribe-Post"),
      "List-Unsubscribe=One-Click",
    );
    const url = /^<(.*)>$/.exec(mail.header("List-Unsubscribe"))?.[1] ?? "";
    assert.equal((await fetch(url)).status, 200, "looking changes nothing");
    assert.equal(
      (await kith().server.features.mails.get(ann.userId)).frequency,
      "at_once",
    );
    for (let clicks = 0; clicks < 2; clicks += 1) {
      const clicked = await fetch(url, {
        method: "POST",
        body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      });
      assert.equal(clicked.status, 200, await clicked.text());
    }
    await mention(ann);
    await kith().settle();
    assert.equal(ann.sent().length, 1);
    const { token } = Object.fromEntries(new URL(url).searchParams);
    assert.ok(token !== undefined);
    const before = await kith().snapshot();
    for (const forged of ["", "x", token.slice(0, -1), `s${token.slice(1)}`]) {
      const form = { token: forged };
      assert.equal((await ann.post(UNSUBSCRIBE, form)).status, 404, forged);
    }
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("the language is that of the account", async () => {
    const ann = await reader();
    await ann.client.put("/settings", { Locale: "de" });
    await mention(ann);
    await kith().settle();
    const [mail] = ann.sent();
    assert.match(mail?.text ?? "", /Hallo reader/);
    assert.match(mail?.html ?? "", /lang="de"/);
  });

  test("a notification that is not chosen, read, retracted or no longer seen is not sent", async () => {
    const ann = await reader({ kinds: ["comment"] });
    await mention(ann);
    await kith().settle();
    assert.equal(ann.sent().length, 0, "another kind");
    await ann.choose("user", { kinds: ["mention"] });
    box.refuse = () => ({ code: 451, words: "4.7.1 later" });
    const first = await mention(ann);
    const second = await mention(ann);
    const third = await mention(ann);
    await kith().settle();
    await first.writer.delete(`/posts/${first.post.Guid}`);
    const blocked = await ann.client.post<{ ID: number }>("/search", {
      handle: second.writer.handle,
    });
    await ann.client.post(`/people/${blocked.ID}/block`);
    box.refuse = () => undefined;
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    const subjects = ann.sent().map(({ subject }) => subject);
    assert.deepEqual(subjects, [`${third.writer.handle} mentioned you`]);
    box.refuse = () => ({ code: 451, words: "4.7.1 later" });
    await mention(ann);
    await kith().settle();
    const { notifications } = kith().server.features;
    await notifications.markAllRead(ann.userId);
    box.refuse = () => undefined;
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    assert.equal(ann.sent().length, 1, "it was read");
  });

  test("a digest lists what happened, each day, and only once", async () => {
    await kith().server.prepare();
    const ann = await reader({ frequency: "daily" });
    await mention(ann);
    await mention(ann);
    await kith().settle();
    assert.equal(ann.sent().length, 0);
    kith().clock.advance(DAY_MS + HOUR_MS);
    await kith().settle();
    const [mail = assert.fail("No digest came"), ...more] = ann.sent();
    assert.equal(more.length, 0);
    assert.match(mail.subject, /What is new/);
    assert.equal(mail.text.match(/mentioned you/g)?.length, 2);
    assert.ok(linkIn(mail, UNSUBSCRIBE));
    kith().clock.advance(DAY_MS + HOUR_MS);
    await kith().settle();
    assert.equal(ann.sent().length, 1, "nothing new, no mail");
  });

  test("a server that wants to see it again gets it again, with the same id", async () => {
    const ann = await reader();
    box.refuse = () => ({ code: 450, words: "4.2.0 greylisted" });
    await mention(ann);
    await kith().settle();
    assert.equal(ann.sent().length, 0);
    box.refuse = () => undefined;
    box.loseAnswer = () => ({ code: 451, words: "4.3.0 lost" });
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    box.loseAnswer = () => undefined;
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    const [first, second, ...more] = ann.sent();
    assert.equal(more.length, 0);
    assert.ok(first && second, "it was taken twice");
    assert.equal(first.messageId, second.messageId);
    assert.match(first.messageId, /^<kith\.\d+\.\d+@localhost>$/);
  });

  test("an address that no mail reaches gets none, until it is confirmed again", async () => {
    const ann = await reader();
    box.refuse = () => ({ code: 550, words: "5.1.1 no such user" });
    await mention(ann);
    await kith().settle();
    const page = await ann.get("/settings/mail");
    assert.match(page.text, /No mail reaches/);
    box.refuse = () => undefined;
    await mention(ann);
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    assert.equal(ann.sent().length, 0);
    const { csrf_token, email, password } = ann;
    const form = { csrf_token, email, password };
    await ann.post("/settings/mail/address", form);
    await kith().settle();
    const [mail = assert.fail("No mail came")] = ann.sent();
    await ann.post(CONFIRM, { token: tokenIn(mail, CONFIRM) });
    await mention(ann);
    await kith().settle();
    assert.equal(ann.sent().length, 2);
  });

  test("a refusal for another reason marks no address", async () => {
    const ann = await reader();
    box.refuse = () => ({ code: 550, words: "5.7.1 we do not like you" });
    await mention(ann);
    await kith().settle();
    const { bouncedAt } = await kith().server.features.mails.get(ann.userId);
    assert.equal(bouncedAt, null);
    const dead = await kith()
      .db.read.selectFrom("jobs")
      .select("last_error")
      .where("kind", "=", "mail")
      .execute();
    assert.match(JSON.stringify(dead), /we do not like you/);
  });

  test("hostile names add no header, no markup and no direction", async () => {
    const ann = await reader();
    const eve = await kith().person();
    await eve.put("/profile", {
      FirstName: "Eve\u202e <b>x</b>\u2028Bcc: b@m.org",
    });
    await mention(ann, eve);
    await kith().settle();
    const [mail = assert.fail("No mail came")] = ann.sent();
    assert.doesNotMatch(mail.head, /^Bcc:/im);
    assert.doesNotMatch(mail.subject + mail.text, /[\u202e\u2028]/);
    assert.doesNotMatch(mail.html, /<b>/);
    assert.match(mail.subject, /Eve/);
  });

  test("moderators are told of reports, and admins of accounts, if they want", async () => {
    const ann = await reader();
    await assert.rejects(ann.choose("user", { staffKinds: ["report"] }));
    await kith().person({ role: "admin" });
    await ann.setRole("admin");
    await ann.choose("admin", { staffKinds: ["report", "sign_up", "backup"] });
    const writer = await kith().person();
    const post = await writer.post<PostRecord>("/posts", { post: "hello" });
    const bob = await kith().person();
    await bob.post("/reports", { post_id: post.ID, text: "odd" });
    await kith().server.features.accounts.signUp({
      ...{ username: "waiting", password: "correct horse", state: "pending" },
    });
    await kith().db.transaction((tx) =>
      kith().server.features.staffMail.notify(tx, "backup"),
    );
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    const subjects = ann.sent().map(({ subject }) => subject);
    assert.equal(subjects.length, 3, subjects.join());
    for (const mail of ann.sent()) {
      assert.doesNotMatch(mail.text, new RegExp(writer.username));
      assert.ok(mail.header("List-Unsubscribe") !== "");
    }
    await ann.setRole("user");
    await kith().db.transaction((tx) =>
      kith().server.features.staffMail.notify(tx, "backup"),
    );
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    assert.equal(ann.sent().length, 3, "no more after the role has ended");
  });

  test("a mail server that is away loses nothing, and is asked by one mail", async () => {
    const ann = await reader();
    await box.close();
    await mention(ann);
    await kith().settle();
    const waiting = await kith()
      .db.read.selectFrom("jobs")
      .select(["kind", "last_error"])
      .where("kind", "=", "mail")
      .execute();
    assert.match(JSON.stringify(waiting), /ECONNREFUSED/);
  });
});

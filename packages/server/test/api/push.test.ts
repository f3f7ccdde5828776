import assert from "node:assert/strict";
import { test } from "node:test";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { newUser } from "../support/pages/visit.ts";
import {
  newReceiverKeys,
  openAes128gcm,
  usePushService,
  type ReceiverKeys,
} from "../support/push/push-receiver.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Message = {
  readonly title: string;
  readonly body: string;
  readonly lang: string;
  readonly icon: string;
  readonly url: string;
  readonly tag: string;
};

forEachDatabase((kind) => {
  const service = usePushService();
  const kith = useKith(kind);
  let count = 0;

  const fieldsOf = ({ pair, auth }: ReceiverKeys, path: string) => ({
    endpoint: service.at(path),
    p256dh: pair.getPublicKey("base64url"),
    auth: auth.toString("base64url"),
  });

  /** Somebody whose browser shows notifications. */
  const reader = async () => {
    count += 1;
    const user = await newUser(kith().baseUrl, `reader${count}`);
    const keys = newReceiverKeys();
    const path = `/browser/${user.username}`;
    const switchOn = (more: Record<string, string> = {}) =>
      user.post("/settings/push", {
        ...{ csrf_token: user.csrf_token, ...fieldsOf(keys, path) },
        ...more,
      });
    const sent = () =>
      service.received
        .filter((it) => it.path === path)
        .map(({ body }) => JSON.parse(openAes128gcm(keys, body)) as Message);
    const handle = `${user.username}@${kith().host}`;
    return { ...user, keys, path, handle, switchOn, sent };
  };

  const say = async (text: string) => {
    const writer = await kith().person();
    await writer.post("/posts", { post: text });
    await kith().settle();
    return writer;
  };

  test("a browser is switched on and off, and shows notifications in between", async () => {
    const ann = await reader();
    assert.match(
      (await ann.get("/settings")).text,
      /data-push-key="[\w-]{87}"/,
    );
    const answer = await ann.switchOn();
    assert.equal(answer.status, 302, answer.text);
    assert.match((await ann.get("/settings")).text, /until you sign out here/);
    const writer = await say(`good morning @{${ann.handle}}`);
    const [message] = ann.sent();
    assert.equal(message?.title, `${writer.handle} mentioned you`);
    assert.match(message?.body ?? "", /^good morning/);
    assert.equal(message?.lang, "en");
    assert.match(message?.icon ?? "", /^http:\/\/localhost:\d+\//);
    assert.ok(message?.url.startsWith(`${kith().baseUrl}/posts/`));
    const page = await ann.get(new URL(message.url).pathname);
    assert.equal(page.status, 200);
    const { csrf_token } = ann;
    const off = await ann.post("/settings/push/end", { csrf_token });
    assert.equal(off.status, 302);
    await say(`again @{${ann.handle}}`);
    assert.equal(ann.sent().length, 1);
  });

  test("it is in the language of the person, and tells of everything here", async () => {
    const ann = await reader();
    await ann.switchOn();
    const { csrf_token } = ann;
    await ann.post("/settings", {
      ...{ csrf_token, language: "de", time_zone: "UTC" },
    });
    const asker = await kith().person();
    await ann.post("/settings/privacy", {
      ...{ csrf_token, locked: "true" },
      ...{ audience: "everyone", quotable_by: "everyone" },
    });
    const { ID } = await asker.post<{ ID: number }>("/search", {
      handle: ann.handle,
    });
    await MastodonClient.of(kith(), asker).post(`/v1/accounts/${ID}/follow`);
    await kith().settle();
    const [message] = ann.sent();
    assert.equal(message?.lang, "de");
    assert.ok(message?.title.startsWith(`${asker.handle} `));
    assert.doesNotMatch(message?.title ?? "", /follow/);
  });

  test("signing out ends it, and so does another session of the same browser", async () => {
    const [ann, ben] = [await reader(), await reader()];
    await ann.switchOn();
    await ann.post("/users/sign_out", { csrf_token: ann.csrf_token });
    await say(`gone @{${ann.handle}}`);
    assert.deepEqual(ann.sent(), []);
    await ben.switchOn();
    const other = await reader();
    const answer = await other.post("/settings/push", {
      ...{ csrf_token: other.csrf_token, ...fieldsOf(ben.keys, ben.path) },
    });
    assert.equal(answer.status, 302, answer.text);
    await say(`for @{${ben.handle}}`);
    assert.deepEqual(ben.sent(), [], "not on the screen of somebody else");
  });

  test("a filter that warns leaves the text out, and one that hides the push", async () => {
    for (const [action, sent] of [
      ["warn", [""]],
      ["hide", []],
    ] as const) {
      const ann = await reader();
      await ann.switchOn();
      const { token } = await kith().token(ann.username);
      await kith()
        .anonymous.with(token)
        .post("/filters", {
          ...{ title: "finale", context: "notifications", action },
          keyword: "finale",
        });
      await say(`the finale @{${ann.handle}}`);
      assert.deepEqual(
        ann.sent().map(({ body }) => body),
        sent,
      );
    }
  });

  test("a form of others, a wrong address and a wrong key change nothing", async () => {
    const ann = await reader();
    const before = await kith().snapshot();
    const forged = await ann.switchOn({ csrf_token: "wrong" });
    assert.equal(forged.status, 403);
    for (const wrong of [
      { endpoint: "javascript:alert(1)" },
      { endpoint: "" },
      { p256dh: "x" },
      { auth: "x" },
    ]) {
      const refused = await ann.switchOn(wrong);
      assert.equal(refused.status, 422, JSON.stringify(wrong));
      assert.match(refused.text, /cannot be used/);
    }
    assert.deepEqual(await kith().snapshot(), before);
    const nobody = await fetch(`${kith().baseUrl}/settings/push`, {
      method: "POST",
      body: new URLSearchParams(fieldsOf(ann.keys, ann.path)),
      redirect: "manual",
    });
    assert.notEqual(nobody.status, 302);
  });

  test("the endpoint and its keys are sealed, and one person has twenty at most", async () => {
    const ann = await reader();
    await ann.switchOn();
    const who = await kith()
      .db.read.selectFrom("push_subscriptions")
      .innerJoin("users", "users.id", "push_subscriptions.user_id")
      .selectAll("push_subscriptions")
      .where("users.username", "=", ann.username)
      .executeTakeFirstOrThrow();
    const stored = JSON.stringify(who);
    for (const secret of Object.values(fieldsOf(ann.keys, ann.path)))
      assert.ok(!stored.includes(secret));
    for (let device = 0; device < 21; device += 1) {
      const { token } = await kith().token(ann.username, `device ${device}`);
      await kith().server.features.push.subscribe(
        who.user_id,
        { token },
        {
          target: fieldsOf(newReceiverKeys(), `/device/${device}`),
          ...{ encoding: "aes128gcm", alerts: ["mention"], policy: "all" },
        },
      );
    }
    service.received.length = 0;
    await say(`everywhere @{${ann.handle}}`);
    const paths = service.received.map(({ path }) => path).toSorted();
    assert.equal(paths.length, 20);
    assert.ok(!paths.includes("/device/0"));
  });

  test("one address gets one push, however many tokens name it", async () => {
    const ann = await reader();
    await ann.switchOn();
    const account = await kith().server.features.accounts.find(ann.username);
    assert.ok(account);
    for (const device of ["one", "two"]) {
      const { token } = await kith().token(ann.username, device);
      await kith().server.features.push.subscribe(
        account.id,
        { token },
        {
          target: fieldsOf(ann.keys, ann.path),
          ...{ encoding: "aes128gcm", alerts: ["mention"], policy: "all" },
        },
      );
    }
    await say(`once @{${ann.handle}}`);
    assert.equal(ann.sent().length, 1);
  });

  test("it ends with the account", async () => {
    const ann = await reader();
    await ann.switchOn();
    const { features } = kith().server;
    const account = await features.accounts.find(ann.username);
    assert.ok(account);
    const person = await features.people.find({ userId: account.id });
    assert.ok(person);
    await features.leaving.leave(
      {
        ...{ userId: account.id, personId: person.id },
        ...{ username: ann.username, role: "user" },
      },
      ann.password,
    );
    const left = await kith()
      .db.read.selectFrom("push_subscriptions")
      .select("id")
      .where("user_id", "=", account.id)
      .execute();
    assert.deepEqual(left, []);
  });
});

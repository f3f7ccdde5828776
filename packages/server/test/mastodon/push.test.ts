import assert from "node:assert/strict";
import { createECDH } from "node:crypto";
import { test } from "node:test";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import {
  newReceiverKeys,
  openAes128gcm,
  openAesgcm,
  readVapid,
  usePushService,
  type ReceivedPush,
  type ReceiverKeys,
} from "../support/push/push-receiver.ts";
import { newUser } from "../support/pages/visit.ts";
import {
  callWith,
  getAppToken,
  registerClient,
  sendForm,
} from "../support/sign-in/oauth-app.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

const PATH = "/v1/push/subscription";
const ALL = {
  ...{ mention: true, reblog: true, follow: true, favourite: true },
  ...{ follow_request: true, poll: true, status: true },
};

test("the receiver of these tests opens the example of RFC 8291, section 5", () => {
  const pair = createECDH("prime256v1");
  const secret = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
  pair.setPrivateKey(Buffer.from(secret, "base64url"));
  const auth = Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url");
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  assert.equal(
    openAes128gcm({ pair, auth }, Buffer.from(body, "base64url")),
    "When I grow up, I want to be a watermelon",
  );
});

forEachDatabase((kind) => {
  const service = usePushService();
  const kith = useKith(kind);

  const form = (
    { pair, auth }: ReceiverKeys,
    path = "/device",
    more: object = {},
  ) => ({
    subscription: {
      endpoint: service.at(path),
      keys: {
        p256dh: pair.getPublicKey("base64url"),
        auth: auth.toString("base64url"),
      },
      standard: true,
      ...more,
    },
    data: { alerts: ALL, policy: "all" },
  });

  /** Somebody with a program that receives pushes. */
  const receiver = async (more: object = {}) => {
    const who = await kith().person();
    const app = MastodonClient.of(kith(), who);
    const keys = newReceiverKeys();
    const path = `/device/${who.username}`;
    const subscribed = await app.post<Record<string, unknown>>(
      PATH,
      form(keys, path, more),
    );
    return { who, app, keys, path, subscribed };
  };
  type Receiver = Awaited<ReturnType<typeof receiver>>;

  const sentTo = ({ path }: Pick<Receiver, "path">) =>
    service.received.filter((it) => it.path === path);
  const read = ({ keys }: Receiver, { body }: ReceivedPush) =>
    JSON.parse(openAes128gcm(keys, body)) as Record<string, unknown>;
  const mention = (by: MastodonClient, { who }: { who: TestPerson }) =>
    by.write(`hello @${who.username}, how are you?`);
  const writer = async () => MastodonClient.of(kith(), await kith().person());

  test("a mention arrives, encrypted and signed as the standards say", async () => {
    const ann = await receiver();
    const bob = await writer();
    await mention(bob, ann);
    await kith().settle();
    const [push, ...others] = sentTo(ann);
    assert.ok(push && others.length === 0);
    const { headers } = push;
    assert.equal(headers["content-encoding"], "aes128gcm");
    assert.equal(headers["ttl"], "172800");
    assert.equal(headers["urgency"], "normal");
    assert.ok(push.body.length <= 4_096);
    const message = read(ann, push);
    const [notice] = await ann.app.get<{ id: string }[]>("/v1/notifications");
    assert.equal(String(message["notification_id"]), notice?.id);
    assert.equal(message["notification_type"], "mention");
    assert.equal(message["access_token"], ann.who.token);
    assert.equal(message["preferred_locale"], "en");
    assert.match(String(message["title"]), /mentioned you$/);
    assert.match(String(message["body"]), /^hello .*how are you/);
    assert.match(String(message["icon"]), /^http:\/\/localhost/);
    const [, token = "", key = ""] =
      /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(headers["authorization"] ?? "") ??
      [];
    assert.equal(key, ann.subscribed["server_key"]);
    const claims = readVapid(token, key);
    assert.equal(claims["aud"], new URL(service.at("/")).origin);
    assert.equal(claims["sub"], "mailto:postmaster@localhost");
  });

  test("programs that know only the draft get what it says", async () => {
    const ann = await receiver({ standard: false });
    assert.equal(ann.subscribed["standard"], false);
    await mention(await writer(), ann);
    await kith().settle();
    const [push] = sentTo(ann);
    assert.ok(push);
    assert.equal(push.headers["content-encoding"], "aesgcm");
    const text = openAesgcm(ann.keys, push.body, push.headers);
    assert.match(text, /"notification_type":"mention"/);
    const [, token = ""] =
      /^WebPush (.+)$/.exec(push.headers["authorization"] ?? "") ?? [];
    readVapid(token, String(ann.subscribed["server_key"]));
    assert.match(String(push.headers["crypto-key"]), /p256ecdsa=/);
  });

  test("one key names the server, to everybody", async () => {
    const ann = await receiver();
    const { configuration } = await ann.app.get<{
      configuration: { vapid: { public_key: string } };
    }>("/v2/instance");
    const app = await sendForm(`${kith().baseUrl}/api/v1/apps`, {
      ...{ client_name: "Reader", redirect_uris: "app://", scopes: "push" },
    });
    const key = ann.subscribed["server_key"];
    assert.equal(configuration.vapid.public_key, key);
    assert.equal(app.json["vapid_key"], key);
    assert.equal(Buffer.from(String(key), "base64url").length, 65);
    const [stored] = await kith()
      .db.read.selectFrom("server_keys")
      .select("private_key")
      .where("name", "=", "push")
      .execute();
    assert.match(stored?.private_key ?? "", /^sealed:1:/);
  });

  test("a notification that the person may not see any more is not pushed", async () => {
    const bob = await writer();
    const [deleted, dismissed, seen, blocked] = [
      await receiver(),
      await receiver(),
      await receiver(),
      await receiver(),
    ];
    const { id } = await mention(bob, deleted);
    await mention(bob, dismissed);
    await mention(bob, seen);
    await mention(bob, blocked);
    await notifyOnly();
    await bob.delete(`/v1/statuses/${id}`);
    await dismissed.app.post("/v1/notifications/clear");
    await kith().server.features.notifications.markAllRead(
      seen.who.record.UserID,
    );
    const me = await bob.get<{ id: string }>("/v1/accounts/verify_credentials");
    await blocked.app.post(`/v1/accounts/${me.id}/block`);
    await kith().settle();
    assert.equal(service.received.length, 0);
  });

  /** Lets the notifications be stored; the pushes wait for their service. */
  async function notifyOnly(): Promise<void> {
    service.answer = { status: 503, headers: { "retry-after": "60" } };
    await kith().settle();
    service.received.length = 0;
    service.answer = { status: 201, headers: {} };
    kith().clock.advance(HOUR_MS);
  }

  test("the kinds and the policy decide, and can be changed", async () => {
    const ann = await receiver();
    const bob = await writer();
    const changed = await ann.app.put<{ alerts: object; policy: string }>(
      PATH,
      { data: { alerts: { favourite: true }, policy: "followed" } },
    );
    assert.equal(changed.policy, "followed");
    await mention(bob, ann);
    const { id } = await ann.app.write("like it");
    await bob.post(`/v1/statuses/${id}/favourite`);
    await kith().settle();
    assert.equal(sentTo(ann).length, 0);
    const me = await bob.get<{ id: string }>("/v1/accounts/verify_credentials");
    await ann.app.post(`/v1/accounts/${me.id}/follow`);
    const other = await ann.app.write("and this");
    await bob.post(`/v1/statuses/${other.id}/favourite`);
    await mention(bob, ann);
    await kith().settle();
    assert.deepEqual(
      sentTo(ann).map((it) => read(ann, it)["notification_type"]),
      ["favourite"],
    );
    await ann.app.put(PATH, { data: { policy: "none" } });
    const third = await ann.app.write("and that");
    await bob.post(`/v1/statuses/${third.id}/favourite`);
    await kith().settle();
    assert.equal(sentTo(ann).length, 1);
    const kept = await ann.app.get<{ alerts: object }>(PATH);
    assert.deepEqual(kept.alerts, { ...changed.alerts });
  });

  test("404 and 410 end the subscription; 503 is repeated, and then given up", async () => {
    const bob = await writer();
    for (const status of [404, 410]) {
      const ann = await receiver();
      service.answer.status = status;
      await mention(bob, ann);
      await kith().settle();
      await ann.app.notFound("GET", PATH);
    }
    const ann = await receiver();
    service.answer.status = 503;
    await mention(bob, ann);
    for (let round = 0; round < 8; round += 1) {
      await kith().settle();
      kith().clock.advance(HOUR_MS / 2);
    }
    assert.equal(sentTo(ann).length, 6);
    await ann.app.get(PATH);
    service.answer.status = 400;
    await mention(bob, ann);
    await kith().settle();
    await kith().settle();
    assert.equal(sentTo(ann).length, 7);
  });

  test("it ends with its token, and is replaced by another one", async () => {
    const ann = await receiver();
    const keys = newReceiverKeys();
    const again = await ann.app.post<{ id: number }>(
      PATH,
      form(keys, "/another"),
    );
    assert.equal(typeof again.id, "number");
    await mention(await writer(), ann);
    await kith().settle();
    assert.deepEqual(
      service.received.map(({ path }) => path),
      ["/another"],
    );
    const user = await newUser(kith().baseUrl, "pushed");
    const token = await getAppToken(
      kith().baseUrl,
      user,
      "push",
      await registerClient(kith().baseUrl, { scopes: "push" }),
    );
    const url = `${kith().baseUrl}/api${PATH}`;
    const count = async () =>
      (
        await kith()
          .db.read.selectFrom("push_subscriptions")
          .innerJoin("users", "users.id", "push_subscriptions.user_id")
          .select("push_subscriptions.id")
          .where("users.username", "=", "pushed")
          .execute()
      ).length;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(form(keys)),
    });
    assert.equal(response.status, 200, await response.text());
    assert.equal(await count(), 1);
    await callWith(url, token, { method: "DELETE" });
    assert.equal(await count(), 0);
    assert.equal((await callWith(url, token)).status, 404);
  });

  test("addresses that nothing may be sent to, and broken keys, are refused", async () => {
    const who = await kith().person();
    const app = MastodonClient.of(kith(), who);
    const keys = newReceiverKeys();
    const before = await kith().snapshot();
    const { subscription } = form(keys);
    for (const wrong of [
      { endpoint: "https://user:password@push.example/device" },
      { endpoint: "https://169.254.169.254/latest" },
      { endpoint: "ftp://push.example/" },
      { endpoint: "https://android.googleapis.com/gcm/send/x" },
      { endpoint: `https://push.example/${"x".repeat(3_000)}` },
      { endpoint: "" },
      { keys: { p256dh: "AAAA", auth: "AAAA" } },
      { keys: { ...subscription.keys, auth: "AAAA" } },
      {
        keys: {
          ...subscription.keys,
          p256dh: Buffer.alloc(65, 4).toString("base64url"),
        },
      },
      { keys: "none" },
    ])
      await app.refused("POST", PATH, 422, /^Validation failed: /, {
        subscription: { ...subscription, ...wrong },
      });
    await app.refused("POST", PATH, 422, /^Validation failed: /, {});
    await app.refused("POST", PATH, 422, /Policy/, {
      ...form(keys),
      data: { policy: "some" },
    });
    assert.deepEqual(await kith().snapshot(), before);
    await app.notFound("PUT", PATH, { data: {} });
  });

  test("a long name and text are cut, so that the push fits", async () => {
    const ann = await receiver();
    const bob = await writer();
    await bob.patch("/v1/accounts/update_credentials", {
      display_name: "😀".repeat(30),
    });
    await bob.write(`@${ann.who.username} ${"ü".repeat(4_000)}`);
    await kith().settle();
    const [push] = sentTo(ann);
    assert.ok(push && push.body.length <= 4_096);
    assert.ok([...String(read(ann, push)["body"])].length <= 140);
  });
});

/** A server that nothing of the private network is open to. */
forEachDatabase((kind) => {
  const service = usePushService();
  const kith = useKith(kind, { env: { KITH_ALLOW_PRIVATE_NETWORK: "false" } });

  test("only https addresses of public hosts are taken", async () => {
    const who = await kith().person();
    const app = MastodonClient.of(kith(), who);
    const { pair, auth } = newReceiverKeys();
    const keys = {
      p256dh: pair.getPublicKey("base64url"),
      auth: auth.toString("base64url"),
    };
    for (const endpoint of [
      service.at("/x"),
      "http://push.example/x",
      "https://127.0.0.1/x",
      "https://[::1]/x",
      "https://localhost/x",
      "https://push.internal/x",
      "https://push.example:22/x",
    ])
      await app.refused("POST", PATH, 422, /https URL/, {
        subscription: { endpoint, keys },
      });
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createOAuthAPIClient,
  createRestAPIClient,
  createStreamingAPIClient,
} from "masto";
import { detector, Mastodon, type WebSocketInterface } from "megalodon";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { newUser } from "../support/pages/visit.ts";
import { picture } from "../support/scenes/pictures.ts";
import { CALLBACK, getCode } from "../support/sign-in/oauth-app.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

// What the popular apps do from the first start to signing out, in their order, with the
// libraries that some of them are built with.

const SCOPES = "read write follow push";

/** The receiver of RFC 8291, section 5. */
const PUSH_KEYS = {
  p256dh:
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const png = async () =>
    new Blob([new Uint8Array(await picture(80, 60).png().toBuffer())]);

  /** Somebody who reacts to the user of the app. */
  async function friend() {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  }

  /** Signs a new user in to an app of masto, as the sign-in page of Elk and Phanpy does. */
  async function signIn(username: string) {
    const url = kith().baseUrl;
    const app = await createRestAPIClient({ url }).v1.apps.create({
      ...{ clientName: "Flow", redirectUris: CALLBACK, scopes: SCOPES },
      website: "",
    });
    const [id, secret] = [app.clientId ?? "", app.clientSecret ?? ""];
    const user = await newUser(url, username);
    const client = { id, secret, redirectUri: CALLBACK };
    const code = await getCode(user, client, { scope: SCOPES });
    const oauth = createOAuthAPIClient({ url });
    const { accessToken } = await oauth.token.create({
      ...{ grantType: "authorization_code", code, redirectUri: CALLBACK },
      ...{ clientId: id, clientSecret: secret, scope: SCOPES },
    });
    const rest = createRestAPIClient({ url, accessToken });
    const revoke = () =>
      oauth.revoke({ clientId: id, clientSecret: secret, token: accessToken });
    return { rest, accessToken, revoke };
  }

  type Rest = Awaited<ReturnType<typeof signIn>>["rest"];

  /** Whatever the start of the app asks for, at once. */
  async function start(rest: Rest) {
    const [self, instance, preferences, ...lists] = await Promise.all([
      rest.v1.accounts.verifyCredentials(),
      rest.v2.instance.fetch(),
      rest.v1.preferences.fetch(),
      rest.v2.filters.list(),
      rest.v1.announcements.list(),
      rest.v1.followedTags.list(),
      rest.v1.customEmojis.list(),
      rest.v1.lists.list(),
      rest.v1.timelines.home.list({ limit: 50 }),
    ]);
    assert.deepEqual(lists.flat(), []);
    assert.equal(preferences["posting:default:visibility"], "public");
    assert.equal(instance.apiVersions.mastodon, 7);
    await assert.rejects(rest.v1.push.subscription.fetch(), /not found/);
    const markers = await rest.v1.markers.fetch({ timeline: ["home"] });
    assert.equal(markers.home.lastReadId, "0");
    return self;
  }

  /** Posts with a picture and with a poll; sent again, each is there once. */
  async function compose(rest: Rest) {
    const media = await rest.v2.media.create({
      ...{ file: await png(), description: "a picture", focus: "0.1,0.2" },
    });
    const key = { requestInit: { headers: { "Idempotency-Key": "k1" } } };
    const words = { status: "look #flow", mediaIds: [media.id] as never };
    const sent = await rest.v1.statuses.create(words, key);
    const again = await rest.v1.statuses.create(words, key);
    assert.equal(again.id, sent.id);
    const asked = await rest.v1.statuses.create({
      status: "Tea?",
      poll: { options: ["yes", "no"], expiresIn: 3_600, hideTotals: true },
    });
    assert.deepEqual(
      asked.poll?.options.map(({ votesCount }) => votesCount),
      [null, null],
    );
    return { sent, asked, media };
  }

  test("a web client: from signing in to signing out", async () => {
    const { rest, accessToken, revoke } = await signIn("webby");
    const self = await start(rest);
    const { who: other, app } = await friend();
    await app.post(`/v1/accounts/${self.id}/follow`);
    const otherId = String(other.record.ID);
    const { following } = await rest.v1.accounts.$select(otherId).follow();
    assert.equal(following, true);

    const streaming = createStreamingAPIClient({
      streamingApiUrl: kith().baseUrl.replace("http", "ws"),
      ...{ accessToken, implementation: WebSocket },
    });
    using user = streaming.user.subscribe();
    const events = user[Symbol.asyncIterator]();
    const first = events.next();
    while (kith().server.features.changes.countOpen() === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { sent, asked, media } = await compose(rest);
    const { value } = (await first) as { value: { payload: { id: string } } };
    assert.equal(value.payload.id, sent.id);
    streaming.close();

    const reply = await app.write("re", { in_reply_to_id: sent.id });
    await app.post(`/v1/statuses/${sent.id}/favourite`);
    await app.post(`/v1/polls/${asked.poll?.id}/votes`, { choices: [0] });
    await kith().settle();
    const grouped = await rest.v2.notifications.list({ limit: 30 });
    assert.deepEqual(
      grouped.notificationGroups.map(({ type }) => type).toSorted(),
      ["favourite", "follow", "mention"],
    );
    const { descendants } = await rest.v1.statuses
      .$select(sent.id)
      .context.fetch();
    assert.deepEqual(
      descendants.map(({ id }) => id),
      [reply.id],
    );

    const one = rest.v1.statuses.$select(sent.id);
    const { text } = await one.source.fetch();
    kith().clock.advance(60_000);
    const edited = await one.update({
      status: `${text} again`,
      mediaIds: [media.id] as never,
      mediaAttributes: [{ id: media.id, description: "the same picture" }],
    });
    assert.equal(edited.mediaAttachments[0]?.description, "the same picture");
    const versions = await one.history.list();
    assert.match(versions[0]?.content ?? "", /look/);
    assert.match(versions.at(-1)?.content ?? "", /again/);
    const removed = await one.remove();
    assert.equal(removed.text, "look #flow again");
    const redrafted = await rest.v1.statuses.create({
      status: `${removed.text ?? ""}!`,
      mediaIds: removed.mediaAttachments.map(({ id }) => id),
    });
    assert.equal(redrafted.mediaAttachments.length, 1);

    await arrange(rest, otherId, redrafted.id);
    const found = await rest.v2.search.list({ q: "#flow", type: "hashtags" });
    assert.equal(found.hashtags[0]?.name, "flow");
    const pushed = await rest.v1.push.subscription.create({
      subscription: { endpoint: "https://push.example/1", keys: PUSH_KEYS },
      data: { alerts: { mention: true } },
      policy: "followed",
    });
    assert.deepEqual(
      [pushed.policy, pushed.alerts.mention],
      ["followed", true],
    );
    await revoke();
    await assert.rejects(
      async () => rest.v1.timelines.home.list(),
      /token is invalid/,
    );
  });

  /** Lists, filters, markers, bookmarks and pins. */
  async function arrange(rest: Rest, otherId: string, statusId: string) {
    const list = await rest.v1.lists.create({ title: "close" });
    const members = rest.v1.lists.$select(list.id).accounts;
    await members.create({ accountIds: [otherId] });
    const [member] = await members.list({ limit: 0 });
    assert.equal(member?.id, otherId);
    assert.deepEqual(await rest.v1.timelines.list.$select(list.id).list(), []);
    await members.remove({ accountIds: [otherId] });
    await rest.v1.lists.$select(list.id).remove();
    const filter = await rest.v2.filters.create({
      ...{ title: "t", context: ["home"], filterAction: "blur" },
      keywordsAttributes: [{ keyword: "word" }],
    });
    assert.equal(filter.filterAction, "blur");
    const only = rest.v2.filters.$select(filter.id);
    await only.statuses.create({ statusId });
    const [keyword] = filter.keywords;
    const changed = await only.update({
      title: "u",
      keywordsAttributes: [{ id: keyword?.id ?? "", _destroy: true }],
    });
    assert.deepEqual([changed.title, changed.keywords], ["u", []]);
    await only.remove();
    const markers = await rest.v1.markers.create({
      home: { lastReadId: statusId },
    });
    assert.equal(markers.home.lastReadId, statusId);
    await rest.v1.statuses.$select(statusId).bookmark();
    await rest.v1.statuses.$select(statusId).pin();
    const [bookmarked] = await rest.v1.bookmarks.list();
    assert.deepEqual([bookmarked?.id, bookmarked?.pinned], [statusId, true]);
  }

  test("a desktop client: from finding the server to signing out", async () => {
    const url = kith().baseUrl;
    assert.equal(await detector(url), "mastodon");
    const nobody = new Mastodon(url);
    const app = await nobody.registerApp("Desk", {
      ...{ scopes: SCOPES.split(" "), redirect_uris: CALLBACK },
    });
    const [id, secret] = [app.client_id, app.client_secret];
    const user = await newUser(url, "desky");
    const code = await getCode(
      user,
      { id, secret, redirectUri: CALLBACK },
      { scope: SCOPES },
    );
    const { access_token } = await nobody.fetchAccessToken(
      ...([id, secret, code, CALLBACK] as const),
    );
    const client = new Mastodon(url, access_token);
    assert.equal((await client.verifyAppCredentials()).data.name, "Desk");
    const { data: self } = await client.verifyAccountCredentials();
    assert.equal(self.acct, "desky");
    const { data: preferences } = await client.getPreferences();
    assert.equal(preferences["reading:expand:spoilers"], false);
    const stream = await client.userStreaming();
    await new Promise<void>((resolve) => {
      stream.on("connect", () => resolve());
    });
    const received = nextUpdate(stream);
    const { data: posted } = await client.postStatus("hi", {
      poll: { options: ["a", "b"], expires_in: 600, multiple: true },
    });
    assert.equal((await received).id, posted.id);
    stream.stop();
    const { who, app: other } = await friend();
    await other.post(`/v1/accounts/${self.id}/follow`);
    await other.post(`/v1/statuses/${posted.id}/reblog`);
    await kith().settle();
    const { data: notices } = await client.getNotifications({ limit: 20 });
    assert.deepEqual(notices.map(({ type }) => type).toSorted(), [
      "follow",
      "reblog",
    ]);
    const otherId = String(who.record.ID);
    await client.followAccount(otherId);
    await client.pinAccount(otherId);
    const { data: endorsed } = await client.getEndorsements();
    assert.equal(endorsed[0]?.id, otherId);
    const { data: list } = await client.createList("close");
    await client.addAccountsToList(list.id, [otherId]);
    const { data: timeline } = await client.getListTimeline(list.id);
    assert.equal(timeline[0]?.reblog?.id, posted.id);
    await client.saveMarkers({ home: { last_read_id: posted.id } });
    await client.dismissNotifications();
    const { data: edited } = await client.editStatus(posted.id, {
      status: "hi there",
    });
    assert.match(edited.content, /hi there/);
    await client.deleteStatus(posted.id);
    await client.revokeToken(id, secret, access_token);
    await assert.rejects(client.getHomeTimeline());
  });

  const nextUpdate = (stream: WebSocketInterface) =>
    new Promise<{ readonly id: string }>((resolve, reject) => {
      stream.on("update", resolve);
      stream.on("error", reject);
    });
});

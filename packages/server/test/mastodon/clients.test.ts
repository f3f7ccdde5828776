import assert from "node:assert/strict";
import { test } from "node:test";
import { createRestAPIClient, createStreamingAPIClient } from "masto";
import { Mastodon } from "megalodon";
import { picture } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

// The libraries of other people: what they cannot read, their apps cannot.

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const masto = async () => {
    const who = await kith().person();
    const url = kith().baseUrl;
    const client = createRestAPIClient({ url, accessToken: who.token });
    return { who, id: String(who.record.ID), client };
  };

  const other = async () => {
    const who = await kith().person();
    const client = new Mastodon(kith().baseUrl, who.token, "kith-test");
    return { who, id: String(who.record.ID), client };
  };

  test("masto reads the server, writes, replies and pages", async () => {
    const [ann, bob] = [await masto(), await masto()];
    const instance = await ann.client.v2.instance.fetch();
    assert.equal(instance.domain, new URL(kith().baseUrl).host);
    assert.equal(instance.configuration.statuses.maxCharacters, 65_535);
    const self = await ann.client.v1.accounts.verifyCredentials();
    assert.equal(self.acct, ann.who.username);
    await bob.client.v1.accounts.$select(ann.id).follow();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      kith().clock.advance(1_000);
      const status = `masto ${n}`;
      ids.unshift((await ann.client.v1.statuses.create({ status })).id);
    }
    const seen: string[] = [];
    for await (const page of bob.client.v1.timelines.home.list({ limit: 2 }))
      seen.push(...page.map(({ id }) => id));
    assert.deepEqual(seen, ids);
    const reply = await bob.client.v1.statuses.create({
      status: "re",
      inReplyToId: ids[0] ?? "",
    });
    const context = await ann.client.v1.statuses
      .$select(ids[0] ?? "")
      .context.fetch();
    assert.equal(context.descendants[0]?.id, reply.id);
    await assert.rejects(
      ann.client.v1.statuses.$select("1").fetch(),
      /Record not found/,
    );
    const { id } = await bob.client.v1.statuses.$select(ids[1] ?? "").reblog();
    const boosted = await ann.client.v1.statuses.$select(id).fetch();
    assert.equal(boosted.reblog?.id, ids[1]);
    await kith().settle();
    const notices = await ann.client.v1.notifications.list();
    assert.deepEqual(notices.map(({ type }) => type).toSorted(), [
      "follow",
      "mention",
      "reblog",
    ]);
    const grouped = await ann.client.v2.notifications.list();
    assert.equal(grouped.notificationGroups.length, 3);
  });

  test("masto uploads a picture, and keeps lists, filters and markers", async () => {
    const { client, id } = await masto();
    const bytes = await picture(80, 60).png().toBuffer();
    const media = await client.v2.media.create({
      file: new Blob([new Uint8Array(bytes)]),
      description: "a picture",
    });
    const status = await client.v1.statuses.create({
      ...{ status: "look", mediaIds: [media.id], visibility: "private" },
    });
    assert.equal(status.mediaAttachments[0]?.description, "a picture");
    const list = await client.v1.lists.create({ title: "mine" });
    assert.equal((await client.v1.lists.list())[0]?.id, list.id);
    const filter = await client.v2.filters.create({
      ...{ title: "words", context: ["home"], filterAction: "hide" },
      keywordsAttributes: [{ keyword: "word", wholeWord: true }],
    });
    assert.equal(filter.keywords[0]?.wholeWord, true);
    const markers = await client.v1.markers.create({
      home: { lastReadId: status.id },
    });
    assert.equal(markers.home.lastReadId, status.id);
    const changed = await client.v1.accounts.updateCredentials({
      displayName: "Masto",
      fieldsAttributes: [{ name: "a", value: "b" }],
    });
    assert.deepEqual(
      [changed.displayName, changed.fields[0]?.name],
      ["Masto", "a"],
    );
    const [relationship] = await client.v1.accounts.relationships.fetch({
      id: [id],
    });
    assert.equal(relationship?.id, id);
    const { hashtags } = await client.v2.search.list({ q: "nothing" });
    assert.deepEqual(hashtags, []);
  });

  test("masto hears what changes", async () => {
    const [ann, bob] = [await masto(), await masto()];
    await bob.client.v1.accounts.$select(ann.id).follow();
    const streaming = createStreamingAPIClient({
      streamingApiUrl: kith().baseUrl.replace("http", "ws"),
      accessToken: bob.who.token,
      implementation: WebSocket,
    });
    using subscription = streaming.user.subscribe();
    const events = subscription[Symbol.asyncIterator]();
    const first = events.next();
    while (kith().server.features.changes.countOpen() === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    // The subscription arrives after the handshake.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { id } = await ann.client.v1.statuses.create({ status: "live" });
    const { value } = (await first) as {
      value: { event: string; payload: { id: string } };
    };
    assert.deepEqual([value.event, value.payload.id], ["update", id]);
    await ann.client.v1.statuses.$select(id).remove();
    const next = (await events.next()) as {
      value: { event: string; payload: string };
    };
    assert.deepEqual([next.value.event, next.value.payload], ["delete", id]);
    streaming.close();
  });

  test("megalodon reads and writes", async () => {
    const [ann, bob] = [await other(), await other()];
    const self = await ann.client.verifyAccountCredentials();
    assert.equal(self.data.acct, ann.who.username);
    const instance = await ann.client.getInstance();
    assert.equal(instance.data.uri, new URL(kith().baseUrl).host);
    await bob.client.followAccount(ann.id);
    const posted = await ann.client.postStatus("hello", {
      ...{ spoiler_text: "cw", visibility: "unlisted" },
    });
    const { data: home } = await bob.client.getHomeTimeline({ limit: 5 });
    assert.deepEqual(
      home.map(({ id, spoiler_text }) => [id, spoiler_text]),
      [[posted.data.id, "cw"]],
    );
    await bob.client.favouriteStatus(posted.data.id);
    await bob.client.bookmarkStatus(posted.data.id);
    const { data: bookmarks } = await bob.client.getBookmarks();
    assert.equal(bookmarks[0]?.id, posted.data.id);
    await kith().settle();
    const { data: notices } = await ann.client.getNotifications();
    assert.deepEqual(notices.map(({ type }) => type).toSorted(), [
      "favourite",
      "follow",
    ]);
    const { data: found } = await bob.client.search(ann.who.username);
    assert.equal(found.accounts[0]?.id, ann.id);
    await ann.client.deleteStatus(posted.data.id);
    await assert.rejects(bob.client.getStatus(posted.data.id));
  });
});

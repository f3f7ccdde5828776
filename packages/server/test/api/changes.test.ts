import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  askForChanges,
  watchChanges,
  type EventReader,
} from "../support/streams/event-reader.ts";
import { startTalk } from "../support/conversations/talking.ts";
import { befriend } from "../support/remote/several-servers.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const watch = (person: TestPerson, headers = {}) =>
    watchChanges(kith().baseUrl, person.token, headers);

  /** Publishes a post of the watcher's own. @returns the events up to it */
  async function readToFence(person: TestPerson, stream: EventReader) {
    const { Guid } = await person.post<PostRecord>("/posts", {
      post: "fence",
      aspectID: 0,
    });
    const events = await stream.until(({ data }) => data["Guid"] === Guid);
    return events.map(({ event, data }) => ({ event, ...data }));
  }

  /** Two people, the second of whom follows the first. */
  async function pair() {
    const author = await kith().person();
    const reader = await kith().person();
    await befriend(reader, author.handle);
    return { author, reader };
  }

  describe("the stream of changes", () => {
    test("notifies contacts of a post, its edit, its counts and its deletion", async () => {
      const { author, reader } = await pair();
      const stream = await watch(reader);
      const { ID, Guid } = await author.post<PostRecord>("/posts", {
        post: "hello",
        aspectID: 0,
      });
      await author.put(`/posts/${ID}`, { post: "hello again" });
      await author.post<CommentRecord>(`/posts/${ID}/comments`, {
        comment: "well",
      });
      await author.post(`/posts/${ID}/likes`);
      await author.delete(`/posts/${ID}/likes`);
      await author.delete(`/posts/${ID}`);
      // Those notified of a post are notified of its end, whatever else is gone by then.
      const events = await readToFence(reader, stream);
      const about = { ID, Guid };
      assert.deepEqual(events.at(0), { event: "post", ...about });
      assert.deepEqual(events.at(-1), { event: "deletion", ...about });
      for (const event of events)
        assert.deepEqual(event, { event: event.event, ...about });
      stream.leave();
    });

    test("reports each step while the post is there", async () => {
      const { author, reader } = await pair();
      const stream = await watch(reader);
      const { ID, Guid } = await author.post<PostRecord>("/posts", {
        post: "hello",
        aspectID: 0,
      });
      const nextEvent = async () => {
        const { event, data } = await stream.next();
        return { event, ...data };
      };
      assert.deepEqual(await nextEvent(), { event: "post", ID, Guid });
      await author.put(`/posts/${ID}`, { post: "hello again" });
      assert.deepEqual(await nextEvent(), { event: "edit", ID, Guid });
      const comment = await author.post<CommentRecord>(
        `/posts/${ID}/comments`,
        { comment: "well" },
      );
      assert.deepEqual(await nextEvent(), { event: "count", ID, Guid });
      await author.put(`/comments/${comment.ID}`, { comment: "so" });
      assert.deepEqual(await nextEvent(), {
        ...{ event: "edit", ID, Guid },
        CommentID: comment.ID,
      });
      await author.delete(`/comments/${comment.ID}`);
      assert.deepEqual(await nextEvent(), { event: "count", ID, Guid });
      await author.post(`/posts/${ID}/likes`);
      assert.deepEqual(await nextEvent(), { event: "count", ID, Guid });
      await author.delete(`/posts/${ID}`);
      assert.deepEqual(await nextEvent(), { event: "deletion", ID, Guid });
      stream.leave();
    });

    test("reports followed tags, messages and notifications", async () => {
      const { author, reader } = await pair();
      const stranger = await kith().person();
      await stranger.post("/tags/knitting");
      const readers = await watch(reader);
      const strangers = await watch(stranger);
      const form = { post: "it is #knitting", aspectID: 0 };
      const { ID, Guid } = await author.post<PostRecord>("/posts", form);
      for (const stream of [readers, strangers]) {
        const { event, data } = await stream.next();
        assert.deepEqual({ event, ...data }, { event: "post", ID, Guid });
      }
      const talk = await startTalk(author, [reader.record.ID], { text: "hm" });
      const message = await readers.next();
      assert.equal(message.event, "message");
      assert.equal(message.data["ID"], talk.ID);
      await kith().settle();
      const notification = await readers.next();
      assert.equal(notification.event, "notification");
      const list = await reader.get<NotificationRecord[]>("/notifications");
      assert.equal(notification.data["ID"], list[0]?.ID);
      assert.deepEqual(await readToFence(stranger, strangers), []);
      readers.leave();
      strangers.leave();
    });

    test("reports nothing hidden, nothing of blocked or ignored people, and no change that was rolled back", async () => {
      const { author, reader } = await pair();
      const ignored = await kith().person();
      await befriend(reader, ignored.handle);
      await reader.post(`/people/${ignored.record.ID}/ignore`);
      const stream = await watch(reader);
      const { ID: aspectID } = await author.post<AspectRecord>("/aspects", {
        name: "nobody",
      });
      const hidden = await author.post<PostRecord>("/posts", {
        post: "hidden",
        aspectID,
      });
      await author.post(`/posts/${hidden.ID}/comments`, { comment: "x" });
      await author.delete(`/posts/${hidden.ID}`);
      const shown = await author.post<PostRecord>("/posts", {
        post: "shown",
        aspectID: 0,
      });
      await ignored.post(`/posts/${shown.ID}/comments`, { comment: "x" });
      await ignored.post("/posts", { post: "ignored", aspectID: 0 });
      const { db, server } = kith();
      const userId = author.record.UserID;
      const undone = db.transaction(async (tx) => {
        const self = { userId, personId: author.record.ID };
        await server.features.posts.publish({ author: self, text: "x" }, tx);
        throw new Error("undone");
      });
      await assert.rejects(undone, /^Error: undone$/);
      const events = await readToFence(reader, stream);
      assert.deepEqual(events, [
        { event: "post", ID: shown.ID, Guid: shown.Guid },
      ]);
      stream.leave();
    });

    test("continues where it was left, and says so when it cannot", async () => {
      const { author, reader } = await pair();
      const first = await watch(reader);
      first.leave();
      const form = { post: "meanwhile", aspectID: 0 };
      const missed = await author.post<PostRecord>("/posts", form);
      const since = { "last-event-id": first.lastId };
      const second = await watch(reader, since);
      const event = await second.next();
      assert.equal(event.data["Guid"], missed.Guid);
      second.leave();
      // Another's place is as good as none.
      const author2 = await watch(author, since);
      assert.equal((await author2.next()).event, "reset");
      author2.leave();
      for (const id of ["1", "", event.id.slice(1), "\u00e9".repeat(3)]) {
        const query = `/api/v0/changes?lastEventID=${encodeURIComponent(id)}`;
        const { baseUrl } = kith();
        const answer = await askForChanges(baseUrl, reader.token, {}, query);
        assert.equal(answer.statusCode, 200);
        answer.destroy();
      }
    });

    test("ends when its token does, and reports nothing more", async () => {
      const { author, reader } = await pair();
      const issued = await kith().token(reader.username, "other");
      const stream = await watchChanges(kith().baseUrl, issued.token);
      await reader.delete(`/oauth/tokens/${issued.ID}`);
      await author.post("/posts", { post: "too late", aspectID: 0 });
      await assert.rejects(async () => stream.next(), /has ended/);
      await stream.ended;
    });

    test("ends when its account is suspended, though nothing else happens", async () => {
      const { reader } = await pair();
      const admin = await kith().person({ role: "admin" });
      const stream = await watch(reader);
      await admin.put(`/admin/people/${reader.record.ID}/suspension`);
      await stream.ended;
    });

    test("is limited for each account, and gives its place back", async () => {
      const { reader } = await pair();
      const streams: EventReader[] = [];
      for (let count = 0; count < 10; count += 1)
        streams.push(await watch(reader));
      const refused = await askForChanges(kith().baseUrl, reader.token);
      assert.equal(refused.statusCode, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
      refused.destroy();
      const open = kith().server.features.changes.countOpen();
      for (const stream of streams) stream.leave();
      const { changes } = kith().server.features;
      while (changes.countOpen() > open - streams.length)
        await new Promise((resolve) => setImmediate(resolve));
      (await watch(reader)).leave();
    });

    test("is answered as documented", async () => {
      const { reader } = await pair();
      const { baseUrl } = kith();
      await kith().anonymous.unauthorized("GET", "/changes");
      const stream = await watch(reader);
      const { headers } = stream.response;
      assert.equal(headers["content-type"], "text/event-stream");
      assert.equal(headers["x-accel-buffering"], "no");
      assert.equal(headers["cache-control"], "private, no-store");
      stream.leave();
      const head = await fetch(`${baseUrl}/api/v0/changes`, {
        method: "HEAD",
        headers: { access_token: reader.token },
      });
      assert.equal(head.status, 200);
    });
  });
});

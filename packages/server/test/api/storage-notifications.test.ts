import assert from "node:assert/strict";
import { test } from "node:test";
import { listOldNotifications } from "../../src/features/notifications/old-notification-store.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type { NotificationRecord, PostRecord } from "../support/server/wire.ts";
import { remoteThread } from "../support/storage/remote-thread.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind, {
    env: { KITH_NOTIFICATION_DAYS: "90", KITH_REMOTE_POST_DAYS: "90" },
  });
  const clean = async () =>
    (await kith().server.storage.clean({ pauseMs: 0 })).freed;

  async function notify(user: TestPerson): Promise<void> {
    const fan = await kith().person();
    const post = await user.post<PostRecord>("/posts", {
      post: "tea",
      public: true,
    });
    await fan.post(`/posts/${post.ID}/likes`);
    await kith().settle();
  }

  const listOf = (user: TestPerson) =>
    user.get<NotificationRecord[]>("/notifications");

  test("notifications go by age, read or not, and younger ones stay", async () => {
    const user = await kith().person();
    await notify(user);
    await notify(user);
    const [read] = await listOf(user);
    await user.put(`/notifications/${read?.ID ?? assert.fail()}`, {});
    kith().clock.advance(50 * DAY_MS);
    await notify(user);
    assert.equal((await clean()).notifications.notifications, 0);
    kith().clock.advance(41 * DAY_MS);
    const { storage } = kith().server;
    const { notifications } = await storage.preview();
    assert.equal(notifications.notifications, 2);
    assert.equal((await listOf(user)).length, 3, "a preview changes nothing");
    assert.equal((await clean()).notifications.notifications, 2);
    assert.equal((await listOf(user)).length, 1);
  });

  test("the post of an old notification goes in the same run", async () => {
    const user = await kith().person();
    const thread = await remoteThread(kith());
    const { created_at: createdAt } = await kith()
      .db.read.selectFrom("people")
      .select("created_at")
      .where("id", "=", thread.author.id)
      .executeTakeFirstOrThrow();
    await kith().db.transaction((tx) =>
      tx
        .insertInto("notifications")
        .values({
          ...{ user_id: user.record.UserID, person_id: thread.author.id },
          ...({ reason: "mention", shareable_type: "Post" } as const),
          ...{ shareable_guid: thread.guid, unread: true },
          ...{ created_at: createdAt, updated_at: createdAt },
        })
        .execute(),
    );
    kith().clock.advance(91 * DAY_MS);
    const freed = await clean();
    assert.equal(freed["other-posts"].posts, 1);
    const { posts } = kith().server.features;
    assert.equal(await posts.find({ id: thread.id }), undefined);
  });

  test("those that a clock ahead has dated hold up no other", async () => {
    const { clock, db } = kith();
    clock.advance(400 * DAY_MS);
    const user = await kith().person();
    for (let n = 0; n < 4; n += 1) await notify(user);
    clock.advance(-400 * DAY_MS);
    await notify(user);
    await notify(user);
    clock.advance(91 * DAY_MS);
    const before = new Date(clock.now().getTime() - 90 * DAY_MS);
    const ids: number[] = [];
    let above: number | undefined = 0;
    while (above !== undefined) {
      const part = await listOldNotifications(
        db.read,
        { above, before, now: clock.now() },
        2,
      );
      ids.push(...part.ids);
      above = part.last;
    }
    assert.equal(ids.length, 2);
  });
});

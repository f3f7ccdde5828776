import assert from "node:assert/strict";
import { needsToken, type Rec, type Rows, type Stage } from "../stage.ts";

/** Notifies ann, and returns her notifications, newest first. */
async function notifyAnn(stage: Stage): Promise<Rec> {
  const { ann, bob } = stage;
  await stage.like(bob, await stage.post(ann));
  const [first] = await stage.notifications(ann);
  assert.ok(first);
  return first;
}

const lists = async (stage: Stage): Promise<void> => {
  const { ann } = stage;
  await needsToken(stage, "GET", "/notifications");
  const older = await notifyAnn(stage);
  const newer = await notifyAnn(stage);
  const list = await ann.get<Rec[]>("/notifications");
  assert.deepEqual([list[0]?.ID, list[1]?.ID], [newer.ID, older.ID]);
  assert.equal(newer["UserID"], ann.record.UserID);
  const query = { offset: 1, fields: "ID" };
  const rest = await ann.get<Rec[]>("/notifications", query);
  assert.deepEqual(rest[0], { ID: older.ID });
  await ann.put(`/notifications/${newer.ID}`);
  const unread = await ann.get<Rec[]>("/notifications", { unread: true });
  assert.ok(!unread.some(({ ID }) => ID === newer.ID));
  assert.ok(unread.some(({ ID }) => ID === older.ID));
  await stage.failsToSave("notifications", ann, "GET", "/notifications");
};

const shows = async (stage: Stage): Promise<void> => {
  const { ann, bob } = stage;
  const notification = await notifyAnn(stage);
  const path = `/notifications/${notification.ID}`;
  await needsToken(stage, "GET", path);
  assert.deepEqual(await ann.get(path), notification);
  const cut = await ann.get(path, { fields: "Unread" });
  assert.deepEqual(cut, { Unread: true });
  await bob.notFound("GET", path);
};

const marksRead = async (stage: Stage): Promise<void> => {
  const { ann, bob } = stage;
  const notification = await notifyAnn(stage);
  const path = `/notifications/${notification.ID}`;
  await needsToken(stage, "PUT", path);
  await bob.notFound("PUT", path);
  await ann.notFound("PUT", "/notifications/999999");
  await stage.failsToSave("notifications", ann, "PUT", path);
  const { ID, Unread } = await ann.put<Rec>(path);
  assert.deepEqual([ID, Unread], [notification.ID, false]);
};

const unshown = "service-api/Operations whose path is not shown";
const resolved = "service-api-resolved/Endpoints, complete";

export const notificationRows: Rows = {
  [`${unshown}/List notifications`]: lists,
  [`${unshown}/Show notification`]: shows,
  [`${unshown}/Update notification`]: marksRead,
  [`${resolved}/GET /notifications`]: lists,
  [`${resolved}/GET /notifications/:id`]: shows,
  [`${resolved}/PUT /notifications/:id`]: marksRead,
  [`${resolved}/PUT /notifications`]: async (stage) => {
    const { ann, bob } = stage;
    await needsToken(stage, "PUT", "/notifications");
    await notifyAnn(stage);
    await bob.put("/notifications");
    const kept = await ann.get<Rec[]>("/notifications", { unread: true });
    assert.ok(kept.length > 0, "those of another user stay as they are");
    assert.deepEqual(await ann.put("/notifications"), {});
    assert.deepEqual(await ann.get("/notifications", { unread: true }), []);
  },
};

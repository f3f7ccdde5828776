import assert from "node:assert/strict";
import { test } from "node:test";
import { KithError } from "../../lib/errors.ts";
import type { NotificationId, PersonId, UserId } from "../ids.ts";
import type { Change } from "./change.ts";
import { OpenStreams, type StreamLimits } from "./open-streams.ts";

type Deps = ConstructorParameters<typeof OpenStreams>[0];

/** Streams of users to whom every notification is shown. */
function openStreams(limits: Partial<StreamLimits> = {}) {
  let isBroken = false;
  const notifications = {
    isListed: () =>
      isBroken ? Promise.reject(new Error("broken")) : Promise.resolve(true),
  };
  const streams = new OpenStreams({ notifications } as unknown as Deps, limits);
  const open = (userId: number, since?: string) => {
    const seen: string[] = [];
    const cursors: string[] = [];
    let isSignedIn = true;
    const close = streams.open(
      {
        user: { userId: userId as UserId, personId: userId as PersonId },
        isSignedIn: async () => isSignedIn,
        send: (event, cursor) => {
          seen.push(
            event.type === "notification"
              ? `${event.notificationId}`
              : event.type,
          );
          cursors.push(cursor);
        },
        beat: (cursor) => void cursors.push(cursor),
        end: () => void seen.push("end"),
      },
      since,
    );
    const signOut = () => {
      isSignedIn = false;
    };
    return { seen, cursors, close, signOut };
  };
  const breakDown = () => {
    isBroken = true;
  };
  return { streams, open, breakDown };
}

const notice = (userId: number, id: number): Change => ({
  kind: "notification",
  userId: userId as UserId,
  notificationId: id as NotificationId,
});

/** All tasks run on promises alone. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("each user gets their own changes, in order, and continues from any place", async () => {
  const { streams, open } = openStreams();
  const one = open(1);
  const two = open(2);
  await settled();
  streams.publish([notice(1, 1), notice(2, 2), notice(1, 3)]);
  await settled();
  assert.deepEqual(one.seen, ["1", "3"]);
  assert.deepEqual(two.seen, ["2"]);
  const again = open(1, one.cursors[1]);
  await settled();
  assert.deepEqual(again.seen, ["3"]);
  const others = open(2, one.cursors[1]);
  const none = open(1, "x");
  await settled();
  assert.deepEqual(others.seen, ["reset"]);
  assert.deepEqual(none.seen, ["reset"]);
  streams.close();
});

test("places reveal nothing of how much happens", async () => {
  const { streams, open } = openStreams();
  const cursors = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    const { cursors: own, close } = open(1);
    await settled();
    for (const cursor of own) cursors.add(cursor);
    close();
  }
  assert.equal(cursors.size, 5, "the same place never looks the same");
  streams.close();
});

test("a place that is no longer kept starts anew", async () => {
  const { streams, open } = openStreams({ kept: 2 });
  const { cursors, close } = open(1);
  await settled();
  close();
  streams.publish([notice(1, 1), notice(1, 2)]);
  const kept = open(1, cursors[0]);
  await settled();
  assert.deepEqual(kept.seen, ["1", "2"]);
  streams.publish([notice(1, 3)]);
  const late = open(1, cursors[0]);
  await settled();
  assert.deepEqual(late.seen, ["reset"]);
  streams.close();
});

test("streams start anew after a gap, a flood, or a failure", async () => {
  const { streams, open, breakDown } = openStreams({ waiting: 3 });
  const { seen, cursors } = open(1);
  await settled();
  streams.publish(undefined);
  await settled();
  assert.deepEqual(seen, ["reset"]);
  streams.publish([1, 2, 3, 4, 5].map((id) => notice(1, id)));
  await settled();
  assert.ok(seen.includes("reset", 1));
  const before = seen.length;
  breakDown();
  streams.publish([notice(1, 6)]);
  await settled();
  assert.deepEqual(seen.slice(before), ["reset"]);
  const again = open(1, cursors[0]);
  await settled();
  assert.deepEqual(again.seen, ["reset"]);
  streams.close();
});

test("streams are limited, and give their places back", async () => {
  const { streams, open } = openStreams({ ofAccount: 2, ofProcess: 3 });
  const refused = (userId: number, code: string) =>
    assert.throws(
      () => open(userId),
      (error) => error instanceof KithError && error.code === code,
    );
  const first = open(1);
  open(1);
  refused(1, "too_many_requests");
  open(2);
  refused(3, "unavailable");
  await settled();
  refused(1, "too_many_requests");
  first.close();
  first.close();
  assert.equal(streams.count, 2);
  open(3);
  streams.close();
  assert.equal(streams.count, 0);
  refused(4, "unavailable");
});

test("a stream that is signed out gets an end, and nothing else", async () => {
  const { streams, open } = openStreams();
  const { seen, signOut } = open(1);
  const other = open(1);
  await settled();
  signOut();
  streams.publish([notice(1, 1)]);
  await settled();
  assert.deepEqual(seen, ["end"]);
  assert.deepEqual(other.seen, ["1"]);
  streams.close();
});

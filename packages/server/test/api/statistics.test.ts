import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type {
  Span,
  StatisticName,
} from "../../src/features/statistics/index.ts";
import { newUser } from "../support/pages/visit.ts";
import { actorOf, submitAndApply } from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

const EVERY_MS = 5 * 60_000;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let far: RemoteServer;
  before(async () => {
    far = await RemoteServer.start();
    // The last evening of a month, so that all spans end soon.
    kith().clock.stopAt(new Date("2027-03-31T17:10:00Z"));
    await kith().server.prepare();
  });
  beforeEach(() => record());

  /** Lets the job run once more. */
  const record = async (ms = EVERY_MS) => {
    await kith().settle();
    kith().clock.advance(ms);
    await kith().settle();
  };
  /** The numbers of the last spans. */
  const last = async (name: StatisticName, span: Span = "hour", count = 2) =>
    (await kith().server.features.statistics.list(span, count)).valuesOf(name);
  const now = async (name: StatisticName, span: Span = "hour") =>
    (await last(name, span, 1))[0] ?? 0;

  test("posts and comments of people here are counted, by hour, day and month", async () => {
    const ann = await kith().person();
    const { ID } = await ann.post<PostRecord>("/posts", { post: "one" });
    await ann.post("/posts", { post: "two" });
    await ann.post(`/posts/${ID}/comments`, { comment: "three" });
    await record();
    for (const span of ["hour", "day", "month"] as const) {
      assert.equal(await now("posts", span), 2, span);
      assert.equal(await now("comments", span), 1, span);
    }
    await record(HOUR_MS);
    assert.deepEqual(await last("posts"), [2, 0]);
    assert.equal(await now("posts", "day"), 2);
    await ann.post("/posts", { post: "four" });
    await record();
    assert.deepEqual(await last("posts"), [2, 1]);
    assert.equal(await now("posts", "month"), 3);
  });

  test("people are counted once in each span", async () => {
    const before = await now("people", "day");
    const [ann, bob] = [await kith().person(), await kith().person()];
    await ann.get("/aspects");
    await bob.get("/aspects");
    await bob.get("/aspects");
    await record();
    assert.equal(await now("people", "day"), before + 2);
    assert.equal(await now("people", "month"), before + 2);
  });

  test("messages and deliveries are counted, and servers that take none are named", async () => {
    const ann = await kith().person();
    const bob = far.actor("bob");
    const sent = await Promise.all(
      (["messages", "delivered", "failed"] as const).map((name) => now(name)),
    );
    const follow = { object: actorOf(kith(), ann.username) };
    await bob.deliver(kith(), bob.activity("Follow", follow));
    await submitAndApply(kith(), ann, { type: "Follow", object: bob.id });
    await ann.post("/posts", { post: "for Bob" });
    await record();
    const [messages = 0, delivered = 0, failed = 0] = sent;
    assert.equal(await now("messages"), messages + 1);
    assert.equal(await now("delivered"), delivered + 3);
    assert.equal(await now("failed"), failed);
    const { statistics } = kith().server.features;
    assert.deepEqual(await statistics.listFailing(10), []);
    const { host } = new URL(far.origin);
    await far.close();
    await ann.post("/posts", { post: "Bob is away" });
    await record();
    assert.ok((await now("failed")) > failed);
    const [worst, ...others] = await statistics.listFailing(10);
    assert.deepEqual(others, []);
    assert.equal(worst?.host, host);
    assert.ok(worst.failed >= 1);
    assert.equal(worst.delivered, 3);
  });

  test("a job that runs again, or late, changes no number", async () => {
    const all = async () => {
      const { db } = kith();
      const rows = await db.read
        .selectFrom("statistics")
        .selectAll()
        .where("name", "in", ["posts", "comments", "messages", "delivered"])
        .where("value", ">", 0)
        .orderBy("at")
        .orderBy("span")
        .orderBy("name")
        .execute();
      return rows;
    };
    const known = await all();
    assert.ok(known.length > 0);
    const { statistics } = kith().server.features;
    await Promise.all([statistics.flush(), statistics.flush()]);
    await record();
    await record();
    assert.deepEqual(await all(), known);
  });

  test("hours in which nothing ran are counted afterwards", async () => {
    const ann = await kith().person();
    await ann.post("/posts", { post: "before the outage" });
    const before = await now("posts");
    kith().clock.advance(3 * HOUR_MS);
    await kith().settle();
    const [then, ...since] = await last("posts", "hour", 4);
    assert.equal(then, before + 1);
    assert.deepEqual(since, [0, 0, 0]);
  });

  test("the queue and the disk are measured", async () => {
    assert.ok((await now("database_bytes")) > 0);
    const waiting = await now("waiting_jobs");
    assert.ok(waiting > 0);
    await record();
    assert.equal(await now("waiting_jobs"), waiting);
  });

  test("a month ends, and its days stay", async () => {
    const posts = await now("posts", "month");
    assert.ok(posts > 0);
    await record(DAY_MS);
    const [march = 0, april] = await last("posts", "month");
    assert.ok(march >= 4);
    assert.equal(april, 0);
    await record(16 * DAY_MS);
    const { db } = kith();
    const { first } = await db.read
      .selectFrom("statistics")
      .select(({ fn }) => fn.min("at").as("first"))
      .where("span", "=", "hour")
      .executeTakeFirstOrThrow();
    const oldest = kith().clock.now().getTime() - 14 * DAY_MS - HOUR_MS;
    assert.ok(Date.parse(first) >= oldest, first);
    assert.equal((await last("posts", "month"))[0], march);
  });

  test("moderators see them drawn, and as tables; others see nothing", async () => {
    const user = await newUser(kith().baseUrl, `num${kind}`);
    assert.equal((await user.get("/admin")).status, 404);
    const { administration } = kith().server.features;
    const key = { username: user.username };
    await administration.setRole(null, key, "moderator");
    for (const span of ["", "hours", "days", "months", "<b>", "years"]) {
      const { status, text } = await user.get(`/admin?span=${span}`);
      assert.equal(status, 200);
      assert.match(text, /The server in numbers/);
      assert.match(
        text,
        /<svg[^>]*role="img"[^>]*aria-label="Written by people here\. Posts: /,
      );
      assert.match(text, /<th scope="col">Comments<\/th>/);
      assert.doesNotMatch(text, /<b>|NaN|undefined|Infinity/);
      assert.equal(
        text.includes("People who were here"),
        /days|months/.test(span),
      );
    }
  });
});

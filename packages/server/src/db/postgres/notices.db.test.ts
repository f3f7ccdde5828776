import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import pg from "pg";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import { openNotices, type Notices, type Topic } from "./notices.ts";

type ProtocolFindings = string | undefined;

/** Resolves with the next notice. */
function nextNotice(notices: Notices, topic: Topic) {
  const { promise, resolve } = Promise.withResolvers<ProtocolFindings>();
  notices.listen(topic, resolve);
  return promise;
}

describe("notices between processes on one PostgreSQL", () => {
  let database: TestDatabase;
  let one: Notices;
  let two: Notices;
  beforeEach(async () => {
    database = await createTestDatabase("postgres");
    one = await openNotices(database.location);
    two = await openNotices(database.location);
  });
  afterEach(async () => {
    await one.close();
    await two.close();
    await database.remove();
  });

  test("reach the others, by topic, and not their sender", async () => {
    const receivedByItself: ProtocolFindings[] = [];
    one.listen("person-keys", (value) => receivedByItself.push(value));
    const jobs: ProtocolFindings[] = [];
    two.listen("jobs", (value) => jobs.push(value));
    const received = nextNotice(two, "person-keys");
    one.notify("person-keys", "17");
    assert.equal(await received, "17");
    // A notice in the other direction comes after all earlier ones.
    const back = nextNotice(one, "jobs");
    two.notify("jobs");
    await back;
    assert.deepEqual(receivedByItself, []);
    assert.deepEqual(jobs, []);
  });

  test("are gathered: what is said many times at once is said once", async () => {
    const received: ProtocolFindings[] = [];
    two.listen("person-keys", (value) => received.push(value));
    const last = nextNotice(two, "jobs");
    for (let times = 0; times < 50; times += 1) one.notify("person-keys", "17");
    one.notify("jobs");
    await last;
    assert.deepEqual(received, ["17"]);
  });

  test("after more than can be kept without a connection, the others learn that they missed something, and receive again", async () => {
    assert.ok(database.location.kind === "postgres");
    const { location } = database;
    const admin = new pg.Client({
      connectionString: Object.assign(new URL(location.url), {
        pathname: "/postgres",
      }).toString(),
    });
    await admin.connect();
    const name = new URL(location.url).pathname.slice(1);
    const allow = (isAllowed: boolean) =>
      admin.query(`alter database "${name}" allow_connections ${isAllowed}`);
    const back = nextNotice(two, "account-keys");
    await allow(false);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kith notices' and datname = $1",
      [name],
    );
    for (let count = 0; count < 1_500; count += 1) {
      one.notify("person-keys", String(count));
      if (count % 100 === 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await allow(true);
    await admin.end();
    await back;
    const received = Promise.withResolvers<void>();
    two.listen("person-keys", (value) => {
      if (value === "the last one") received.resolve();
    });
    const notifying = setInterval(
      () => one.notify("person-keys", "the last one"),
      50,
    );
    await received.promise;
    clearInterval(notifying);
  });

  test("after a lost connection, all listeners are called, and receive again", async () => {
    assert.ok(database.location.kind === "postgres");
    const gap = nextNotice(two, "person-keys");
    const admin = new pg.Client({ connectionString: database.location.url });
    await admin.connect();
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kith notices' and datname = current_database()",
    );
    await admin.end();
    assert.equal(await gap, undefined, "anything may have been missed");
    const received = nextNotice(two, "jobs");
    const notifying = setInterval(() => one.notify("jobs"), 50);
    await received;
    clearInterval(notifying);
  });
});

test("on SQLite there is nobody to notify", async () => {
  const database = await createTestDatabase("sqlite");
  const notices = await openNotices(database.location);
  notices.listen("jobs", () => assert.fail("nobody notifies"));
  notices.notify("jobs");
  await notices.close();
  await database.remove();
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

type Week = {
  readonly week: string;
  readonly statuses: string;
  readonly logins: string;
  readonly registrations: string;
};

const DAY_MS = 24 * HOUR_MS;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const open = () => MastodonClient.of(kith());

  test("apps learn the servers known here, but for the blocked ones", async () => {
    for (const name of ["zoe@far.example", "bea@sub.bad.example:8443"])
      await remotePerson(kith(), name);
    const boss = await kith().person({ role: "admin" });
    await boss.post("/admin/hosts", {
      ...{ host: "bad.example", decision: "block", reason: "spam" },
    });
    assert.deepEqual(await open().get("/v1/instance/peers"), ["far.example"]);
  });

  test("the numbers of the server follow what is done there within a minute", async () => {
    type Instance = {
      readonly stats: { user_count: number; status_count: number };
    };
    const read = async () => (await open().get<Instance>("/v1/instance")).stats;
    const before = await read();
    const app = MastodonClient.of(kith(), await kith().person());
    await app.write("first");
    kith().clock.advance(61_000);
    const { user_count: users, status_count: statuses } = await read();
    assert.deepEqual(
      [users - before.user_count, statuses - before.status_count],
      [1, 1],
    );
  });

  test("apps learn how much was done here in each week", async () => {
    const now = kith().clock.now();
    const monday = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()),
    );
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
    const before = (days: number) =>
      new Date(monday.getTime() - days * DAY_MS).toISOString();
    await kith().db.transaction((tx) =>
      tx
        .insertInto("statistics")
        .values(
          (
            [
              ["posts", 1, 4],
              ["comments", 2, 3],
              ["people", 7, 5],
              ["people", 1, 6],
              ["posts", 8, 100],
              ["posts", 7 * 12, 1_000],
            ] as const
          ).map(([name, days, value]) => ({
            ...{ name, span: "day" as const, at: before(days), value },
          })),
        )
        .execute(),
    );
    const weeks = await open().get<Week[]>("/v1/instance/activity");
    assert.equal(weeks.length, 12);
    const [current, last, earlier] = weeks;
    assert.equal(current?.week, String(monday.getTime() / 1_000));
    assert.notEqual(current.registrations, "0");
    assert.deepEqual(last, {
      week: String((monday.getTime() - 7 * DAY_MS) / 1_000),
      ...{ statuses: "7", logins: "6", registrations: "0" },
    });
    assert.equal(earlier?.statuses, "100");
    assert.ok(weeks.every(({ statuses }) => Number(statuses) < 1_000));
  });

  test("a public status is described for other sites, below the paths of apps as well", async () => {
    const who = await kith().person();
    const app = MastodonClient.of(kith(), who);
    const ask = async (visibility: string) => {
      const { url } = await app.write("text", { visibility });
      const query = new URLSearchParams({ url, maxwidth: "300" });
      return fetch(`${kith().baseUrl}/api/oembed?${query.toString()}`);
    };
    const found = await ask("public");
    assert.equal(found.status, 200);
    const described = (await found.json()) as { type: string; width: number };
    assert.deepEqual([described.type, described.width], ["rich", 300]);
    const hidden = await ask("private");
    assert.equal(hidden.status, 404);
    assert.match(hidden.headers.get("content-type") ?? "", /json/);
  });
});

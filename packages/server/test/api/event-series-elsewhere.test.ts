import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  EventRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const nowMs = () => Number(kith().clock.now());
  const seconds = (ms: number) =>
    `${new Date(ms).toISOString().slice(0, 19)}.000Z`;
  /** Begins in the past, and goes on next in two days. */
  const startOf = () => nowMs() - 5 * DAY_MS;
  const plan = (
    by: TestPerson,
    more: Record<string, string | boolean> = {},
  ) => {
    const start = startOf();
    return by.post<EventRecord>("/calendar/events", {
      ...{ summary: "Choir", timezone: "UTC", recurrence: "FREQ=WEEKLY" },
      ...{ start: seconds(start), end: seconds(start + 3_600_000), ...more },
    });
  };
  const shown = async (event: EventRecord) => {
    const stored = await kith().server.features.events.find({ id: event.ID });
    return stored && kith().server.features.events.upcoming(stored);
  };
  const documentOf = async ({ Guid }: PostRecord) => {
    const response = await fetch(`${kith().baseUrl}/posts/${Guid}`, {
      headers: { accept: "application/activity+json" },
    });
    return (await response.json()) as Record<string, unknown>;
  };
  /** The entity of diaspora* in its envelope. */
  const entityOf = async ({ Guid }: PostRecord) => {
    const url = `${kith().baseUrl}/fetch/post/${Guid}`;
    const envelope = await (await fetch(url)).text();
    const [, data = ""] = /<me:data[^>]*>([^<]*)</.exec(envelope) ?? [];
    return Buffer.from(data, "base64url").toString();
  };
  const factsOf = async ({ ID }: EventRecord) => {
    const jobs = await kith()
      .db.read.selectFrom("jobs")
      .select(["kind", "payload"])
      .where("payload", "like", `%event.advanced%${ID}%`)
      .execute();
    return jobs.map(({ kind: name }) => name);
  };
  /** As if the event that others see were over. */
  const passTime = ({ ID }: EventRecord) =>
    kith().db.transaction(async (tx) => {
      await tx
        .updateTable("events")
        .set({ shown_until: "2020-01-01T00:00:00.000Z" })
        .where("id", "=", ID)
        .execute();
    });
  const advance = () => kith().server.features.events.advanceSeries();

  test("others see the next event of a series, and its rule in words", async () => {
    const ann = await kith().person();
    const event = await plan(ann);
    const [post] = await ann.get<PostRecord[]>("/posts");
    assert.match(post?.Text ?? "", /Repeats: every week/);
    const next = await shown(event);
    assert.ok(Date.parse(next?.start ?? "") > nowMs());
    assert.ok(Date.parse(next?.start ?? "") < nowMs() + WEEK_MS);
    const document = await documentOf(post ?? assert.fail());
    assert.equal(document["type"], "Event", JSON.stringify(document));
    assert.equal(
      Date.parse(String(document["startTime"])),
      Date.parse(next?.start ?? ""),
    );
    assert.match(String(document["summary"]), /every week/);
    const entity = await entityOf(post ?? assert.fail());
    const start = `${next?.start.slice(0, 19)}Z`;
    assert.ok(entity.includes(`<start>${start}</start>`), entity);
    assert.match(entity, /Repeats: every week/);
    // The owner still has the whole series.
    const own = await ann.get<EventRecord>(`/calendar/events/${event.ID}`);
    assert.equal(own.Start, event.Start);
    await ann.put(`/calendar/events/${event.ID}`, {
      recurrence: "FREQ=WEEKLY;COUNT=4",
    });
    const changed = await documentOf(post ?? assert.fail());
    assert.match(JSON.stringify(changed["source"]), /every week, 4 times/);
  });

  test("each next event is sent once, and notifies nobody here", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const event = await plan(ann);
    await bob.put(`/calendar/events/${event.ID}/participation`, {
      status: "accepted",
    });
    await kith().settle();
    assert.equal(await advance(), false);
    assert.deepEqual(await factsOf(event), []);
    const before = await kith().server.features.events.find({ id: event.ID });
    const received = await bob.get<NotificationRecord[]>("/notifications");
    await passTime(event);
    // Two workers at once, and one that comes back after a crash.
    await Promise.all([advance(), advance()]);
    await advance();
    assert.deepEqual(await factsOf(event), ["fan-out"]);
    const after = await kith().server.features.events.find({ id: event.ID });
    assert.equal(after?.sequence, (before?.sequence ?? 0) + 1);
    assert.ok((after?.updatedAt ?? "") > (before?.updatedAt ?? ""));
    await kith().settle();
    assert.deepEqual(
      await bob.get<NotificationRecord[]>("/notifications"),
      received,
    );
  });

  test("nothing is sent of a series that is over, or that its owner alone sees", async () => {
    const ann = await kith().person();
    const over = await plan(ann, { recurrence: "FREQ=DAILY;COUNT=2" });
    const own = await plan(ann, { announce: false });
    await passTime(own);
    await advance();
    for (const event of [over, own]) {
      assert.deepEqual(await factsOf(event), []);
      const stored = await kith().server.features.events.find({ id: event.ID });
      assert.equal(stored?.sequence, 0);
    }
    const due = await kith()
      .db.read.selectFrom("events")
      .select("shown_until")
      .where("id", "=", own.ID)
      .executeTakeFirstOrThrow();
    assert.ok((due.shown_until ?? "") > kith().clock.now().toISOString());
  });

  test("a cancelled or changed event of a series is skipped or shown as it is", async () => {
    const ann = await kith().person();
    const event = await plan(ann);
    const next = (await shown(event))?.start ?? assert.fail();
    const path = `/calendar/events/${event.ID}`;
    await ann.put(path, { occurrence: next, cancelled: true });
    const later = await shown(event);
    assert.equal(Date.parse(later?.start ?? ""), Date.parse(next) + WEEK_MS);
    await ann.put(path, {
      ...{ occurrence: next, cancelled: false, summary: "Concert" },
    });
    assert.equal((await shown(event))?.summary, "Concert");
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const pair = async () =>
    [await kith().person(), await kith().person()] as const;

  const notificationsOf = (who: TestPerson) =>
    who.get<NotificationRecord[]>("/notifications");

  test("ignoring answers the person, is listed, and is ended; both may be repeated", async () => {
    const [ann, bob] = await pair();
    const path = `/people/${bob.record.Guid}/ignore`;
    await ann.notFound("DELETE", path);
    const ignored = await ann.post<PersonRecord>(path);
    assert.equal(ignored.ID, bob.record.ID);
    assert.deepEqual(await ann.get("/ignores"), [ignored]);
    assert.deepEqual(await bob.get("/ignores"), []);
    const unchanged = await kith().snapshot();
    await Promise.all(Array.from({ length: 5 }, () => ann.post(path)));
    assert.deepEqual(await kith().snapshot(), unchanged);
    await bob.notFound("DELETE", `/people/${ann.record.ID}/ignore`);
    await ann.delete(path);
    assert.deepEqual(await ann.get("/ignores"), []);
    await ann.notFound("DELETE", path);
  });

  test("ignoring changes nothing about the contact, and notifies no one", async () => {
    const [ann, bob] = await pair();
    const aspect = await ann.post<AspectRecord>("/aspects", { name: "a" });
    await ann.post(`/people/${bob.record.ID}/aspects/${aspect.ID}`);
    await kith().settle();
    const { ignores: before, ...earlier } = await kith().snapshot();
    await ann.post(`/people/${bob.record.ID}/ignore`);
    await kith().settle();
    const { ignores: after, ...now } = await kith().snapshot();
    assert.deepEqual(now, earlier);
    assert.equal(after?.rows, (before?.rows ?? 0) + 1);
  });

  test("no notifications come any more from those who are blocked or ignored", async () => {
    const [ann, bob] = await pair();
    const cam = await kith().person();
    await ann.post(`/people/${bob.record.ID}/block`);
    await ann.post(`/people/${cam.record.ID}/ignore`);
    const text = `@{${ann.handle}} hello`;
    for (const who of [bob, cam]) await who.post("/posts", { post: text });
    const open = await kith().person();
    const post = await open.post<PostRecord>("/posts", { post: "x" });
    for (const who of [bob, cam])
      await who.post(`/posts/${post.Guid}/comments`, { comment: text });
    await kith().settle();
    assert.deepEqual(await notificationsOf(ann), []);
    await ann.delete(`/people/${cam.record.ID}/ignore`);
    await cam.post("/posts", { post: text });
    await kith().settle();
    assert.equal((await notificationsOf(ann)).length, 1);
  });

  test("comments of blocked and ignored people are not read, and others read them", async () => {
    const [ann, bob] = await pair();
    const [cam, dan] = await pair();
    const post = await dan.post<PostRecord>("/posts", { post: "x" });
    const path = `/posts/${post.Guid}`;
    for (const who of [bob, cam, dan])
      await who.post(`${path}/comments`, { comment: who.username });
    await ann.post(`/people/${bob.record.ID}/block`);
    await ann.post(`/people/${cam.record.ID}/ignore`);
    const read = async (who: TestPerson) => {
      const listed = await who.get<CommentRecord[]>(`${path}/comments`);
      const { Comments } = await who.get<PostRecord>(path);
      const texts = listed.map(({ Text }) => Text);
      assert.deepEqual(
        Comments.map(({ Text }) => Text),
        texts,
      );
      return texts;
    };
    assert.deepEqual(await read(ann), [dan.username]);
    const all = [bob.username, cam.username, dan.username];
    assert.deepEqual(await read(dan), all);
  });

  type Ignored = PersonRecord & { readonly Until?: string };

  test("ignoring until a time ends by itself, and the posts are listed again", async () => {
    const [ann, bob] = await pair();
    const path = `/people/${bob.record.Guid}/ignore`;
    await bob.post("/posts", { post: "said" });
    const until = new Date(kith().clock.now().getTime() + 2 * HOUR_MS);
    const ignored = await ann.post<Ignored>(path, {
      until: until.toISOString(),
    });
    assert.equal(ignored.Until, until.toISOString());
    assert.deepEqual(await ann.get("/ignores"), [ignored]);
    const posts = async () =>
      (await ann.get<PostRecord[]>("/posts", { limit: 100 })).filter(
        ({ PersonID }) => PersonID === bob.record.ID,
      ).length;
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    assert.equal(await posts(), 0);
    kith().clock.advance(HOUR_MS);
    await kith().settle();
    assert.equal(await posts(), 1);
    assert.deepEqual(await ann.get("/ignores"), []);
    await ann.notFound("DELETE", path);
  });

  test("ignoring again sets the end anew, and an earlier one is void", async () => {
    const [ann, bob] = await pair();
    const path = `/people/${bob.record.Guid}/ignore`;
    const inHours = (hours: number) =>
      new Date(kith().clock.now().getTime() + hours * HOUR_MS).toISOString();
    await ann.post(path, { until: inHours(1) });
    await ann.post(path, { until: inHours(3) });
    kith().clock.advance(2 * HOUR_MS);
    await kith().settle();
    assert.equal((await ann.get<Ignored[]>("/ignores")).length, 1);
    const forGood = await ann.post<Ignored>(path);
    assert.ok(!("Until" in forGood));
    kith().clock.advance(2 * HOUR_MS);
    await kith().settle();
    assert.deepEqual(await ann.get("/ignores"), [forGood]);
  });

  test("an end in the past, or none of a time, is refused and changes nothing", async () => {
    const [ann, bob] = await pair();
    const path = `/people/${bob.record.Guid}/ignore`;
    await ann.badRequest("POST", path, {
      form: { until: "2001-01-01T00:00:00Z" },
    });
    await ann.refused(
      "POST",
      path,
      { form: { until: "soon" } },
      400,
      "Invalid datetime",
    );
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPublishDraft } from "../../src/features/drafts/index.ts";
import type { DraftId } from "../../src/features/ids.ts";
import type { LeasedJob } from "../../src/jobs/job.ts";
import { visitor } from "../support/pages/visit.ts";
import { aspectOf } from "../support/scenes/audience.ts";
import { upload } from "../support/scenes/pictures.ts";
import { plan } from "../support/scenes/planning.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { NotificationRecord, PostRecord } from "../support/server/wire.ts";

type Draft = {
  readonly ID: DraftId;
  readonly Text: string;
  readonly Audience: string;
  readonly AspectIDs: number[];
  readonly PhotoIDs: number[];
  readonly PublishAt: string | null;
  readonly FailedReason: string | null;
};

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const save = async (who: TestPerson, json: object) => {
    const answer = await who.call("POST", "/drafts", { json });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as Draft;
  };
  const drafts = (who: TestPerson, query = {}) =>
    who.get<Draft[]>("/drafts", query);
  const postsOf = async (who: TestPerson) =>
    (await who.get<PostRecord[]>("/posts", { limit: 100 })).filter(
      ({ PersonID }) => PersonID === who.record.ID,
    );
  const inHours = (hours: number) =>
    new Date(kith().clock.now().getTime() + hours * HOUR_MS).toISOString();
  /** The drafts of which a notification says that they could not be published, newest first. */
  const failuresOf = async (who: TestPerson) =>
    (await who.get<NotificationRecord[]>("/notifications"))
      .filter(({ TargetType }) => TargetType === "Draft")
      .map(({ TargetGuid }) => Number(/\d+$/.exec(TargetGuid)?.[0]));
  /** Lets the time come, and works off the queue. */
  const wait = async (hours: number) => {
    kith().clock.advance(hours * HOUR_MS);
    await kith().settle();
  };

  test("a draft holds what a post can have, and is published with all of it", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspectID = await aspectOf(ann, bob);
    const quoted = await bob.post<PostRecord>("/posts", { post: "quote me" });
    const event = await plan(ann, { aspectID });
    const photo = await upload(ann);
    const draft = await save(ann, {
      post: "later #tag",
      aspectID: [aspectID],
      photoID: [photo.ID],
      eventID: event.ID,
      quoteID: quoted.ID,
      nsfw: true,
      content_warning: "spoiler",
      language: "de",
      location_address: "home",
      location_lat: "52.5",
      location_lng: "13.4",
      poll_question: "Tea?",
      poll_answer: ["yes", "no"],
    });
    assert.equal(draft.Audience, "aspects");
    assert.deepEqual(draft.AspectIDs, [aspectID]);
    assert.deepEqual(await ann.get(`/drafts/${draft.ID}`), draft);
    const post = await ann.post<PostRecord>(`/drafts/${draft.ID}/publish`);
    assert.equal(post.Text, "later #tag");
    assert.equal(post.Public, false);
    assert.deepEqual(post.Audience?.AspectIDs, [aspectID]);
    assert.deepEqual(
      post.Photos.map(({ ID }) => ID),
      [photo.ID],
    );
    assert.equal(post.Event?.ID, event.ID);
    assert.equal(post.Quote?.ID, quoted.ID);
    assert.equal(post.ContentWarning, "spoiler");
    assert.equal(post.Location?.Address, "home");
    assert.equal(post.Poll?.Question, "Tea?");
    assert.deepEqual(await drafts(ann), []);
    await ann.notFound("POST", `/drafts/${draft.ID}/publish`);
  });

  test("drafts are the author's alone, listed newest first, in pages, and edited and deleted", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const one = await save(ann, { post: "one" });
    const two = await save(ann, { post: "two", publish_at: inHours(1) });
    const three = await save(ann, { post: "" });
    const ids = async (query = {}) =>
      (await drafts(ann, query)).map(({ ID }) => ID);
    assert.deepEqual(await ids(), [three.ID, two.ID, one.ID]);
    assert.deepEqual(await ids({ before: three.ID, limit: 1 }), [two.ID]);
    assert.deepEqual(await ids({ after: one.ID, limit: 1 }), [two.ID]);
    assert.deepEqual(await ids({ scheduled: true }), [two.ID]);
    assert.deepEqual(await ids({ scheduled: false }), [three.ID, one.ID]);
    assert.deepEqual(await drafts(bob), []);
    const path = `/drafts/${one.ID}`;
    const unchanged = await kith().snapshot();
    await bob.notFound("GET", path);
    await bob.notFound("DELETE", path);
    await bob.notFound("POST", `${path}/publish`);
    const put = await bob.call("PUT", path, { json: { post: "mine" } });
    assert.equal(put.status, 404);
    // It has no text yet.
    await ann.blank("POST", `/drafts/${three.ID}/publish`);
    assert.deepEqual(await kith().snapshot(), unchanged);
    const changed = await ann.put<Draft>(path, { post: "uno" });
    assert.equal(changed.Text, "uno");
    await ann.delete(path);
    await ann.notFound("GET", path);
  });

  test("a scheduled post is published once at its time, however often its job runs", async () => {
    const ann = await kith().person();
    const draft = await save(ann, { post: "early", publish_at: inHours(2) });
    await kith().settle();
    assert.deepEqual(await postsOf(ann), []);
    // Moved there and back: one job, and the last time counts.
    for (const hours of [5, 1, 3])
      await ann.put(`/drafts/${draft.ID}`, {
        post: `in ${hours}`,
        publish_at: inHours(hours),
      });
    await wait(2);
    assert.deepEqual(await postsOf(ann), []);
    await wait(1.5);
    const [post, ...more] = await postsOf(ann);
    assert.equal(post?.Text, "in 3");
    assert.deepEqual(more, []);
    assert.deepEqual(await drafts(ann), []);
    await wait(10);
    assert.equal((await postsOf(ann)).length, 1);
  });

  test("publishing a draft many times at once publishes it once", async () => {
    const ann = await kith().person();
    const { ID } = await save(ann, { post: "x", publish_at: inHours(1) });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        ann.call("POST", `/drafts/${ID}/publish`),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      ...[200, 404, 404, 404, 404],
    ]);
    await wait(2);
    assert.equal((await postsOf(ann)).length, 1);
  });

  test("two workers and a process that dies before its commit publish it once", async () => {
    const ann = await kith().person();
    const { ID } = await save(ann, { post: "x", publish_at: inHours(1) });
    kith().clock.advance(2 * HOUR_MS);
    const { db, clock, server } = kith();
    const { features } = server;
    const run = (posts: Pick<typeof features.posts, "publish">) =>
      createPublishDraft({ ...features, db, clock, posts })(
        { draftId: ID },
        { job: { attempts: 1 } as LeasedJob, signal: AbortSignal.any([]) },
      );
    const dying: typeof features.posts.publish = async (...given) => {
      await features.posts.publish(...given);
      throw new Error("killed");
    };
    await assert.rejects(run({ publish: dying }), /killed/);
    assert.deepEqual(await postsOf(ann), []);
    const [draft] = await drafts(ann);
    assert.equal(draft?.FailedReason, null);
    assert.notEqual(draft.PublishAt, null);
    await Promise.all([1, 2, 3].map(() => run(features.posts)));
    await kith().settle();
    assert.equal((await postsOf(ann)).length, 1);
    assert.deepEqual(await drafts(ann), []);
  });

  test("a clock that is set back publishes nothing before its time", async () => {
    const ann = await kith().person();
    await save(ann, { post: "x", publish_at: inHours(2) });
    kith().clock.advance(-3 * HOUR_MS);
    await kith().settle();
    assert.deepEqual(await postsOf(ann), []);
    await wait(6);
    assert.equal((await postsOf(ann)).length, 1);
  });

  test("a draft that the rules refuse at its time stays with the reason, and reaches nobody", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const aspectID = await aspectOf(ann, bob);
    const photo = await upload(ann);
    const at = { publish_at: inHours(1) };
    const closed = await save(ann, { post: "closed", aspectID, ...at });
    const shown = await save(ann, { post: "shown", photoID: photo.ID, ...at });
    await ann.delete(`/aspects/${aspectID}`);
    await ann.delete(`/photos/${photo.ID}`);
    await wait(2);
    assert.deepEqual(await postsOf(ann), []);
    for (const [{ ID }, reason] of [
      [closed, "No such aspect."],
      [shown, "No such photo without a post."],
    ] as const) {
      const kept = await ann.get<Draft>(`/drafts/${ID}`);
      assert.equal(kept.FailedReason, reason);
      assert.equal(kept.PublishAt, null);
    }
    assert.deepEqual(await failuresOf(ann), [shown.ID, closed.ID]);
    assert.deepEqual(await failuresOf(bob), []);
    const browser = visitor(kith().baseUrl);
    const { username } = ann;
    await browser.post("/users/sign_in", { username, password: PASSWORD });
    const { text } = await browser.get("/notifications");
    assert.match(text, /Your scheduled post could not be published/);
    assert.match(text, RegExp(`draft%3D${closed.ID}">closed</a>`));
    const mended = await ann.put<Draft>(`/drafts/${closed.ID}`, {
      post: "closed",
      audience: "self",
      publish_at: inHours(1),
    });
    assert.equal(mended.FailedReason, null);
    assert.deepEqual(await failuresOf(ann), [shown.ID]);
    await ann.delete(`/drafts/${shown.ID}`);
    assert.deepEqual(await failuresOf(ann), []);
    await wait(2);
    assert.deepEqual(
      (await postsOf(ann)).map(({ Public }) => Public),
      [false],
    );
  });

  test("the default audience is that of the day the draft was saved", async () => {
    const ann = await kith().person();
    await ann.put("/settings", { Audience: "self" });
    const { Audience } = await save(ann, { post: "x", publish_at: inHours(1) });
    assert.equal(Audience, "self");
    await ann.put("/settings", { Audience: "everyone" });
    await wait(2);
    const [post] = await postsOf(ann);
    assert.equal(post?.Public, false);
  });

  test("pictures of drafts outlive the sweep, and are shown to their owner alone", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const [kept, lost] = [await upload(ann), await upload(ann)];
    const draft = await save(ann, { post: "x", photoID: kept.ID });
    await kith().server.prepare();
    await wait(49);
    await ann.get(`/photos/${kept.ID}`);
    assert.deepEqual(await drafts(bob), []);
    await ann.notFound("GET", `/photos/${lost.ID}`);
    await bob.notFound("GET", `/photos/${kept.ID}`);
    await ann.delete(`/drafts/${draft.ID}`);
    await wait(2);
    assert.deepEqual(await drafts(ann), []);
    await ann.notFound("GET", `/photos/${kept.ID}`);
  });

  test("bad drafts are refused and change nothing", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const theirs = await upload(bob);
    const unchanged = await kith().snapshot();
    for (const [json, status] of [
      [{ post: "x", publish_at: "tomorrow" }, 400],
      [{ post: "x", publish_at: inHours(-1) }, 400],
      [{ post: "x", publish_at: inHours(3 * 366 * 24) }, 400],
      [{ post: " ", publish_at: inHours(1) }, 400],
      [{ post: "x".repeat(65_536) }, 400],
      [{ post: "x", aspectID: [999_999] }, 404],
      [{ post: "x", personID: [999_999] }, 404],
      [{ post: "x", photoID: [theirs.ID] }, 404],
      [{ post: "x", photoID: [999_999] }, 404],
      [{ post: "x", eventID: 999_999 }, 404],
      [{ post: "x", quoteID: 999_999 }, 404],
      [{ post: "x", language: "not a language" }, 400],
      [{ post: "x", poll_question: "one answer?", poll_answer: ["a"] }, 400],
      [
        {
          post: "x",
          publish_at: inHours(2),
          poll_question: "q",
          poll_answer: ["a", "b"],
          poll_ends_at: inHours(1),
        },
        400,
      ],
    ] as const) {
      const answer = await ann.call("POST", "/drafts", { json });
      assert.equal(answer.status, status, JSON.stringify(json).slice(0, 99));
    }
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("drafts are bounded in number", async () => {
    const ann = await kith().person();
    for (let made = 0; made < 100; made += 1) await save(ann, { post: "x" });
    await ann.badRequest("POST", "/drafts", { json: { post: "x" } });
  });

  test("the drafts of a suspended account wait, and those of a deleted one are removed", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const rows = async () => (await kith().snapshot())["drafts"]?.rows ?? 0;
    const before = await rows();
    for (const who of [ann, bob])
      await save(who, { post: "x", publish_at: inHours(1) });
    await kith().db.transaction((tx) =>
      tx
        .updateTable("people")
        .set({ state: "shut_out" })
        .where("id", "=", ann.record.ID)
        .execute(),
    );
    const form = { password: PASSWORD };
    await bob.call("DELETE", "/users", { form });
    await wait(2);
    assert.equal(await rows(), before + 1);
    const [left] = await kith()
      .db.read.selectFrom("drafts")
      .select(["failed_reason", "publish_at"])
      .where("user_id", "=", ann.record.UserID)
      .execute();
    assert.deepEqual(
      { ...left },
      {
        failed_reason: "Your account was suspended.",
        publish_at: null,
      },
    );
  });
});

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import {
  createRemoveMedia,
  REMOVE_MEDIA,
} from "../../src/features/photos/index.ts";
import { createFileMediaStore } from "../../src/lib/media/file-media-store.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { storedFiles, upload } from "../support/scenes/pictures.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { PhotoRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const filesOf = async ({ Guid }: PhotoRecord) =>
    (await storedFiles(kith())).filter((name) => name.startsWith(Guid));

  const show = async (who: TestPerson) => {
    const photo = await upload(who);
    const form = { post: "look", photoID: photo.ID };
    return { photo, post: await who.post<PostRecord>("/posts", form) };
  };

  const leave = async (who: TestPerson) => {
    const form = { password: PASSWORD };
    const answer = await who.call("DELETE", "/users", { form });
    assert.equal(answer.status, 200, answer.text);
  };

  const jobsFor = async ({ Guid }: PhotoRecord) =>
    kith()
      .db.read.selectFrom("jobs")
      .select(["id", "payload"])
      .where("kind", "=", REMOVE_MEDIA.name)
      .where("payload", "like", `%${Guid}%`)
      .execute();

  /** As after a restore of the database alone, or where every attempt failed. */
  const loseJobs = async (photo: PhotoRecord) => {
    for (const { id } of await jobsFor(photo))
      await kith().db.transaction((tx) =>
        tx.deleteFrom("jobs").where("id", "=", id).execute(),
      );
  };

  const sweep = async () => {
    await kith().server.prepare();
    await kith().settle();
    kith().clock.advance(25 * HOUR_MS);
    await kith().settle();
  };

  test("a post is deleted, the process is killed between two files: the rest go when it runs again", async () => {
    const ann = await kith().person();
    const { photo, post } = await show(ann);
    await ann.delete(`/posts/${post.Guid}`);
    const [job, ...more] = await jobsFor(photo);
    assert.ok(job, "what was answered is certain to be done");
    assert.deepEqual(more, []);
    const media = createFileMediaStore(path.join(kith().dataDir, "media"));
    let removed = 0;
    const remove = async (key: string) => {
      if (removed === 2) throw new Error("killed");
      removed += 1;
      await media.remove(key);
    };
    const handle = createRemoveMedia(
      { media: { ...media, remove } },
      async () => {},
    );
    const payload = JSON.parse(job.payload) as { keys: string[] };
    const context = {
      job: { ...LEASED, id: job.id, payload },
      signal: new AbortController().signal,
    };
    await assert.rejects(handle(payload, context), /killed/);
    assert.equal((await filesOf(photo)).length, 3);
    await kith().settle();
    assert.deepEqual(await filesOf(photo), []);
  });

  test("files of a deleted post that no job removes are found by the sweep", async () => {
    const ben = await kith().person();
    const { photo, post } = await show(ben);
    const { photo: kept } = await show(ben);
    await ben.delete(`/posts/${post.Guid}`);
    await loseJobs(photo);
    await kith().settle();
    assert.equal((await filesOf(photo)).length, 5);
    await sweep();
    assert.deepEqual(await filesOf(photo), []);
    assert.equal((await filesOf(kept)).length, 5);
  });

  test("files of a deleted account are removed by a job, or else by the sweep", async () => {
    const [cat, dan] = [await kith().person(), await kith().person()];
    const { photo: first } = await show(cat);
    await leave(cat);
    assert.equal((await filesOf(first)).length, 5);
    await kith().settle();
    assert.deepEqual(await filesOf(first), []);
    const { photo: second } = await show(dan);
    await leave(dan);
    const { leavingSteps } = kith().server.features;
    const step = leavingSteps.find(({ name }) => name === "photos");
    const leaver = {
      personId: dan.record.ID,
      userId: dan.record.UserID,
    } as Parameters<NonNullable<typeof step>["run"]>[0];
    assert.equal(await step?.run(leaver, 1), true);
    assert.equal((await jobsFor(second)).length, 1, "in the same transaction");
    await loseJobs(second);
    await kith().settle();
    assert.equal((await filesOf(second)).length, 5);
    await sweep();
    assert.deepEqual(await filesOf(second), []);
  });
});

const LEASED = {
  kind: REMOVE_MEDIA.name,
  documentId: null,
  lane: null,
  host: null,
  attempts: 1,
  unsettledLeases: 1,
  lease: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  requestId: null,
};

import assert from "node:assert/strict";
import { test } from "node:test";
import { unpack } from "../support/scenes/archive.ts";
import {
  fetchAll,
  picture,
  pictureForm,
  storedFiles,
  upload,
} from "../support/scenes/pictures.ts";
import {
  readRecording,
  RECORDINGS,
  type RecordingName,
} from "../support/recordings.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

const NAMES = Object.keys(RECORDINGS) as RecordingName[];

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_RECORDING_MB: "1" } });

  const as = ({ token }: TestPerson) => ({ access_token: token });
  const refusalOf = async (person: TestPerson, bytes: Uint8Array) => {
    const multipart = pictureForm(bytes);
    const { status, text } = await person.call("POST", "/photos", {
      multipart,
    });
    return { status, text };
  };

  test("a sound and a video are uploaded as a picture is", async () => {
    const ann = await kith().person();
    for (const name of NAMES) {
      const { type, isVideo } = RECORDINGS[name];
      const sent = await upload(ann, readRecording(name), {
        text: ` ${name} `,
      });
      assert.equal(sent.Text, name);
      assert.equal(sent.MediaType, type);
      assert.deepEqual([sent.Width, sent.Height], isVideo ? [64, 48] : [0, 0]);
      assert.ok((sent.Duration ?? 0) > 0.2 && (sent.Duration ?? 0) < 1.2, name);
      assert.equal(sent.Blurhash, "");
      const still = await fetchAll(sent.ThumbnailUrl);
      assert.deepEqual(
        [still.status, still.headers["content-type"]],
        [200, "image/png"],
      );
      const file = await fetchAll(sent.Url, as(ann));
      assert.equal(file.status, 200);
      assert.equal(file.headers["content-type"], type);
      assert.ok(!file.bytes.includes("Secret"), name);
      assert.deepEqual(await ann.get(`/photos/${sent.Guid}`), sent);
    }
  });

  test("a file is served in parts, and never runs", async () => {
    const ann = await kith().person();
    const { ID: photoID } = await upload(ann, readRecording("video.mp4"));
    const post = await ann.post<PostRecord>("/posts", { post: "x", photoID });
    const [photo] = post.Photos;
    assert.ok(photo);
    const whole = await fetchAll(photo.Url);
    const { headers, bytes } = whole;
    assert.equal(headers["accept-ranges"], "bytes");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(headers["content-security-policy"] ?? "", / sandbox$/);
    assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
    const etag = headers["etag"] ?? assert.fail("no tag");
    for (const [range, start, end] of [
      ["bytes=0-99", 0, 99],
      ["bytes=100-", 100, bytes.length - 1],
      ["bytes=-50", bytes.length - 50, bytes.length - 1],
      ["bytes=10-999999999", 10, bytes.length - 1],
    ] as const) {
      const part = await fetchAll(photo.Url, { range, "if-range": etag });
      assert.equal(part.status, 206, range);
      assert.equal(
        part.headers["content-range"],
        `bytes ${start}-${end}/${bytes.length}`,
      );
      assert.deepEqual(part.bytes, bytes.subarray(start, end + 1), range);
    }
    const beyond = await fetchAll(photo.Url, { range: "bytes=9999999-" });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers["content-range"], `bytes */${bytes.length}`);
    const changed = { range: "bytes=0-9", "if-range": '"other"' };
    assert.equal((await fetchAll(photo.Url, changed)).status, 200);
  });

  test("a recording is as private as its post", async () => {
    const [ann, ben, eve] = await Promise.all([
      kith().person(),
      kith().person(),
      kith().person(),
    ]);
    const waiting = await upload(ann, readRecording("sound.mp3"));
    assert.equal((await fetchAll(waiting.Url, as(eve))).status, 404);
    assert.equal((await fetchAll(waiting.Url)).status, 404);
    const { ID: aspectID } = await ann.post<AspectRecord>("/aspects", {
      name: "friends",
    });
    await ann.post(`/people/${ben.record.Guid}/aspects/${aspectID}`);
    const form = { post: "x", photoID: waiting.ID, aspectID };
    const { Photos } = await ann.post<PostRecord>("/posts", form);
    const url = Photos[0]?.Url ?? assert.fail();
    assert.equal((await fetchAll(url, as(ben))).status, 200);
    for (const headers of [{}, as(eve), { range: "bytes=0-1" }])
      assert.equal((await fetchAll(url, headers)).status, 404);
    await eve.notFound("GET", `/photos/${waiting.Guid}`);
  });

  test("a broken or foreign file is refused, and nothing is stored", async () => {
    const ann = await kith().person();
    const before = await storedFiles(kith());
    const video = readRecording("video.mp4");
    for (const [bytes, status, words] of [
      [readRecording("hevc.mp4"), 415, /H\.264/],
      [Buffer.from("%PDF-1.7"), 415, /picture/],
      [video.subarray(0, 900), 400, /recording/],
      [Buffer.concat([video, Buffer.alloc(1024 * 1024)]), 413, /bytes/],
    ] as const) {
      const refused = await refusalOf(ann, bytes);
      assert.equal(refused.status, status, refused.text);
      assert.match(refused.text, words);
    }
    assert.deepEqual(await storedFiles(kith()), before);
  });

  test("the file is gone with its recording, and with its post", async () => {
    const ann = await kith().person();
    const alone = await upload(ann, readRecording("sound.ogg"));
    const { ID: photoID, Guid } = await upload(ann, readRecording("vp9.webm"));
    const post = await ann.post<PostRecord>("/posts", { post: "x", photoID });
    const mine = async () =>
      (await storedFiles(kith())).filter(
        (name) => name.startsWith(Guid) || name.startsWith(alone.Guid),
      );
    assert.deepEqual((await mine()).toSorted(), [
      ...[`${Guid}-full.webm`, `${alone.Guid}-full.ogg`].toSorted(),
    ]);
    await ann.call("DELETE", `/photos/${alone.Guid}`);
    await ann.call("DELETE", `/posts/${post.Guid}`);
    await kith().settle();
    assert.deepEqual(await mine(), []);
  });

  test("an export has the file, and who leaves takes it away", async () => {
    const ann = await kith().person();
    const { ID: photoID, Guid } = await upload(ann, readRecording("vp9.webm"));
    await ann.post("/posts", { post: "x", photoID });
    const answer = await fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: as(ann),
    });
    const files = await unpack(await answer.bytes());
    const file = files.get(`media/${Guid}.webm`) ?? assert.fail("no file");
    const [photo] = JSON.parse(String(files.get("photos.json"))) as {
      mediaType: string;
      playback: { bytes: number; durationMs: number };
    }[];
    assert.equal(photo?.mediaType, "video/webm");
    assert.equal(photo.playback.bytes, file.length);
    const stored = async () =>
      (await storedFiles(kith())).filter((name) => name.startsWith(Guid));
    assert.equal((await stored()).length, 1);
    const form = { password: PASSWORD };
    assert.equal((await ann.call("DELETE", "/users", { form })).status, 200);
    await kith().settle();
    assert.deepEqual(await stored(), []);
  });

  test("the file of a post that a moderator removes is gone", async () => {
    const ann = await kith().person();
    const { ID: photoID, Guid } = await upload(ann, readRecording("sound.mp3"));
    const post = await ann.post<PostRecord>("/posts", { post: "x", photoID });
    const { db, server } = kith();
    const { posts, events } = server.features;
    const { id, personId } =
      (await posts.find({ guid: post.Guid })) ?? assert.fail();
    // As handling a report does.
    await db.transaction((tx) =>
      events.receivePostRetraction({ id }, personId, tx),
    );
    await kith().settle();
    const left = await storedFiles(kith());
    assert.ok(!left.some((name) => name.startsWith(Guid)));
  });

  test("pictures and recordings keep their order, and their descriptions", async () => {
    const ann = await kith().person();
    const files = [
      readRecording("sound.m4a"),
      await picture(5, 5).png().toBuffer(),
      readRecording("video.webm"),
    ];
    const photos: PhotoRecord[] = [];
    for (const file of files) photos.push(await upload(ann, file));
    const photoID = photos.map(({ ID }) => String(ID));
    const json = { post: "x", photoID: photos.map(({ ID }) => ID) };
    const answer = await ann.call("POST", "/posts", { json });
    const post = JSON.parse(answer.text) as PostRecord;
    assert.deepEqual(
      post.Photos.map(({ ID }) => String(ID)),
      photoID,
    );
    const video = photos[2] ?? assert.fail();
    await ann.call("PUT", `/photos/${video.Guid}`, {
      json: { text: "Waves", focus: "0.5,-0.5" },
    });
    const read = await ann.get<PhotoRecord & { Focus: unknown }>(
      `/photos/${video.Guid}`,
    );
    assert.deepEqual([read.Text, read.Focus], ["Waves", { X: 0.5, Y: -0.5 }]);
  });
});

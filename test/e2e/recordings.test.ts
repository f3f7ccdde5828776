import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  TESTED_DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import { pictureForm } from "../../packages/server/test/support/scenes/pictures.ts";
import { readRecording } from "../../packages/server/test/support/recordings.ts";
import type {
  PhotoRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";
import {
  startConversation,
  type Conversation,
} from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";

for (const database of TESTED_DATABASE_KINDS)
  for (const protocols of ["diaspora", "activitypub"])
    describe(`recordings between two servers, ${protocols}, ${database}`, () =>
      travel(database, protocols));

function travel(database: DatabaseKind, protocols: string): void {
  let talk: Conversation;

  before(async () => {
    talk = await startConversation({ database, protocols });
  });
  after(() => talk.remove());

  async function upload(
    name: "video.mp4" | "sound.mp3",
    text: string,
  ): Promise<PhotoRecord> {
    const response = await fetch(`${talk.one.baseUrl}/api/v0/photos`, {
      method: "POST",
      headers: { access_token: talk.g1.token },
      body: pictureForm(readRecording(name), { text }),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as PhotoRecord;
  }

  const arrived = (text: string): Promise<PostRecord> =>
    eventually(async () => {
      const posts = (await talk.g2.get("/posts")) as PostRecord[];
      const found = posts.find(({ Text }) => Text.startsWith(text));
      return found ?? assert.fail("The post has not come");
    });

  /** What readers of the other server get in parts, without its server's address. */
  async function assertPlayed(
    element: "video" | "audio",
    post: PostRecord,
    photo: PhotoRecord,
  ): Promise<void> {
    const page = await fetch(`${talk.two.baseUrl}/posts/${post.Guid}`);
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /media-src 'self'/,
    );
    const html = await page.text();
    const [, shown = ""] =
      new RegExp(`<${element}[^>]*\\ssrc="([^"]+)"`).exec(html) ?? [];
    assert.ok(shown.startsWith(`${talk.two.baseUrl}/proxy/stream/`), shown);
    assert.ok(!html.includes(photo.Url));
    const whole = await fetch(shown);
    assert.equal(whole.status, 200);
    assert.equal(whole.headers.get("content-type"), photo.MediaType);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const own = await fetch(photo.Url);
    assert.deepEqual(bytes, Buffer.from(await own.arrayBuffer()));
    const part = await fetch(shown, { headers: { range: "bytes=100-199" } });
    assert.equal(part.status, 206);
    assert.equal(
      part.headers.get("content-range"),
      `bytes 100-199/${bytes.length}`,
    );
    assert.deepEqual(
      Buffer.from(await part.arrayBuffer()),
      bytes.subarray(100, 200),
    );
    const range = `bytes=${bytes.length}-`;
    const beyond = await fetch(shown, { headers: { range } });
    assert.equal(beyond.status, 416);
    const foreign = shown.replace(/stream\/./, "stream/~");
    assert.equal((await fetch(foreign)).status, 404);
  }

  if (protocols === "activitypub")
    test("a video and a sound go with their post, and are played through the own server", async () => {
      for (const [name, element] of [
        ["video.mp4", "video"],
        ["sound.mp3", "audio"],
      ] as const) {
        const sent = await upload(name, `About ${name}`);
        const text = `hear and see ${name}`;
        await talk.g1.post("/posts", { post: text, photoID: String(sent.ID) });
        const post = await arrived(text);
        const [photo, ...others] = post.Photos;
        assert.ok(photo);
        assert.deepEqual(others, []);
        assert.equal(photo.Url, sent.Url);
        assert.equal(photo.Text, `About ${name}`);
        assert.equal(photo.MediaType, sent.MediaType);
        assert.equal(photo.Duration, sent.Duration);
        assert.deepEqual(
          [photo.Width, photo.Height],
          [sent.Width, sent.Height],
        );
        await assertPlayed(element, post, photo);
        await talk.g1.delete(`/posts/${post.Guid}`);
        assert.equal((await fetch(photo.Url)).status, 404);
      }
    });

  if (protocols === "diaspora")
    test("diaspora* gets a link to the file", async () => {
      const sent = await upload("video.mp4", "Waves [at] sea");
      const text = "on the beach";
      await talk.g1.post("/posts", { post: text, photoID: String(sent.ID) });
      const post = await arrived(text);
      assert.deepEqual(post.Photos, []);
      assert.equal(post.Text, `${text}\n\n▶ [Waves (at) sea](${sent.Url})`);
      assert.equal((await fetch(sent.Url)).status, 200);
    });

  test("of a limited post its recipients alone get the address", async () => {
    const sent = await upload("sound.mp3", "Whisper");
    const text = "for friends, softly";
    const aspectID = talk.aspectId;
    const form = { post: text, photoID: String(sent.ID), aspectID };
    const own = await talk.g1.post("/posts", form);
    const post = await arrived(text);
    const url =
      protocols === "diaspora"
        ? (/\((http[^)]+)\)/.exec(post.Text)?.[1] ?? "")
        : (post.Photos[0]?.Url ?? "");
    assert.ok(url.startsWith(`${talk.one.baseUrl}/uploads/`), url);
    const streamed = await fetch(url, { headers: { range: "bytes=0-9" } });
    assert.equal(streamed.status, 206);
    assert.equal(streamed.headers.get("referrer-policy"), "no-referrer");
    for (const wrong of [
      sent.Url,
      url.replace(/uploads\/[^/]+/, `uploads/${"A".repeat(32)}`),
    ])
      assert.equal((await fetch(wrong)).status, 404, wrong);
    await talk.g1.delete(`/posts/${String(own["Guid"])}`);
    assert.equal((await fetch(url)).status, 404);
  });
}

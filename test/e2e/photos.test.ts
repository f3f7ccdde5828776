import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/databases.ts";
import {
  picture,
  pictureForm,
} from "../../packages/server/test/support/pictures.ts";
import type {
  PhotoRecord,
  PostRecord,
} from "../../packages/server/test/support/wire.ts";
import type { ApiClient } from "../support/api-client.ts";
import {
  startConversation,
  type Conversation,
} from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";

for (const database of DATABASE_KINDS)
  for (const protocols of ["diaspora", "activitypub"])
    describe(`pictures between two servers, ${protocols}, ${database}`, () =>
      travel(database, protocols));

function travel(database: DatabaseKind, protocols: string): void {
  let talk: Conversation;

  before(async () => {
    talk = await startConversation({ database, protocols });
  });
  after(() => talk.remove());

  async function upload(text: string): Promise<PhotoRecord> {
    const bytes = await picture(800, 400).jpeg().toBuffer();
    const response = await fetch(`${talk.one.baseUrl}/api/v0/photos`, {
      method: "POST",
      headers: { access_token: talk.g1.token },
      body: pictureForm(bytes, { text }),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as PhotoRecord;
  }

  const arrived = (client: ApiClient, text: string): Promise<PostRecord> =>
    eventually(async () => {
      const posts = (await client.get("/posts")) as PostRecord[];
      const found = posts.find(({ Text }) => Text === text);
      return found ?? assert.fail("The post has not come");
    });

  test("a public post brings its pictures, which stay where they are", async () => {
    const sent = await upload("A wall");
    await talk.g1.post("/posts", { post: "look", photoID: String(sent.ID) });
    const post = await arrived(talk.g2, "look");
    const [photo, ...others] = post.Photos;
    assert.ok(photo);
    assert.deepEqual(others, []);
    assert.equal(photo.PostID, post.ID);
    assert.equal(photo.PersonID, post.PersonID);
    assert.equal(photo.Text, "A wall");
    assert.deepEqual([photo.Width, photo.Height], [800, 400]);
    assert.equal(photo.Url, sent.Url);
    if (protocols === "diaspora") assert.equal(photo.Guid, sent.Guid);
    else assert.equal(photo.Blurhash, sent.Blurhash);
    for (const url of [photo.Url, photo.ThumbnailUrl]) {
      assert.ok(url.startsWith(`${talk.one.baseUrl}/media/`), url);
      const response = await fetch(url);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "image/jpeg");
    }
    const page = await fetch(`${talk.two.baseUrl}/posts/${post.Guid}`);
    assert.ok((await page.text()).includes(photo.Url));
    await talk.g1.delete(`/posts/${post.Guid}`);
    await eventually(async () => {
      const { status } = await talk.g2.call("GET", `/photos/${photo.Guid}`);
      assert.equal(status, 404);
    });
  });

  test("a limited post leaves its pictures at home", async () => {
    const sent = await upload("Secret");
    const parameters = {
      post: "for friends",
      photoID: String(sent.ID),
      aspectID: talk.aspectId,
    };
    const own = await talk.g1.post("/posts", parameters);
    assert.equal((own["Photos"] as PhotoRecord[]).length, 1);
    const post = await arrived(talk.g2, "for friends");
    assert.equal(post.Public, false);
    assert.deepEqual(post.Photos, []);
  });
}

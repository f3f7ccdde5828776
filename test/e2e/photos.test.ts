import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  TESTED_DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import {
  picture,
  pictureForm,
} from "../../packages/server/test/support/scenes/pictures.ts";
import type {
  PhotoRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";
import { ApiClient } from "../support/api-client.ts";
import {
  startConversation,
  type Conversation,
} from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";

for (const database of TESTED_DATABASE_KINDS)
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

  test("a public post includes its photos, which stay on their server", async () => {
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
    // Readers load it from their own server.
    const page = await fetch(`${talk.two.baseUrl}/posts/${post.Guid}`);
    const html = await page.text();
    const [shown = ""] =
      /http[^"]*\/proxy\/[^"]+/.exec(html.replaceAll("&amp;", "&")) ?? [];
    assert.ok(shown.startsWith(`${talk.two.baseUrl}/proxy/`), shown);
    assert.ok(!html.includes(`src="${photo.Url}`));
    const proxied = await fetch(shown);
    assert.equal(proxied.status, 200);
    assert.equal(proxied.headers.get("content-type"), "image/jpeg");
    await talk.g1.delete(`/posts/${post.Guid}`);
    await eventually(async () => {
      const { status } = await talk.g2.call("GET", `/photos/${photo.Guid}`);
      assert.equal(status, 404);
    });
  });

  test("a limited post includes its photos only for its recipients", async () => {
    const { one, two, g1, g2, aspectId } = talk;
    const g3 = await ApiClient.signUp(one.baseUrl, "g3");
    const g4 = await ApiClient.signUp(two.baseUrl, "g4");
    const sent = await upload("Secret");
    const own = await g1.post("/posts", {
      post: "for friends",
      photoID: String(sent.ID),
      aspectID: aspectId,
    });
    assert.equal((own["Photos"] as PhotoRecord[])[0]?.Url, sent.Url);
    const post = await arrived(g2, "for friends");
    assert.equal(post.Public, false);
    const [photo, ...others] = post.Photos;
    assert.ok(photo);
    assert.deepEqual(others, []);
    assert.equal(photo.Text, "Secret");
    assert.deepEqual([photo.Width, photo.Height], [800, 400]);
    const secret = secretIn(photo.Url, one.baseUrl);
    assert.equal(secretIn(photo.ThumbnailUrl, one.baseUrl), secret);
    const sizes = PREFIXES.map((prefix) => sizeOf(photo.Url, prefix));
    for (const url of sizes) {
      const response = await fetch(url);
      assert.equal(response.status, 200, url);
      assert.equal(response.headers.get("content-type"), "image/jpeg");
      assert.ok((await response.bytes()).length > 0);
    }

    for (const guid of [sent.Guid, photo.Guid])
      await assertNothingOf(secret, post.Guid, guid, [g3, g4]);
    const guess = (await upload("Another")).Url.replace(
      "/media/",
      `/uploads/${secret}/`,
    );
    for (const url of [
      sent.Url,
      guess,
      photo.Url.replace(secret, "A".repeat(32)),
      photo.Url.replace(one.baseUrl, two.baseUrl),
    ])
      assert.equal((await fetch(url)).status, 404, url);

    await g1.delete(`/posts/${String(own["Guid"])}`);
    for (const url of sizes) assert.equal((await fetch(url)).status, 404, url);
    await eventually(async () => {
      const { status } = await g2.call("GET", `/photos/${photo.Guid}`);
      assert.equal(status, 404);
    });
    for (const { output } of [one, two]) assert.ok(!output.includes(secret));
  });

  /** Other people of both servers learn neither the address nor the existence of the photo. */
  async function assertNothingOf(
    secret: string,
    postGuid: string,
    photoGuid: string,
    others: readonly ApiClient[],
  ): Promise<void> {
    for (const other of others) {
      for (const path of [`/posts/${postGuid}`, `/photos/${photoGuid}`])
        assert.equal((await other.call("GET", path)).status, 404);
      const listed = JSON.stringify(await other.getList("/posts?limit=100"));
      assert.ok(!listed.includes(secret));
    }
    for (const { baseUrl } of [talk.one, talk.two])
      for (const path of [
        `/posts/${postGuid}`,
        `/fetch/post/${postGuid}`,
        `/fetch/photo/${photoGuid}`,
        `/api/v1/ap/object/${postGuid}`,
      ]) {
        const answer = await fetch(baseUrl + path, { redirect: "manual" });
        assert.ok([404, 501].includes(answer.status), baseUrl + path);
        assert.ok(!(await answer.text()).includes(secret));
      }
  }
}

/** The prefixes for the sizes of a photo's file name on pods. */
const PREFIXES = [
  "",
  "thumb_small_",
  "thumb_medium_",
  "thumb_large_",
  "scaled_full_",
];

const sizeOf = (url: string, prefix: string): string =>
  url.replace(/[^/]+$/, (name) => prefix + name);

function secretIn(url: string, baseUrl: string): string {
  assert.ok(url.startsWith(`${baseUrl}/uploads/`), url);
  const [, secret] = /\/uploads\/([\w-]{32})\//.exec(url) ?? [];
  return secret ?? assert.fail(url);
}

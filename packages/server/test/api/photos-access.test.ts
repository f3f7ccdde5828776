import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { block, fetchAll, upload } from "../support/scenes/pictures.ts";
import type {
  AspectRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

const UNKNOWN = "0".repeat(32);

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let owner: TestPerson;
  let member: TestPerson;
  let stranger: TestPerson;
  let blocked: TestPerson;

  before(async () => {
    owner = await kith().person({ handle: "olga" });
    member = await kith().person({ handle: "mona" });
    stranger = await kith().person({ handle: "sven" });
    blocked = await kith().person({ handle: "bert" });
  });

  /** A picture of a post for an aspect that holds the member and the one who is blocked later. */
  async function limitedPhoto(): Promise<PhotoRecord> {
    const { ID: aspectID } = await owner.post<AspectRecord>("/aspects", {
      name: "friends",
    });
    for (const { record } of [member, blocked])
      await owner.post(`/people/${record.Guid}/aspects/${aspectID}`);
    const { ID: photoID } = await upload(owner);
    const form = { post: "for friends", photoID, aspectID };
    const post = await owner.post<PostRecord>("/posts", form);
    return post.Photos[0] ?? assert.fail("The post has no picture");
  }

  async function publicPhoto(): Promise<PhotoRecord> {
    const { ID: photoID } = await upload(owner);
    const form = { post: "for all", photoID };
    const post = await owner.post<PostRecord>("/posts", form);
    return post.Photos[0] ?? assert.fail("The post has no picture");
  }

  const as = ({ token }: TestPerson) => ({ access_token: token });
  const sizesOf = ({ Url, ThumbnailUrl }: PhotoRecord) => [Url, ThumbnailUrl];

  async function assertSeen(
    photo: PhotoRecord,
    headers: Record<string, string>,
    cache: RegExp,
  ): Promise<void> {
    for (const url of sizesOf(photo)) {
      const got = await fetchAll(url, headers);
      assert.equal(got.status, 200, url);
      assert.match(got.headers["cache-control"] ?? "", cache);
      assert.equal(got.headers["content-type"], "image/png");
      assert.equal(got.headers["x-content-type-options"], "nosniff");
      const policy = got.headers["content-security-policy"] ?? "";
      assert.match(policy, /^default-src 'none';.* sandbox$/);
      assert.equal(got.headers["content-length"], String(got.bytes.length));
      const head = await fetchAll(url, headers, "HEAD");
      assert.equal(head.bytes.length, 0);
      assert.deepEqual(head.headers, got.headers);
      const etag = got.headers["etag"] ?? assert.fail("no tag");
      const again = await fetchAll(url, { ...headers, "if-none-match": etag });
      assert.equal(again.status, 304);
      assert.equal(again.bytes.length, 0);
    }
  }

  /** The answer equals that for a missing photo, byte for byte. */
  async function assertUnseen(
    photo: PhotoRecord,
    headers: Record<string, string> = {},
  ): Promise<void> {
    for (const url of sizesOf(photo))
      for (const method of ["GET", "HEAD"]) {
        const got = await fetchAll(url, headers, method);
        const unknown = url.replace(photo.Guid, UNKNOWN);
        assert.deepEqual(got, await fetchAll(unknown, headers, method));
        assert.equal(got.status, 404);
        assert.equal(got.headers["cache-control"], "no-store");
        if (method === "GET")
          assert.equal(got.bytes.toString(), '{"error":"Not found"}');
      }
    const etag = `"${photo.Guid}-full"`;
    const tagged = { ...headers, "if-none-match": etag };
    assert.equal((await fetchAll(photo.Url, tagged)).status, 404);
  }

  const PRIVATE = /^private, no-store$/;
  const PUBLIC = /^public, max-age=31536000, immutable$/;

  test("a picture without a post is its owner's alone", async () => {
    const photo = await upload(owner);
    await assertSeen(photo, as(owner), PRIVATE);
    for (const other of [member, stranger])
      await assertUnseen(photo, as(other));
    await assertUnseen(photo);
    await stranger.notFound("GET", `/photos/${photo.Guid}`);
    await stranger.notFound("GET", `/photos/${photo.ID}`);
    await stranger.notFound("DELETE", `/photos/${photo.Guid}`);
  });

  test("a picture of a public post is everyone's", async () => {
    const photo = await publicPhoto();
    for (const headers of [{}, as(owner), as(stranger)])
      await assertSeen(photo, headers, PUBLIC);
    const read = await stranger.get<PhotoRecord>(`/photos/${photo.Guid}`);
    assert.deepEqual(read, photo);
    await stranger.notFound("DELETE", `/photos/${photo.Guid}`);
  });

  describe("a picture of a limited post", () => {
    let photo: PhotoRecord;
    before(async () => {
      photo = await limitedPhoto();
    });

    test("is seen by its owner and by those who got the post", async () => {
      for (const reader of [owner, member, blocked])
        await assertSeen(photo, as(reader), PRIVATE);
      const bearer = { authorization: `Bearer ${member.token}` };
      await assertSeen(photo, bearer, PRIVATE);
      const read = await member.get<PhotoRecord>(`/photos/${photo.ID}`);
      assert.deepEqual(read, photo);
    });

    test("is seen with a token in the address", async () => {
      const url = `${photo.Url}?access_token=${member.token}`;
      assert.equal((await fetchAll(url)).status, 200);
    });

    test("is seen in a web session, and shown on the post's page", async () => {
      const browser = visitor(kith().baseUrl);
      const form = { username: "mona", password: PASSWORD };
      await browser.post("/users/sign_in", form);
      await assertSeen(photo, { cookie: browser.cookies() }, PRIVATE);
      const posts = await owner.get<PostRecord[]>("/posts");
      const isHere = ({ Guid }: PhotoRecord) => Guid === photo.Guid;
      const post = posts.find(({ Photos }) => Photos.some(isHere));
      const page = await browser.get(`/posts/${post?.Guid}`);
      assert.ok(page.text.includes(`href="${photo.Url}"`));
      await assertUnseen(photo, { cookie: "kith_session=nothing" });
    });

    test("is unknown to everyone else", async () => {
      await assertUnseen(photo);
      await assertUnseen(photo, as(stranger));
      await stranger.notFound("GET", `/photos/${photo.Guid}`);
    });

    test("is unknown to people blocked by its owner", async () => {
      await block(kith(), owner, blocked);
      await assertUnseen(photo, as(blocked));
      await blocked.notFound("GET", `/photos/${photo.Guid}`);
      await assertSeen(photo, as(member), PRIVATE);
    });

    test("is refused to a token that is gone, like everything", async () => {
      const { token, ID } = await kith().token("mona", "second");
      const headers = { access_token: token };
      await assertSeen(photo, headers, PRIVATE);
      await member.delete(`/oauth/tokens/${ID}`);
      for (const guid of [photo.Guid, UNKNOWN]) {
        const url = photo.Url.replace(photo.Guid, guid);
        const { status, bytes } = await fetchAll(url, headers);
        assert.equal(
          `${status}${bytes.toString()}`,
          '401{"error":"Unauthorized"}',
        );
      }
    });
  });

  test("a file has one name", async () => {
    const photo = await publicPhoto();
    const { Guid } = photo;
    const media = `${kith().baseUrl}/media/`;
    for (const name of [
      `${Guid}.jpg`,
      `${Guid}`,
      `${Guid}.png.png`,
      `thumb_huge_${Guid}.png`,
      `thumb_large_thumb_large_${Guid}.png`,
      `${Guid.toUpperCase()}.png`,
      `..%2f${Guid}.png`,
      `${Guid}-full.png`,
      `${Guid}.png%00`,
    ]) {
      const { status } = await fetchAll(media + name);
      assert.equal(status, 404, name);
    }
  });

  test("a picture is never an ActivityPub object", async () => {
    const { Url } = await publicPhoto();
    const accept = "application/activity+json";
    const { headers } = await fetchAll(Url, { accept });
    assert.equal(headers["content-type"], "image/png");
  });

  test("a page shows the photos of a post, with their descriptions", async () => {
    const { ID: photoID, Url } = await upload(owner, undefined, {
      text: 'A "wall" <script>',
    });
    const { Guid } = await owner.post<PostRecord>("/posts", {
      post: "look",
      photoID,
    });
    const page = await visitor(kith().baseUrl).get(`/posts/${Guid}`);
    assert.ok(page.text.includes(`href="${Url}"`));
    const image = /<img\s+src="[^"]*scaled_full_[^"]*"[^>]*>/.exec(page.text);
    const tag = image?.[0] ?? assert.fail(page.text);
    assert.match(tag, /alt="A &quot;wall&quot; &lt;script&gt;"/);
    assert.match(
      tag,
      /width="40" height="20"\s+data-color="#[0-9a-f]{6}"\s+loading="lazy"/,
    );
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /img-src 'self'/);
    assert.doesNotMatch(page.text, /aria-label="Picture/);
  });

  test("the link of a photo without a description has a name all the same", async () => {
    const { ID: photoID, Url } = await upload(owner, undefined, { text: " " });
    const { Guid } = await owner.post<PostRecord>("/posts", {
      post: "look",
      photoID,
    });
    const page = await visitor(kith().baseUrl).get(`/posts/${Guid}`);
    const at = page.text.indexOf(`href="${Url}"`);
    assert.match(
      page.text.slice(at, at + 250),
      /^[^>]*aria-label="Picture without a description"/,
    );
  });
});

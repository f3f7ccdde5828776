import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  fetchAll,
  fetchPicture,
  picture,
  pictureForm,
  storedFiles,
  telephonePicture,
} from "../support/scenes/pictures.ts";
import type { PersonRecord, ProfileRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  async function setPicture(
    person: TestPerson,
    bytes: Buffer,
    fields: Record<string, string> = {},
  ): Promise<ProfileRecord> {
    const multipart = pictureForm(bytes, fields);
    const answer = await person.call("PUT", "/profile", { multipart });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as ProfileRecord;
  }

  test("a photo has three sizes, public, at absolute addresses", async () => {
    const ann = await kith().person();
    const profile = await setPicture(ann, await telephonePicture(), {
      FirstName: "Ann",
    });
    assert.equal(profile.FirstName, "Ann");
    const sizes = {
      [profile.ImageUrl]: 300,
      [profile.ImageUrlMedium]: 100,
      [profile.ImageUrlSmall]: 50,
    };
    assert.equal(Object.keys(sizes).length, 3);
    for (const [url, side] of Object.entries(sizes)) {
      assert.ok(url.startsWith(`${kith().baseUrl}/media/thumb_`), url);
      const found = await fetchPicture(url);
      assert.deepEqual([found.width, found.height], [side, side]);
      assert.equal(found.exif, undefined);
      const { headers } = await fetchAll(url);
      assert.match(headers["cache-control"] ?? "", /^public/);
    }
    const bob = await kith().person();
    const seen = await bob.get<PersonRecord>(`/people/${ann.record.Guid}`);
    assert.equal(seen.Profile.ImageUrl, profile.ImageUrl);
    const hcard = await fetchAll(
      `${kith().baseUrl}/hcard/users/${ann.record.Guid}`,
    );
    assert.ok(hcard.bytes.includes(profile.ImageUrlSmall));
    const actor = await fetchAll(
      `${kith().baseUrl}/api/v1/ap/person/${ann.username}`,
    );
    const { icon } = JSON.parse(actor.bytes.toString()) as {
      icon: { url: string };
    };
    assert.equal(icon.url, profile.ImageUrl);
  });

  test("another picture replaces it, and other changes leave it", async () => {
    const cat = await kith().person();
    const png = (side: number) => picture(side, side).png().toBuffer();
    const first = await setPicture(cat, await png(10));
    const files = (await storedFiles(kith())).length;
    const named = await cat.put<ProfileRecord>("/profile", { LastName: "C" });
    assert.equal(named.ImageUrl, first.ImageUrl);
    const second = await setPicture(cat, await png(20));
    assert.equal(second.LastName, "C");
    assert.notEqual(second.ImageUrl, first.ImageUrl);
    await kith().settle();
    assert.equal((await fetchAll(first.ImageUrl)).status, 404);
    assert.equal((await fetchAll(second.ImageUrl)).status, 200);
    assert.equal((await storedFiles(kith())).length, files);
  });

  test("ten pictures at once leave one", async () => {
    const dan = await kith().person();
    const files = (await storedFiles(kith())).length;
    const pictures = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        picture(9 + n, 9)
          .png()
          .toBuffer(),
      ),
    );
    await Promise.all(pictures.map((bytes) => setPicture(dan, bytes)));
    await kith().settle();
    const { ImageUrl } = await dan.get<ProfileRecord>(
      `/people/${dan.record.Guid}/profile`,
    );
    assert.equal((await fetchAll(ImageUrl)).status, 200);
    assert.equal((await storedFiles(kith())).length, files + 3);
  });

  test("a refused change leaves the picture and everything else", async () => {
    const eve = await kith().person();
    const png = await picture(10, 10).png().toBuffer();
    const { ImageUrl } = await setPicture(eve, png);
    const files = await storedFiles(kith());
    const multipart = pictureForm(png, { FirstName: "x".repeat(33) });
    await eve.badRequest("PUT", "/profile", { multipart });
    const text = pictureForm(Buffer.from("no picture"));
    await eve.refused(
      "PUT",
      "/profile",
      { multipart: text },
      415,
      "Unsupported media type",
    );
    await eve.badRequest("PUT", "/profile", { form: { image: "x" } });
    assert.deepEqual(await storedFiles(kith()), files);
    assert.equal((await fetchAll(ImageUrl)).status, 200);
  });

  test("a form in which no picture was chosen changes the rest", async () => {
    const fay = await kith().person();
    const body =
      '--x\r\ncontent-disposition: form-data; name="FirstName"\r\n\r\nFay\r\n' +
      '--x\r\ncontent-disposition: form-data; name="image"; filename=""\r\n' +
      "content-type: application/octet-stream\r\n\r\n\r\n--x--\r\n";
    const response = await fetch(`${kith().baseUrl}/api/v0/profile`, {
      method: "PUT",
      headers: {
        access_token: fay.token,
        "content-type": "multipart/form-data; boundary=x",
      },
      body,
    });
    const profile = (await response.json()) as ProfileRecord;
    assert.equal(profile.FirstName, "Fay");
    assert.equal(profile.ImageUrl, "");
  });

  test("one's picture is deleted like any other", async () => {
    const gus = await kith().person();
    const { ImageUrl } = await setPicture(
      gus,
      await picture(10, 10).png().toBuffer(),
    );
    const guid = /([0-9a-f]{32})\.png$/.exec(ImageUrl)?.[1] ?? assert.fail();
    const hal = await kith().person();
    await hal.notFound("DELETE", `/photos/${guid}`);
    await gus.delete(`/photos/${guid}`);
    await kith().settle();
    assert.equal((await fetchAll(ImageUrl)).status, 404);
    const profile = await gus.get<ProfileRecord>(
      `/people/${gus.record.Guid}/profile`,
    );
    const { ImageUrlSmall, ImageUrlMedium } = profile;
    assert.deepEqual(
      [profile.ImageUrl, ImageUrlSmall, ImageUrlMedium],
      ["", "", ""],
    );
  });

  test("one's own picture is not for a post", async () => {
    const ida = await kith().person();
    const { ImageUrl } = await setPicture(
      ida,
      await picture(10, 10).png().toBuffer(),
    );
    const guid = /([0-9a-f]{32})\.png$/.exec(ImageUrl)?.[1] ?? assert.fail();
    const { ID: photoID } = await ida.get<{ ID: number }>(`/photos/${guid}`);
    await ida.notFound("POST", "/posts", { form: { post: "x", photoID } });
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  fetchPicture,
  hollowPng,
  picture,
  pictureForm,
  storedFiles,
  telephonePicture,
  upload,
} from "../support/scenes/pictures.ts";
import {
  OWN_GUID,
  TIMESTAMP,
  type PhotoRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("an upload is a record, and a picture in every size", async () => {
    const ann = await kith().person();
    const jpeg = await picture(3000, 1500).jpeg().toBuffer();
    const photo = await upload(ann, jpeg, { text: " A blue wall\r\n" });
    assert.match(photo.Guid, OWN_GUID);
    assert.match(photo.CreatedAt, TIMESTAMP);
    assert.equal(photo.Text, "A blue wall");
    assert.equal(photo.PersonID, ann.record.ID);
    assert.equal(photo.PostID, null);
    assert.deepEqual([photo.Width, photo.Height], [2048, 1024]);
    assert.match(photo.Blurhash, /^[\x21-\x7e]{28}$/);
    const media = `${kith().baseUrl}/media/`;
    assert.equal(photo.Url, `${media}${photo.Guid}.jpg`);
    assert.equal(photo.ThumbnailUrl, `${media}thumb_large_${photo.Guid}.jpg`);
    const sizes = {
      "": [2048, 1024],
      scaled_full_: [700, 350],
      thumb_large_: [300, 150],
      thumb_medium_: [100, 50],
      thumb_small_: [50, 50],
    };
    for (const [prefix, [width, height]] of Object.entries(sizes)) {
      const url = `${media}${prefix}${photo.Guid}.jpg`;
      const found = await fetchPicture(url, ann.token);
      assert.deepEqual([found.width, found.height], [width, height], prefix);
      assert.equal(found.format, "jpeg");
    }
    for (const key of [photo.ID, photo.Guid])
      assert.deepEqual(await ann.get(`/photos/${key}`), photo);
  });

  test("a photo is upright, and contains no location data", async () => {
    const ben = await kith().person();
    const original = await telephonePicture();
    const given = await sharp(original).metadata();
    assert.deepEqual([given.orientation, given.width], [6, 80]);
    assert.ok(given.exif?.includes("Telephone"));
    const photo = await upload(ben, original);
    assert.deepEqual([photo.Width, photo.Height], [40, 80]);
    for (const url of [photo.Url, photo.ThumbnailUrl]) {
      const found = await fetchPicture(url, ben.token);
      assert.equal(found.exif, undefined);
      assert.equal(found.orientation, undefined);
      assert.ok(!found.bytes.includes("Telephone"));
      assert.ok((found.height ?? 0) > (found.width ?? 0));
    }
  });

  test("a format is kept, except for AVIF, whatever the file name", async () => {
    const cat = await kith().person();
    const base = picture(30, 20);
    const wide = { text: "x" };
    for (const [format, type, extension] of [
      ["png", "png", "png"],
      ["gif", "gif", "gif"],
      ["webp", "webp", "webp"],
      ["avif", "jpeg", "jpg"],
    ] as const) {
      const bytes = await base.clone().toFormat(format).toBuffer();
      const names = { fileName: "page.html", type: "text/html" };
      const multipart = pictureForm(bytes, wide, names);
      const answer = await cat.call("POST", "/photos", { multipart });
      const photo = JSON.parse(answer.text) as PhotoRecord;
      assert.ok(photo.Url.endsWith(`.${extension}`), photo.Url);
      const found = await fetchPicture(photo.Url, cat.token);
      assert.equal(found.format, type);
    }
    const alpha = { r: 0, g: 0, b: 0, alpha: 0 };
    const clear = await upload(
      cat,
      await sharp({
        create: { width: 1, height: 1, channels: 4, background: alpha },
      })
        .png()
        .toBuffer(),
    );
    assert.deepEqual([clear.Width, clear.Height], [1, 1]);
    assert.equal((await fetchPicture(clear.Url, cat.token)).hasAlpha, true);
  });

  test("an animation stays one, unless it is too long", async () => {
    const dan = await kith().person();
    const animation = async (frames: number, side: number) => {
      const pages = Array.from({ length: frames }, (_, n) =>
        picture(side, side, `hsl(${(n * 40) % 360}, 90%, 50%)`)
          .png()
          .toBuffer(),
      );
      const join = { animated: true };
      return sharp(await Promise.all(pages), { join })
        .gif()
        .toBuffer();
    };
    const short = await upload(dan, await animation(3, 20));
    assert.deepEqual([short.Width, short.Height], [20, 20]);
    assert.equal((await fetchPicture(short.Url, dan.token)).pages, 3);
    const thumbnail = await fetchPicture(short.ThumbnailUrl, dan.token);
    assert.equal(thumbnail.pages ?? 1, 1);
    const long = await upload(dan, await animation(301, 8));
    assert.equal((await fetchPicture(long.Url, dan.token)).pages ?? 1, 1);
  });

  test("an invalid, damaged or oversized image leaves nothing behind", async () => {
    const eve = await kith().person();
    const jpeg = await picture(400, 400).jpeg().toBuffer();
    const png = await picture(400, 400).png().toBuffer();
    const before = await storedFiles(kith());
    const refusals: [string, Buffer, number, string][] = [
      ["zero bytes", Buffer.alloc(0), 400, "Bad request"],
      ["half a JPEG", jpeg.subarray(0, 900), 400, "Bad request"],
      ["a JPEG's beginning", jpeg.subarray(0, 3), 400, "Bad request"],
      ["half a PNG", png.subarray(0, 200), 400, "Bad request"],
      ["a hollow PNG", hollowPng(100, 100), 400, "Bad request"],
      ["no side", hollowPng(0, 100), 400, "Bad request"],
      ["a bomb", hollowPng(50_000, 50_000), 413, "Request body too large"],
      ["64 megapixels", hollowPng(8_000, 8_000), 400, "Bad request"],
      ["and a row", hollowPng(8_000, 8_001), 413, "Request body too large"],
      ["65 megapixels", hollowPng(8_100, 8_025), 413, "Request body too large"],
      ["a long side", hollowPng(65_536, 1), 413, "Request body too large"],
      [
        "SVG",
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        415,
        "Unsupported media type",
      ],
      ["PDF", Buffer.from("%PDF-1.4\n"), 415, "Unsupported media type"],
      [
        "TIFF",
        await picture(4, 4).tiff().toBuffer(),
        415,
        "Unsupported media type",
      ],
      ["HTML", Buffer.from("<!doctype html>"), 415, "Unsupported media type"],
      [
        "a name alone",
        Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.alloc(40)]),
        400,
        "Bad request",
      ],
    ];
    for (const [what, bytes, status, error] of refusals)
      for (const [method, route] of [
        ["POST", "/photos"],
        ["PUT", "/profile"],
      ] as const) {
        const names = { fileName: `${what}.png`, type: "image/png" };
        const multipart = pictureForm(bytes, { FirstName: "New" }, names);
        await eve.refused(method, route, { multipart }, status, error);
      }
    const large = Buffer.concat([jpeg, Buffer.alloc(20 * 1024 * 1024)]);
    const multipart = pictureForm(large);
    await eve.refused(
      "POST",
      "/photos",
      { multipart },
      413,
      "Request body too large",
    );
    assert.deepEqual(await storedFiles(kith()), before);
  });

  test("trailing data of an image is not kept", async () => {
    const fay = await kith().person();
    const jpeg = await picture(20, 20).jpeg().toBuffer();
    const tail = "<script>alert(1)</script>PK\x03\x04";
    const photo = await upload(fay, Buffer.concat([jpeg, Buffer.from(tail)]));
    const found = await fetchPicture(photo.Url, fay.token);
    assert.ok(!found.bytes.includes("script"));
  });

  test("a form has one file, of the right name", async () => {
    const gil = await kith().person();
    const png = await picture(9, 9).png().toBuffer();
    const two = pictureForm(png);
    two.append("image", new Blob([Uint8Array.from(png)]), "second.png");
    const other = pictureForm(png, {}, { name: "picture" });
    const more = pictureForm(png);
    more.append("picture", new Blob([Uint8Array.from(png)]), "second.png");
    for (const multipart of [two, other, more])
      await gil.badRequest("POST", "/photos", { multipart });
    await gil.badRequest("POST", "/photos");
    await gil.badRequest("POST", "/photos", { form: { image: "x" } });
    await gil.badRequest("POST", "/photos", { json: { image: ["x"] } });
    const wrong = pictureForm(png, { aspectID: "x" });
    await gil.badRequest("POST", "/photos", { multipart: wrong });
    const long = pictureForm(png, { text: "x".repeat(65_536) });
    await gil.badRequest("POST", "/photos", { multipart: long });
    const foreign = pictureForm(png, { aspectID: 999_999 });
    await gil.notFound("POST", "/photos", { multipart: foreign });
  });

  test("the token is checked before a large body is received", async () => {
    const hal = await kith().person();
    const noise = await sharp({
      create: {
        width: 1200,
        height: 1200,
        channels: 3,
        background: "red",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    assert.ok(noise.length > 1024 * 1024);
    const form = () => pictureForm(noise);
    const nobody = kith().anonymous;
    await nobody.refused(
      "POST",
      "/photos",
      { multipart: form() },
      413,
      "Request body too large",
    );
    await nobody
      .with("wrong")
      .unauthorized("POST", "/photos", { multipart: form() });
    const query = { access_token: hal.token };
    const sent = { multipart: form(), query };
    await nobody.refused(
      "POST",
      "/photos",
      sent,
      413,
      "Request body too large",
    );
    const small = pictureForm(await picture(9, 9).png().toBuffer());
    const answer = await nobody.call("POST", "/photos", {
      multipart: small,
      query,
    });
    assert.equal(answer.status, 200);
    assert.equal((await upload(hal, noise)).Width, 1200);
    const json = { post: "x".repeat(2 * 1024 * 1024) };
    await hal.refused(
      "POST",
      "/photos",
      { json },
      413,
      "Request body too large",
    );
  });

  test("ten uploads at once are ten pictures", async () => {
    const pia = await kith().person();
    const photos = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const bytes = await picture(100 + n, 50)
          .png()
          .toBuffer();
        return { n, photo: await upload(pia, bytes) };
      }),
    );
    assert.equal(new Set(photos.map(({ photo }) => photo.Guid)).size, 10);
    for (const { n, photo } of photos) {
      assert.equal(photo.Width, 100 + n);
      const found = await fetchPicture(photo.Url, pia.token);
      assert.equal(found.width, 100 + n);
    }
  });

  test("a process that dies at its work takes one upload with it, and no more", async () => {
    const quy = await kith().person();
    const large = await picture(7900, 8000).png().toBuffer();
    const { images } = kith().server;
    const sent = { multipart: pictureForm(large) };
    const killer = setInterval(() => {
      const id = images.childId();
      if (id !== undefined) process.kill(id, "SIGKILL");
    }, 50);
    try {
      await quy.refused("POST", "/photos", sent, 503, "Service unavailable");
    } finally {
      clearInterval(killer);
    }
    assert.equal((await upload(quy)).Width, 40);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { startPagesServer } from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type Kith = { after(done: () => Promise<void>): void };

const newPicture = (
  background: string,
  { width, height } = { width: 1200, height: 600 },
  format: "jpeg" | "png" = "jpeg",
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .withExif({ IFD0: { Copyright: "Secret place" } })
    .toFormat(format)
    .toBuffer();

forEachDatabase((database) => {
  const start = async (t: Kith) => {
    const kith = await startPagesServer({ database });
    t.after(() => kith.close());
    const ada = await newUser(kith.baseUrl, "ada");
    await kith.administration.setRole(null, { username: "ada" }, "admin");
    const save = (fields: Record<string, string>) =>
      ada.post("/admin/server/look", { csrf_token: ada.csrf_token, ...fields });
    const get = async (path: string) => {
      const answer = await fetch(kith.baseUrl + path);
      return (await answer.json()) as Record<string, unknown>;
    };
    return { kith, ada, save, get, guest: visitor(kith.baseUrl) };
  };

  test("the picture of a server is shown, replaced and removed", async (t) => {
    const { kith, ada, get, guest } = await start(t);
    const fresh = (await get("/api/v1/instance"))["thumbnail"];
    await kith.serverProfile.setPicture(null, await newPicture("red"));
    const landing = (await guest.get("/")).text;
    const [, url = ""] =
      /property="og:image" content="([^"]+)"/.exec(landing) ?? [];
    assert.match(url, /\/about\/picture\/[0-9a-f]{32}-full\.jpg$/);
    assert.match(landing, /property="og:image:width" content="1200"/);
    assert.match(landing, /twitter:card"\s+content="summary_large_image"/);
    assert.match((await guest.get("/about")).text, /class="server-picture"/);
    assert.match((await ada.get("/admin/server")).text, /remove_picture/);
    const shown = await fetch(url);
    assert.equal(shown.headers.get("content-type"), "image/jpeg");
    assert.match(shown.headers.get("cache-control") ?? "", /immutable/);
    const bytes = Buffer.from(await shown.arrayBuffer());
    assert.ok(!bytes.includes("Secret place"));
    assert.equal((await get("/api/v1/instance"))["thumbnail"], url);
    const { thumbnail } = await get("/api/v2/instance");
    const { versions } = thumbnail as { versions: Record<string, string> };
    const small = await fetch(versions["@1x"] ?? "");
    const { width } = await sharp(
      Buffer.from(await small.arrayBuffer()),
    ).metadata();
    assert.equal(width, 700);

    await kith.serverProfile.setPicture(null, await newPicture("blue"));
    assert.equal((await fetch(url)).status, 404);
    const removed = await ada.post("/admin/server/remove_picture", {
      csrf_token: ada.csrf_token,
    });
    assert.equal(removed.status, 302);
    assert.doesNotMatch((await guest.get("/")).text, /og:image/);
    assert.equal((await get("/api/v1/instance"))["thumbnail"], fresh);
  });

  test("a square picture is the icon of the installed app, and no other is", async (t) => {
    const { kith, get } = await start(t);
    const icons = async () => (await get("/manifest.webmanifest"))["icons"];
    const usual = await icons();
    assert.ok(JSON.stringify(usual).includes("maskable"));
    const square = { width: 256, height: 256 };
    const show = async (size: typeof square, format: "jpeg" | "png") =>
      kith.serverProfile.setPicture(
        null,
        await newPicture("red", size, format),
      );
    for (const [size, format] of [
      [{ width: 400, height: 300 }, "png"],
      [{ width: 191, height: 191 }, "png"],
      [square, "jpeg"],
    ] as const) {
      await show(size, format);
      assert.deepEqual(await icons(), usual);
    }
    await show(square, "png");
    const [icon, ...others] = (await icons()) as Record<string, string>[];
    assert.deepEqual(others, []);
    assert.equal(icon?.["sizes"], "256x256");
    const shown = await fetch(new URL(icon?.["src"] ?? "", kith.baseUrl));
    assert.equal(shown.headers.get("content-type"), icon?.["type"]);
  });

  test("an admin uploads the picture by the form, and nobody else does", async (t) => {
    const { kith, ada, guest } = await start(t);
    const bea = await newUser(kith.baseUrl, "bea");
    const upload = async (user: typeof ada, bytes: Buffer) => {
      const form = new FormData();
      form.set("csrf_token", user.csrf_token);
      form.set("picture", new Blob([new Uint8Array(bytes)]), "a.jpg");
      return fetch(`${kith.baseUrl}/admin/server/picture`, {
        ...{ method: "POST", body: form, redirect: "manual" },
        headers: { cookie: user.cookies(), accept: "text/html" },
      });
    };
    const picture = await newPicture("red");
    assert.equal((await upload(bea, picture)).status, 404);
    assert.equal((await upload(ada, Buffer.from("no picture"))).status, 422);
    assert.doesNotMatch((await guest.get("/")).text, /og:image/);
    assert.equal((await upload(ada, picture)).status, 302);
    assert.match((await guest.get("/")).text, /og:image/);
  });

  test("colours and a style sheet are used, but not by the administration", async (t) => {
    const { ada, kith, save, guest } = await start(t);
    const saved = await save({
      ...{ accent_light: "#1A237E", accent_dark: "", language: "en" },
      style: ".post { border: 0 }",
    });
    assert.equal(saved.status, 302);
    const link = /href="(\/about\/style\/[0-9a-f]{24}\.css)"/;
    const [, path = ""] = link.exec((await guest.get("/about")).text) ?? [];
    const sheet = await fetch(kith.baseUrl + path);
    assert.match(sheet.headers.get("content-type") ?? "", /^text\/css/);
    assert.match(sheet.headers.get("cache-control") ?? "", /immutable/);
    const css = await sheet.text();
    assert.match(css, /#1a237e[^]*\.post \{ border: 0 \}/);
    for (const plain of ["/admin/server", "/admin", "/users/sign_in"])
      assert.doesNotMatch((await ada.get(plain)).text, link, plain);
    const policy = (await guest.get("/about")).headers.get(
      "content-security-policy",
    );
    assert.match(policy ?? "", /style-src 'self';/);
    await save({ language: "en" });
    assert.equal((await fetch(kith.baseUrl + path)).status, 404);
    assert.doesNotMatch((await guest.get("/about")).text, link);
  });

  test("a weak colour and a style sheet that loads from elsewhere change nothing", async (t) => {
    const { save, guest } = await start(t);
    for (const [fields, fault] of [
      [{ accent_light: "#ffff00" }, /contrast of 1\.\d\d/],
      [{ accent_dark: "#0b6157" }, /contrast of \d\.\d\d/],
      [{ accent_light: "red" }, /# with six digits/],
      [{ style: "@import '//evil.example';" }, /cannot use @import/],
      [{ style: "p { background: url(//evil.example) }" }, /begin with \//],
      [{ style: "p { color: 'red\n }" }, /not closed|cannot be read/],
      [{ language: "xx" }, /must be one of en, de/],
    ] as const) {
      const refused = await save({ style: "p { margin: 0 }", ...fields });
      assert.equal(refused.status, 422, JSON.stringify(fields));
      assert.match(refused.text, fault);
    }
    assert.doesNotMatch((await guest.get("/about")).text, /\/about\/style\//);
  });

  test("the usual language holds where the browser decides nothing", async (t) => {
    const { kith, save, get, guest } = await start(t);
    await save({ language: "de" });
    const languageFor = async (accepted: string) => {
      const answer = await fetch(`${kith.baseUrl}/about`, {
        headers: { "accept-language": accepted, accept: "text/html" },
      });
      return /<html lang="(..)"/.exec(await answer.text())?.[1];
    };
    assert.equal(await languageFor("fr"), "de");
    assert.equal(await languageFor("*"), "de");
    assert.equal(await languageFor("en;q=0.1"), "en");
    assert.deepEqual((await get("/api/v2/instance"))["languages"], [
      ...["de", "en"],
    ]);
    const { metadata } = await get("/nodeinfo/2.1");
    assert.deepEqual((metadata as { langs: string[] }).langs, ["de"]);
    assert.equal((await guest.get("/about")).status, 200);
  });

  test("apps read the long texts of a server", async (t) => {
    const { kith, get } = await start(t);
    const at = "/api/v1/instance/";
    const terms = `${kith.baseUrl}${at}terms_of_service`;
    assert.equal((await fetch(terms)).status, 404);
    const before = await get(`${at}extended_description`);
    assert.deepEqual(before, { updated_at: null, content: "" });
    await kith.serverProfile.save(null, {
      ...{ description: "A *mill*.", terms: "Be **fair**." },
      privacy: "We keep <b>little</b>.",
    });
    const described = await get(`${at}extended_description`);
    assert.match(String(described["content"]), /A <em>mill<\/em>/);
    assert.ok(Date.parse(String(described["updated_at"])) > 0);
    const { content } = await get(`${at}privacy_policy`);
    assert.match(String(content), /&lt;b&gt;little[^]*\/about\/privacy"/);
    const held = await get(`${at}terms_of_service`);
    const day = String(held["effective_date"]);
    assert.match(day, /^\d{4}-\d\d-\d\d$/);
    assert.match(String(held["content"]), /Be <strong>fair/);
    assert.equal(held["succeeded_by"], null);
    assert.deepEqual(await get(`${at}terms_of_service/${day}`), held);
    for (const wrong of ["2001-01-01", "x", `${day}x`])
      assert.equal((await fetch(`${terms}/${wrong}`)).status, 404, wrong);
    // Another change leaves their date.
    await kith.serverProfile.save(null, { name: "Mill" });
    assert.deepEqual(await get(`${at}terms_of_service`), held);
  });
});

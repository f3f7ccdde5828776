import assert from "node:assert/strict";
import { describe, test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import { newUser } from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;
type Fields = Readonly<Record<string, string | readonly string[]>>;

let names = 0;
const newName = () => `faulty${(names += 1)}`;

const picture = (red: number) =>
  sharp({
    create: {
      ...{ width: 30, height: 20, channels: 3 },
      background: { r: red, g: 0, b: 0 },
    },
  })
    .png()
    .toBuffer();

const LARGE = 48 * 1024 * 1024;

/** The field of the form that is marked, with the words beside it. */
function faultBeside(text: string, field: string): string {
  const words = RegExp(`id="${field}-fault">([^<]*)<`).exec(text)?.[1];
  return words ?? assert.fail(`${field} has no fault`);
}

const isMarked = (text: string, field: string): boolean =>
  RegExp(`id="${field}"[^>]*aria-invalid="true"`).test(text);

const photoIdsIn = (text: string): string[] =>
  [...text.matchAll(/name="photo_id" value="(\d+)"/g)].map(([, id = ""]) => id);

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const send = async (
      by: User,
      path: string,
      fields: Fields,
      files: readonly Uint8Array[] = [],
    ) => {
      const form = new FormData();
      const { warning, ...first } = fields;
      form.append("csrf_token", by.csrf_token);
      for (const [name, value] of Object.entries(first))
        for (const one of [value].flat()) form.append(name, one);
      for (const bytes of files)
        form.append("photo", new Blob([Uint8Array.from(bytes)]), "a.png");
      // Below the files, as in the pages.
      if (warning !== undefined) form.append("warning", String(warning));
      const response = await fetch(kith().baseUrl + path, {
        method: "POST",
        body: form,
        redirect: "manual",
        headers: { cookie: by.cookies(), accept: "text/html" },
      });
      const { status, headers } = response;
      return { status, headers, text: await response.text() };
    };
    const newPost = async (by: User, text = "A post"): Promise<string> => {
      const form = { csrf_token: by.csrf_token, text, audience: "everyone" };
      await by.post("/home", form);
      const { text: page } = await by.get("/home");
      return /id="post-([\w-]+)"/.exec(page)?.[1] ?? assert.fail();
    };

    test("nothing typed is lost by too many pictures, or by large ones", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const path = `/posts/${await newPost(author)}/comments`;
      const nine = await Promise.all(
        Array.from({ length: 9 }, (_, at) => picture(at)),
      );
      const large = [new Uint8Array(LARGE)];
      const act = { act: "publish", audience: "everyone" };
      const to = { to: `somebody@${kith().host}` };
      for (const [at, fields] of [
        ["/write", act],
        ["/home", act],
        [path, {}],
        ["/messages", to],
      ] as const) {
        const typed = {
          text: "Kept words",
          warning: "Kept warning",
          ...fields,
        };
        const many = await send(author, at, typed, nine);
        assert.equal(many.status, 422, at);
        assert.match(many.text, />\nKept words<\/textarea>/);
        assert.match(faultBeside(many.text, "photo"), /room for 8/);
        assert.equal(photoIdsIn(many.text).length, 8);
        const tooLarge = await send(author, at, typed, large);
        assert.equal(tooLarge.status, 413, at);
        assert.match(tooLarge.text, />\nKept words<\/textarea>/);
        assert.match(faultBeside(tooLarge.text, "photo"), /at most \d+ MB/);
        if ("act" in fields)
          assert.match(tooLarge.text, /value="Kept warning"/);
        assert.ok(!isMarked(tooLarge.text, "text"));
      }
      const profile = await send(
        ...([
          author,
          "/settings/profile",
          { bio: "Kept words" },
          large,
        ] as const),
      );
      assert.equal(profile.status, 413);
      assert.match(profile.text, />\nKept words<\/textarea>/);
      const { csrf_token } = author;
      const name = "x".repeat(2 * 1024 * 1024);
      const other = await author.post("/aspects", { csrf_token, name });
      assert.equal(other.status, 413);
      assert.match(other.text, /at most 1 MB/);
    });

    test("an attached picture is removed, and one that is gone is left out", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const typed = { text: "Two pears", audience: "everyone" };
      const files = [await picture(1), await picture(2)];
      const attached = await send(
        ...([author, "/write", { ...typed, act: "publish" }, files] as const),
      );
      const [one = "", two = ""] = photoIdsIn(attached.text);
      assert.match(attached.text, /Remove file 1/);
      const both = { photo_id: [one, two], described: ["First", "Second"] };
      const removed = await send(author, "/write", {
        ...{ ...typed, ...both, act: "check", remove_photo: one },
      });
      assert.deepEqual(photoIdsIn(removed.text), [two]);
      assert.match(removed.text, /name="described"\s+value="Second"/);
      const photo = { id: Number(two) as never };
      const owner = await kith().server.features.people.find({
        handle: `${author.username}@${kith().host}`,
      });
      const { id: personId, userId } = owner ?? assert.fail();
      await kith().server.features.photos.remove(
        { personId, userId: userId ?? assert.fail() },
        photo,
      );
      for (const at of ["/write", "/home"]) {
        const gone = await send(author, at, {
          ...{ ...typed, ...both, act: "publish" },
        });
        assert.equal(gone.status, 422, at);
        assert.match(faultBeside(gone.text, "photo"), /is gone/);
        assert.deepEqual(photoIdsIn(gone.text), [one]);
        assert.match(gone.text, />\nTwo pears<\/textarea>/);
      }
      const path = `/posts/${await newPost(author)}/comments`;
      const comment = await send(author, path, { text: "So", photo_id: two });
      assert.match(faultBeside(comment.text, "photo"), /is gone/);
      const done = await send(author, "/write", {
        ...{ ...typed, photo_id: one, described: "First", act: "publish" },
      });
      assert.equal(done.status, 302);
    });

    const tomorrow = () =>
      new Date(kith().clock.now().getTime() + 86_400_000)
        .toISOString()
        .slice(0, 16);

    test("each fault of the composer is beside its field, and marks no other", async () => {
      const author = await newUser(kith().baseUrl, newName());
      for (const [wrong, field, words] of [
        [{ text: " " }, "text", /Write something/],
        [{ text: "x".repeat(65_536) }, "text", /at most 65535/],
        [{ warning: "x".repeat(501) }, "warning", /at most 500 characters/],
        [{ audience: "mentioned" }, "audience", /mentions nobody/],
        [{ question: "Which?" }, "answers", /A poll needs/],
        [{ answers: "a\nb" }, "question", /A poll needs/],
      ] as const)
        for (const at of ["/write", "/home"]) {
          const typed = { text: "Kept", audience: "everyone", act: "publish" };
          const refused = await send(author, at, { ...typed, ...wrong });
          assert.equal(refused.status, 422, field);
          assert.match(faultBeside(refused.text, field), words);
          assert.equal(isMarked(refused.text, "text"), field === "text", field);
        }
      for (const [wrong, field, words] of [
        [{ lat: "99", lng: "1" }, "lat", /latitude from -90/],
        [{ publish_at: "2020-01-01T10:00" }, "publish_at", /in the future/],
        [
          { publish_at: tomorrow(), audience: "mentioned" },
          ...(["audience", /mentions nobody/] as const),
        ],
      ] as const) {
        const typed = { text: "Kept", audience: "everyone", act: "publish" };
        const refused = await send(author, "/write", { ...typed, ...wrong });
        assert.equal(refused.status, 422, field);
        assert.match(faultBeside(refused.text, field), words);
        assert.ok(!isMarked(refused.text, "text"), field);
      }
    });

    test("the line above the button says that nobody is mentioned", async () => {
      const { csrf_token, post } = await newUser(kith().baseUrl, newName());
      const form = { csrf_token, text: "Hello", audience: "mentioned" };
      const part = await post("/parts/reach", form);
      assert.equal(part.status, 200);
      assert.match(part.text, /mentions nobody known here/);
      const check = await post("/write", { ...form, act: "check" });
      assert.match(faultBeside(check.text, "audience"), /mentions nobody/);
    });

    test("an unknown person in a message marks its field, and not the text", async () => {
      const { csrf_token, post } = await newUser(kith().baseUrl, newName());
      const form = { csrf_token, text: "Hello", to: `no@${kith().host}` };
      const refused = await post("/messages", form);
      assert.match(faultBeside(refused.text, "to"), /Nobody with the address/);
      assert.ok(isMarked(refused.text, "to"));
      assert.ok(!isMarked(refused.text, "text"));
    });
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let names = 0;
const newName = () => `composer${(names += 1)}`;

const picture = (red: number) =>
  sharp({
    create: {
      ...{ width: 30, height: 20, channels: 3 },
      background: { r: red, g: 0, b: 0 },
    },
  })
    .png()
    .toBuffer();

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const userOf = async ({ username }: User) => {
      const handle = `${username}@${kith().host}`;
      const { id, userId } =
        (await kith().server.features.people.find({ handle })) ?? assert.fail();
      return { personId: id, userId: userId ?? assert.fail() };
    };
    const send = async (
      by: User,
      fields: Readonly<Record<string, string | readonly string[]>>,
      files: readonly Uint8Array[] = [],
    ) => {
      const form = new FormData();
      form.append("csrf_token", by.csrf_token);
      for (const [name, value] of Object.entries(fields))
        for (const one of [value].flat()) form.append(name, one);
      for (const bytes of files)
        form.append("photo", new Blob([Uint8Array.from(bytes)]), "a.png");
      // Browsers send this if no file was chosen.
      if (files.length === 0) form.append("photo", new Blob([]), "");
      const response = await fetch(`${kith().baseUrl}/home`, {
        method: "POST",
        body: form,
        redirect: "manual",
        headers: { cookie: by.cookies(), accept: "text/html" },
      });
      return { status: response.status, text: await response.text() };
    };
    const newest = async (by: User) => {
      const { posts } = kith().server.features;
      const user = await userOf(by);
      const page = { offset: 0, limit: 1 };
      const [post] = await posts.listOf(user.personId, user, page);
      return post;
    };

    test("a post has pictures with their descriptions, a poll and a warning", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const files = [await picture(10), await picture(200)];
      const done = await send(
        author,
        {
          ...{ text: "With everything", audience: "everyone" },
          ...{ warning: "Food", photo_text: "A pear\r\n\r\nA plum\n" },
          ...{ question: "Which?", answers: "Pear\nPlum\n", multiple: "true" },
        },
        files,
      );
      assert.equal(done.status, 302, done.text);
      const { text } = await author.get("/home");
      assert.match(text, /<summary dir="auto">Food</);
      assert.match(text, /alt="A pear"/);
      assert.match(text, /alt="A plum"/);
      assert.match(text, /<strong>Which\?<\/strong>/);
      assert.equal(text.match(/type="checkbox"\s+name="answer"/g)?.length, 2);
    });

    test("each audience is the one that was chosen", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const { userId } = await userOf(author);
      const { aspects } = kith().server.features;
      const family = await aspects.create(userId, "Family");
      const choir = await aspects.create(userId, "Choir");
      const both = [String(family.id), String(choir.id)];
      for (const [audience, isPublic, aspect] of [
        ["everyone", true, []],
        ["unlisted", true, []],
        ["followers", false, []],
        ["all_aspects", false, []],
        ["aspects", false, both],
        ["self", false, []],
      ] as const) {
        const text = `For ${audience}`;
        const done = await send(author, { text, audience, aspect });
        assert.equal(done.status, 302, done.text);
        const post = await newest(author);
        assert.equal(post?.text, text);
        assert.equal(post?.public, isPublic, audience);
        if (isPublic) assert.equal(post?.listed, audience === "everyone");
        const nobody = await visitor(kith().baseUrl).get(
          `/posts/${post?.guid}`,
        );
        assert.equal(nobody.status, isPublic ? 200 : 404, audience);
      }
    });

    test("a refused form changes nothing, and keeps the typed text", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const other = await newUser(kith().baseUrl, newName());
      const { aspects } = kith().server.features;
      const { id } = await aspects.create(
        (await userOf(other)).userId,
        "Theirs",
      );
      const kept = { text: "Kept text", warning: "Kept warning" };
      for (const [fields, words] of [
        [{ audience: "" }, /Choose who sees/],
        [{ audience: "world" }, /Choose who sees/],
        [{ audience: "aspects" }, /Choose at least one aspect/],
        [{ audience: "aspects", aspect: "x" }, /Choose at least one aspect/],
        [{ audience: "aspects", aspect: String(id) }, /no longer exists/],
        [{ audience: "self", question: "Which?" }, /A poll needs/],
        [{ audience: "self", answers: "a\nb" }, /A poll needs/],
        [{ audience: "self", question: "Q?", answers: "a\na" }, /A poll needs/],
      ] as const) {
        const refused = await send(author, { ...kept, ...fields });
        assert.equal(refused.status, 422, JSON.stringify(fields));
        assert.match(refused.text, words);
        assert.match(refused.text, />\nKept text<\/textarea>/);
        assert.match(refused.text, /value="Kept warning"/);
      }
      assert.equal(await newest(author), undefined);
    });

    test("pictures are kept when the text is refused, and published with it later", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const blank = { text: " ", audience: "everyone", photo_text: "Red" };
      const refused = await send(author, blank, [await picture(99)]);
      assert.equal(refused.status, 422);
      assert.match(refused.text, /1 file is attached/);
      const [, id = ""] =
        /name="photo_id" value="(\d+)"/.exec(refused.text) ?? [];
      const thief = await newUser(kith().baseUrl, newName());
      const stolen = await send(thief, {
        ...{ text: "Mine", audience: "everyone", photo_id: id },
      });
      assert.notEqual(stolen.status, 302);
      assert.equal(await newest(thief), undefined);
      const done = await send(author, {
        ...{ ...blank, text: "Now with words", photo_id: id },
      });
      assert.equal(done.status, 302, done.text);
      assert.match((await author.get("/home")).text, /alt="Red"/);
    });

    test("a file that is no picture is refused, and the others stay", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const fields = { text: "Look", audience: "everyone" };
      const broken = Buffer.from("<svg onload=alert(1)>");
      const refused = await send(author, fields, [await picture(5), broken]);
      assert.equal(refused.status, 422);
      assert.match(refused.text, /A picture could not be used/);
      assert.match(refused.text, /1 file is attached/);
      const many = Array.from({ length: 9 }, () => broken);
      const tooMany = await send(author, fields, many);
      assert.equal(tooMany.status, 422);
      assert.match(tooMany.text, /There is room for 8 pictures/);
      assert.match(tooMany.text, />\nLook<\/textarea>/);
      assert.equal(await newest(author), undefined);
      const guest = { ...author, cookies: () => "" };
      const asked = await send(guest, fields, [await picture(5)]);
      assert.equal(asked.status, 401);
      assert.match(asked.text, /Your text is kept/);
    });
  });
});

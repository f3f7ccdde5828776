import assert from "node:assert/strict";
import { describe, test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import { remotePerson } from "../../packages/server/test/support/remote/remote-people.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

const PROFILE = "/settings/profile";
const DETAILS = {
  ...{ first_name: "Ida", last_name: "Berg", bio: "Grows *apples*" },
  ...{ location: "Bergen", gender: "", birthday: "1990-05-17" },
  ...{ bio_for: "everyone", location_for: "contacts" },
  ...{ gender_for: "nobody", birthday_for: "nobody" },
};

let names = 0;
const newName = () => `profiled${(names += 1)}`;

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const start = async () => {
      const user = await newUser(kith().baseUrl, newName());
      const { csrf_token, username } = user;
      const find = async () => {
        const handle = `${username}@${kith().host}`;
        const { people } = kith().server.features;
        return (await people.find({ handle }))?.profile ?? assert.fail();
      };
      return { user, csrf_token, find, page: `/u/${username}` };
    };

    test("a profile is changed, and each detail shown to those chosen", async () => {
      const { user, csrf_token, find, page } = await start();
      const form = {
        ...{ ...DETAILS, csrf_token },
        ...{ line_name_0: "Pronouns", line_text_0: "she" },
        ...{ line_name_5: "Web", line_text_5: "https://ida.example/" },
      };
      const saved = await user.post(PROFILE, form);
      assert.equal(saved.status, 200);
      assert.match(saved.text, /Your profile is saved/);
      assert.match(saved.text, /value="Bergen"/);
      const profile = await find();
      assert.equal(profile.fullName, "Ida Berg");
      assert.equal(profile.birthday, "1990-05-17");
      assert.deepEqual(profile.shownTo, {
        ...{ bio: "everyone", location: "contacts" },
        ...{ gender: "nobody", birthday: "nobody" },
      });
      assert.deepEqual(profile.fields, [
        { name: "Pronouns", value: "she" },
        { name: "Web", value: "https://ida.example/" },
      ]);
      const seen = await visitor(kith().baseUrl).get(page);
      assert.match(seen.text, /Ida Berg/);
      assert.match(seen.text, /<em>apples<\/em>/);
      assert.doesNotMatch(seen.text, /settings\/profile/);
      assert.match((await user.get(page)).text, /href="\/settings\/profile"/);
      await user.post(PROFILE, { ...DETAILS, csrf_token, birthday: "" });
      assert.equal((await find()).birthday, null);
      assert.deepEqual((await find()).fields, []);
    });

    test("links in the fields of a person here are that person's own, in the page and its head", async () => {
      const { user, csrf_token, page } = await start();
      const form = {
        ...{ ...DETAILS, csrf_token, bio: "Not https://other.example/" },
        ...{ line_name_0: "Web", line_text_0: "https://ida.example/?a=1&b=2" },
        ...{
          line_name_1: "Friend",
          line_text_1: `@{${user.username}@${kith().host}}`,
        },
        ...{ line_name_2: "Tag", line_text_2: "#apples" },
      };
      assert.equal((await user.post(PROFILE, form)).status, 200);
      const { text } = await visitor(kith().baseUrl).get(page);
      const href = "https://ida.example/?a=1&amp;b=2";
      assert.ok(text.includes(`<link rel="me" href="${href}" />`));
      assert.match(
        text,
        /<a href="https:\/\/ida\.example\/\?a=1&amp;b=2" rel="me nofollow noopener/,
      );
      assert.equal(text.match(/rel="me/g)?.length, 2);
    });

    test("links of a person elsewhere are not said to be that person's", async () => {
      const { id, guid } = await remotePerson(kith(), "ivy@remote.example");
      const fields = [{ name: "Web", value: "https://ivy.example/" }];
      await kith().server.features.people.changeProfile(id, { fields });
      const { text } = await visitor(kith().baseUrl).get(`/people/${guid}`);
      assert.match(text, /<a href="https:\/\/ivy\.example\/" rel="nofollow/);
      assert.doesNotMatch(text, /rel="me/);
    });

    test("a new picture is shown; what is no picture changes nothing", async () => {
      const { user, csrf_token, find } = await start();
      const background = { r: 200, g: 20, b: 20 };
      const size = { width: 60, height: 60, channels: 3 } as const;
      const png = await sharp({ create: { ...size, background } })
        .png()
        .toBuffer();
      const send = async (bytes: Uint8Array, field = "picture") => {
        const form = new FormData();
        for (const [name, value] of Object.entries({ ...DETAILS, csrf_token }))
          form.append(name, value);
        form.append(field, new Blob([Uint8Array.from(bytes)]), "me.png");
        return fetch(kith().baseUrl + PROFILE, {
          method: "POST",
          body: form,
          headers: { cookie: user.cookies(), accept: "text/html" },
        });
      };
      const refused = await send(Buffer.from("<svg/>"));
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), /the picture is too large, or/);
      assert.equal((await find()).firstName, "");
      assert.equal((await send(png)).status, 200);
      const { imageUrl, firstName } = await find();
      assert.equal(firstName, "Ida");
      assert.match(imageUrl, /\/media\//);
      assert.match((await user.get(PROFILE)).text, /src="[^"]*\/media\//);
      assert.equal((await send(png, "header")).status, 200);
      const both = await find();
      assert.equal(both.imageUrl, imageUrl);
      assert.match(both.headerUrl, /\/media\//);
      assert.equal((await send(png, "another")).status, 400);
      assert.match((await user.get(PROFILE)).text, /name="remove_header"/);
      const without = { ...DETAILS, csrf_token, remove_header: "true" };
      assert.equal((await user.post(PROFILE, without)).status, 200);
      const left = await find();
      assert.deepEqual([left.headerUrl, left.imageUrl], ["", imageUrl]);
      const { text } = await user.get(PROFILE);
      assert.doesNotMatch(text, /name="remove_header"/);
      const bare = { ...DETAILS, csrf_token, remove_picture: "true" };
      assert.equal((await user.post(PROFILE, bare)).status, 200);
      assert.equal((await find()).imageUrl, "");
    });

    test("a form that is refused, expired or sent signed out keeps its values, and changes nothing", async () => {
      const { user, csrf_token, find } = await start();
      const beside = (text: string) =>
        [...text.matchAll(/id="(\w+)-fault">([^<]*)</g)].map(
          ([, field, words]) => `${field}: ${words}`,
        );
      for (const [wrong, fault] of [
        [{ first_name: "x".repeat(33) }, /^first_name: .* 32 characters/],
        [{ last_name: "a;b" }, /^last_name: A name cannot/],
        [{ location: "x".repeat(256) }, /^location: .* 255 characters/],
        [{ birthday: "yesterday" }, /^birthday: Enter a date/],
        [{ birthday: "2999-01-01" }, /^birthday: Enter a date/],
        [{ line_name_3: "Alone" }, /^line_text_3: .* a name and a text/],
      ] as const) {
        const form = { ...DETAILS, csrf_token, ...wrong };
        const refused = await user.post(PROFILE, form);
        assert.equal(refused.status, 422, JSON.stringify(wrong));
        assert.match(refused.text, /Nothing was saved/);
        const found = beside(refused.text);
        assert.equal(found.length, 1);
        assert.match(found[0] ?? "", fault);
        const [typed = ""]: string[] = Object.values(wrong);
        assert.match(refused.text, RegExp(`value="${typed}"`));
      }
      const bio = { ...DETAILS, csrf_token, bio: "x".repeat(65_536) };
      const long = beside((await user.post(PROFILE, bio)).text);
      assert.deepEqual(long, ["bio: Use at most 65535 characters."]);
      const expired = await user.post(PROFILE, DETAILS);
      assert.equal(expired.status, 403);
      assert.match(expired.text, /value="Bergen"/);
      const guest = visitor(kith().baseUrl);
      const asked = await guest.post(PROFILE, {
        ...DETAILS,
        line_name_0: "Kept",
      });
      assert.equal(asked.status, 401);
      const { username, password } = user;
      const resumed = await guest.post("/users/sign_in", {
        ...hiddenFields(asked, "/users/sign_in"),
        ...{ username, password },
      });
      assert.match(resumed.text, /You had been signed out/);
      assert.match(resumed.text, /value="Bergen"/);
      assert.match(resumed.text, /value="Kept"/);
      assert.equal((await find()).firstName, "");
    });
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

const PRIVACY = "/settings/privacy";

let names = 0;

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const start = async () => {
      const user = await newUser(kith().baseUrl, `private${(names += 1)}`);
      const { csrf_token, username } = user;
      const { accounts, aspects, people } = kith().server.features;
      const handle = `${username}@${kith().host}`;
      const person = async () =>
        (await people.find({ handle })) ?? assert.fail();
      const userId = (await person()).userId ?? assert.fail();
      const aspect = await aspects.create(userId, "Family");
      const stored = async () => {
        const { audience, quotableBy } = await accounts.getSettings(userId);
        const { locked, searchable, indexable } = (await person()).profile;
        return { audience, quotableBy, locked, searchable, indexable };
      };
      const usual = { csrf_token, audience: "everyone" };
      return {
        ...{ user, aspect, stored },
        form: { ...usual, quotable_by: "everyone" },
      };
    };

    test("the choices are kept, and the next post starts with the usual audience", async () => {
      const { user, aspect, stored, form } = await start();
      const saved = await user.post(PRIVACY, {
        ...{ ...form, audience: "aspects", aspect: String(aspect.id) },
        ...{ quotable_by: "followers", locked: "true", indexable: "true" },
      });
      assert.equal(saved.status, 200);
      assert.match(saved.text, /Your choices are saved/);
      assert.deepEqual(await stored(), {
        audience: { kind: "aspects", aspectIds: [aspect.id] },
        quotableBy: "followers",
        ...{ locked: true, searchable: false, indexable: true },
      });
      for (const path of [PRIVACY, "/home", "/write"]) {
        const { text } = await user.get(path);
        assert.match(text, /value="aspects"[^>]*\schecked/, path);
        const box = RegExp(`name="aspect"\\s+value="${aspect.id}"\\s+checked`);
        assert.match(text, box, path);
      }
      const shown = (await user.get(PRIVACY)).text;
      assert.match(shown, /name="locked"[^>]*\schecked/);
      assert.doesNotMatch(shown, /name="searchable"[^>]*\schecked/);
    });

    test("a wrong choice changes nothing, and keeps what was chosen", async () => {
      const { user, stored, form } = await start();
      const other = await start();
      const before = await stored();
      const foreign = String(other.aspect.id);
      for (const wrong of [
        { audience: "aspects" },
        { audience: "aspects", aspect: foreign },
        { audience: "aspects", aspect: "x" },
        { audience: "mentioned" },
        { audience: "" },
        { quotable_by: "friends" },
        { quotable_by: "" },
      ]) {
        const refused = await user.post(PRIVACY, {
          ...{ ...form, locked: "true", ...wrong },
        });
        const name = JSON.stringify(wrong);
        assert.equal(refused.status, 422, name);
        assert.match(refused.text, /Nothing was saved/, name);
        assert.match(refused.text, /name="locked"[^>]*\schecked/, name);
        assert.deepEqual(await stored(), before, name);
      }
    });

    test("nobody changes them without a session, or with another one's token", async () => {
      const { user, stored, form } = await start();
      const other = await start();
      const before = await stored();
      const stranger = visitor(kith().baseUrl);
      const led = await stranger.get(PRIVACY);
      assert.match(led.headers.get("location") ?? "", /sign_in\?to=/);
      assert.equal((await stranger.post(PRIVACY, form)).status, 401);
      const { csrf_token } = other.form;
      const forged = { ...form, csrf_token, audience: "self" };
      assert.equal((await user.post(PRIVACY, forged)).status, 403);
      assert.deepEqual(await stored(), before);
    });
  });
});

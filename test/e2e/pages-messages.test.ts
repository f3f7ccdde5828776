import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let names = 0;
const newName = () => `penpal${(names += 1)}`;

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const meet = async () => {
      const ida = await newUser(kith().baseUrl, newName());
      const ole = await newUser(kith().baseUrl, newName());
      return { ida, ole };
    };
    const addressOf = ({ username }: User) => `${username}@${kith().host}`;
    /** Starts a conversation. @returns its path */
    const start = async (by: User, to: User, text: string) => {
      const { csrf_token } = by;
      const subject = "Sunday";
      const form = { csrf_token, to: addressOf(to), subject, text };
      const done = await by.post("/messages", form);
      assert.equal(done.status, 302, done.text);
      await kith().settle();
      return done.headers.get("location") ?? "";
    };

    test("a message is sent, found as new, read and answered", async () => {
      const { ida, ole } = await meet();
      const page = await ida.get(`/u/${ole.username}`);
      const [, query = ""] =
        /href="\/messages\/new\?(to=[^"]+)"/.exec(page.text) ?? [];
      const form = await ida.get(`/messages/new?${query}`);
      assert.match(form.text, RegExp(`value="${addressOf(ole)}"`));
      const path = await start(ida, ole, "Come **along** <b>");
      const list = await ole.get("/messages");
      assert.match(list.text, /1 new/);
      assert.match(list.text, /Come along/);
      assert.match(list.text, RegExp(ida.username));
      const noticed = await ole.get("/notifications");
      assert.match(noticed.text, RegExp(`to=${encodeURIComponent(path)}"`));
      const opened = await ole.get(path);
      assert.match(opened.text, /<strong>along<\/strong> &lt;b&gt;/);
      assert.match(opened.text, /<h1 dir="auto">Sunday/);
      assert.doesNotMatch((await ole.get("/messages")).text, /1 new/);
      const fields = hiddenFields(opened, path);
      const done = await ole.post(path, { ...fields, text: "Gladly!" });
      assert.equal(done.headers.get("location"), `${path}#write`);
      const read = await ida.get(path);
      assert.ok(
        read.text.indexOf("Come") < read.text.indexOf("Gladly!"),
        "the newest is last",
      );
    });

    test("a conversation does not exist for others", async () => {
      const { ida, ole } = await meet();
      const path = await start(ida, ole, "Between us");
      const eve = await newUser(kith().baseUrl, newName());
      const { csrf_token } = eve;
      for (const { get } of [eve, visitor(kith().baseUrl)])
        assert.equal((await get(path)).status, 404);
      for (const act of ["", "/hide", "/leave"]) {
        const done = await eve.post(path + act, { csrf_token, text: "Me too" });
        assert.equal(done.status, 404, act);
        assert.equal((await ole.post(path + act, { text: "x" })).status, 403);
      }
      assert.doesNotMatch((await eve.get("/messages")).text, /Between us/);
      assert.doesNotMatch((await ida.get(path)).text, /Me too/);
      assert.equal((await eve.get("/messages/x")).status, 404);
    });

    test("a refused form says why, and keeps the typed text", async () => {
      const { ida, ole } = await meet();
      const { csrf_token } = ida;
      const typed = { csrf_token, to: addressOf(ole), text: "Kept words" };
      for (const [wrong, words] of [
        [{ to: " , " }, /Name at least one person/],
        [{ to: addressOf(ida) }, /Name at least one person/],
        [{ to: `nobody@${kith().host}` }, /Nobody with the address nobody@/],
        [{ to: "what?" }, /Nobody with the address what\?/],
        [{ to: "a@b,".repeat(60) }, /at most 49 recipients/],
        [{ text: " " }, /Write something first/],
        [{ subject: "s".repeat(300) }, /subject has at most 255 characters/],
      ] as const) {
        const refused = await ida.post("/messages", { ...typed, ...wrong });
        assert.equal(refused.status, 422, JSON.stringify(wrong).slice(0, 60));
        assert.match(refused.text, words);
        if (!("text" in wrong)) assert.match(refused.text, /\nKept words</);
      }
      const old = { ...typed, csrf_token: "old" };
      const expired = await ida.post("/messages", old);
      assert.equal(expired.status, 403);
      assert.match(expired.text, /\nKept words</);
      assert.match((await ida.get("/messages")).text, /No messages yet/);
      const guest = visitor(kith().baseUrl);
      const asked = await guest.post("/messages", typed);
      assert.equal(asked.status, 401);
      const { username, password } = ida;
      const resumed = await guest.post("/users/sign_in", {
        ...hiddenFields(asked, "/users/sign_in"),
        ...{ username, password },
      });
      assert.match(resumed.text, /You had been signed out/);
      assert.match(resumed.text, /\nKept words</);
      assert.match(resumed.text, RegExp(`value="${addressOf(ole)}"`));
    });

    test("a hidden conversation comes back with its next message, one that was left does not", async () => {
      const { ida, ole } = await meet();
      const path = await start(ida, ole, "Knock knock");
      for (const [act, comesBack] of [
        ["hide", true],
        ["leave", false],
      ] as const) {
        const { csrf_token } = ole;
        const done = await ole.post(`${path}/${act}`, { csrf_token });
        assert.equal(done.headers.get("location"), "/messages");
        assert.match((await ole.get("/messages")).text, /No messages yet/);
        const text = `After ${act}`;
        await ida.post(path, { csrf_token: ida.csrf_token, text });
        await kith().settle();
        const found = (await ole.get("/messages")).text.includes(text);
        assert.equal(found, comesBack, act);
      }
    });
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import { checkLayout, launchBrowser } from "../support/browser.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let names = 0;
const newName = () => `drafter${(names += 1)}`;

const picture = () =>
  sharp({
    create: {
      ...{ width: 30, height: 20, channels: 3 },
      background: { r: 9, g: 9, b: 9 },
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
    const newest = async (by: User) => {
      const { posts } = kith().server.features;
      const user = await userOf(by);
      const page = { offset: 0, limit: 1 };
      return (await posts.listOf(user.personId, user, page))[0];
    };
    const draftsOf = async (by: User) => {
      const { userId } = await userOf(by);
      const page = { offset: 0, limit: 10 };
      return kith().server.features.drafts.list(userId, page);
    };
    const send = (by: User, form: Record<string, string>) =>
      by.post("/write", {
        ...{ csrf_token: by.csrf_token, audience: "everyone", ...form },
      });

    test("a place is kept in the form and the draft, published, and refused in its own words", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const at = { place: "The <mill>", lat: "52,52", lng: "13.405" };
      const form = { text: "By the river", ...at };
      const shown = (page: string) => {
        assert.match(page, /name="place"[^>]*value="The &lt;mill&gt;"/);
        assert.match(page, /name="lat"[^>]*value="52\.52"/);
        assert.match(page, /name="lng"[^>]*value="13\.405"/);
      };
      shown((await send(author, { ...form, act: "check" })).text);
      await send(author, { ...form, act: "save" });
      const [draft = assert.fail()] = await draftsOf(author);
      const kept = await author.get(`/write?draft=${draft.id}`);
      shown(kept.text);
      const published = { ...hiddenFields(kept, "/write"), act: "publish" };
      await send(author, { ...published, ...form });
      const location = { address: "The <mill>", lat: "52.52", lng: "13.405" };
      assert.deepEqual((await newest(author))?.location, location);
      assert.match((await author.get("/home")).text, /The &lt;mill&gt;/);
      for (const wrong of [
        { lat: "91" },
        { lng: "" },
        { lat: "north" },
        { place: "x".repeat(256) },
      ])
        for (const act of ["publish", "save"]) {
          const refused = await send(author, { ...form, ...wrong, act });
          const name = `${act} ${JSON.stringify(wrong)}`;
          assert.equal(refused.status, 422, name);
          assert.match(refused.text, /A place has a latitude/, name);
          assert.match(refused.text, /By the river/, name);
        }
      assert.deepEqual(await draftsOf(author), []);
    });

    test("the form says who gets the post before it is published", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const friend = await newUser(kith().baseUrl, newName());
      const { aspects } = kith().server.features;
      const by = await userOf(author);
      const { id } = await aspects.create(by.userId, "Family <b>");
      const form = { act: "check", text: "Hello", aspect: String(id) };
      const limited = { ...form, audience: "aspects" };
      assert.match(
        (await send(author, limited)).text,
        /Nobody would get it[^]*Publish to 0 people/,
      );
      await aspects.addPerson(by, id, (await userOf(friend)).personId);
      const { text, status } = await send(author, limited);
      assert.equal(status, 200);
      assert.match(
        text,
        /<bdi>Family &lt;b&gt;<\/bdi>:\s+1 person on this server/,
      );
      assert.match(text, RegExp(`<bdi>${friend.username}`));
      assert.match(text, /Publish to 1 person</);
      assert.match(text, />\nHello<\/textarea>/);
      for (const [audience, words] of [
        ["everyone", /Anybody on the web sees it[^]*Publish to everyone/],
        ["unlisted", /Public lists leave it out/],
        ["self", /Nobody sees it but you[^]*Publish to me only/],
      ] as const)
        assert.match((await send(author, { ...form, audience })).text, words);
      const mention = `Hi @{${friend.username}@${kith().host}}`;
      const self = { ...form, text: mention, audience: "self" };
      assert.match((await send(author, self)).text, /Mentioned, but won’t see/);
      assert.equal(await newest(author), undefined, "nothing is published");
    });

    test("a post with a language is published, and the short form leads to the whole", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const short = await author.get("/home");
      assert.match(short.text, /formaction="\/write"/);
      const started = await author.get("/write?text=Bonjour%20%3Cb%3E");
      assert.match(started.text, />\nBonjour &lt;b&gt;<\/textarea>/);
      const done = await send(author, {
        ...{ act: "publish", text: "Bonjour", language: "fr" },
      });
      assert.equal(done.headers.get("location"), "/home");
      const post = await newest(author);
      assert.equal(post?.text, "Bonjour");
      assert.equal(post?.language, "fr");
      assert.deepEqual(await draftsOf(author), []);
    });

    test("pictures are described on the next screen before they are published", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const form = new FormData();
      const fields = { act: "publish", text: "Look", audience: "everyone" };
      for (const [name, value] of Object.entries(fields))
        form.append(name, value);
      form.append("csrf_token", author.csrf_token);
      const bytes = Uint8Array.from(await picture());
      form.append("photo", new Blob([bytes]), "a.png");
      const response = await fetch(`${kith().baseUrl}/write`, {
        ...{ method: "POST", body: form, redirect: "manual" },
        headers: { cookie: author.cookies(), accept: "text/html" },
      });
      const text = await response.text();
      assert.equal(response.status, 200);
      assert.match(text, /Describe them if you can/);
      assert.equal(await newest(author), undefined);
      const [, photo = ""] = /name="photo_id"\s+value="(\d+)"/.exec(text) ?? [];
      assert.match(text, /<div class="described">[^]*<img src="[^"]+" alt=""/);
      const described = { photo_id: photo, described: "A dark day" };
      await send(author, { ...fields, ...described, act: "save" });
      const [draft = assert.fail()] = await draftsOf(author);
      const again = await author.get(`/write?draft=${draft.id}`);
      assert.match(again.text, /name="described"\s+value="A dark day"/);
      const sent = { ...fields, ...described, draft: String(draft.id) };
      const done = await send(author, sent);
      assert.equal(done.headers.get("location"), "/home", done.text);
      assert.match((await author.get("/home")).text, /alt="A dark day"/);
      assert.deepEqual(await draftsOf(author), []);
    });

    test("a draft is saved, continued, published and deleted", async () => {
      const author = await newUser(kith().baseUrl, newName());
      assert.match((await author.get("/drafts")).text, /No drafts/);
      const whole = {
        ...{ act: "save", text: "A <b> draft", audience: "self" },
        ...{ warning: "Food", question: "Which?", answers: "a\nb" },
      };
      const saved = await send(author, whole);
      assert.equal(saved.headers.get("location"), "/drafts");
      const list = await author.get("/drafts");
      assert.match(list.text, /A &lt;b&gt; draft/);
      const [{ id } = assert.fail()] = await draftsOf(author);
      const form = await author.get(`/write?draft=${id}`);
      for (const kept of [
        />\nA &lt;b&gt; draft<\/textarea>/,
        /value="self"\s+required\s+checked/,
        /value="Food"/,
        /value="Which\?"/,
        />\na\nb<\/textarea>/,
        RegExp(`name="draft" value="${id}"`),
      ])
        assert.match(form.text, kept);
      const draft = String(id);
      await send(author, { ...whole, text: "Changed", draft });
      const [changed, ...more] = await draftsOf(author);
      assert.equal(changed?.content.text, "Changed");
      assert.deepEqual(more, []);
      const published = await author.post(`/drafts/${draft}/publish`, {
        ...hiddenFields(
          await author.get("/drafts"),
          `/drafts/${draft}/publish`,
        ),
      });
      assert.equal(published.headers.get("location"), "/home");
      assert.equal((await newest(author))?.text, "Changed");
      await send(author, { ...whole, text: "" });
      const [empty = assert.fail()] = await draftsOf(author);
      const { csrf_token } = author;
      const path = `/drafts/${empty.id}`;
      const refused = await author.post(`${path}/publish`, { csrf_token });
      assert.equal(refused.status, 422);
      assert.match(refused.text, /The draft was not published/);
      await author.post(`${path}/delete`, { csrf_token });
      assert.deepEqual(await draftsOf(author), []);
      const gone = await author.post(`${path}/delete`, { csrf_token });
      assert.equal(gone.status, 404);
    });

    test("a post is scheduled in the author's own zone", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const { userId } = await userOf(author);
      const { accounts } = kith().server.features;
      await accounts.changeSettings(userId, { timeZone: "Asia/Tokyo" });
      const year = new Date().getUTCFullYear() + 1;
      const form = { act: "publish", text: "Later" };
      const local = `${year}-06-30T18:30`;
      const done = await send(author, { ...form, publish_at: local });
      assert.equal(done.headers.get("location"), "/drafts");
      const [draft = assert.fail()] = await draftsOf(author);
      assert.equal(draft.publishAt, `${year}-06-30T09:30:00.000Z`);
      assert.match((await author.get("/drafts")).text, /To be published:/);
      const again = await author.get(`/write?draft=${draft.id}`);
      assert.match(again.text, RegExp(`value="${local}"`));
      assert.match(again.text, /The time is that of Asia\/Tokyo/);
      for (const time of ["2001-01-01T10:00", `${year + 3}-01-01T10:00`, "x"]) {
        const refused = await send(author, { ...form, publish_at: time });
        assert.equal(refused.status, 422, time);
        assert.match(refused.text, /Choose a time in the future/);
        assert.match(refused.text, />\nLater<\/textarea>/);
      }
      assert.equal((await draftsOf(author)).length, 1);
      assert.equal(await newest(author), undefined);
    });

    test("a refused form changes nothing and keeps the typed text; drafts of others do not exist", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const thief = await newUser(kith().baseUrl, newName());
      await send(author, { act: "save", text: "Secret plan" });
      const [{ id } = assert.fail()] = await draftsOf(author);
      const draft = String(id);
      for (const path of [draft, "0", "x", "999999999"])
        assert.equal((await thief.get(`/write?draft=${path}`)).status, 404);
      const { csrf_token } = thief;
      for (const act of ["publish", "delete"])
        assert.equal(
          (await thief.post(`/drafts/${draft}/${act}`, { csrf_token })).status,
          404,
        );
      for (const act of ["save", "publish"]) {
        const stolen = await send(thief, { act, text: "Mine", draft });
        assert.equal(stolen.status, 422);
        assert.match(stolen.text, /This draft is gone/);
        assert.doesNotMatch(stolen.text, /Secret/);
      }
      for (const [form, words] of [
        [{ act: "publish", text: " " }, /Write something first/],
        [{ act: "check", audience: "" }, /Choose who sees/],
        [{ act: "publish", audience: "aspects" }, /at least one aspect/],
        [{ act: "save", question: "Q?", answers: "a" }, /A poll needs/],
        [{ act: "save", warning: "x".repeat(501) }, /at most 500 characters/],
      ] as const) {
        const refused = await send(author, { text: "Kept", ...form });
        assert.equal(refused.status, 422, JSON.stringify(form));
        assert.match(refused.text, words);
      }
      const old = await send(author, { csrf_token: "x", act: "publish" });
      assert.equal(old.status, 403);
      const guest = await visitor(kith().baseUrl).post("/write", {
        ...{ act: "publish", text: "Kept words", audience: "self" },
      });
      assert.equal(guest.status, 401);
      assert.match(guest.text, /Your text is kept/);
      assert.equal(await newest(author), undefined);
      assert.equal(await newest(thief), undefined);
      assert.equal((await draftsOf(author))[0]?.content.text, "Secret plan");
    });

    test("a post that failed at its time says why, also in its form", async () => {
      const author = await newUser(kith().baseUrl, newName());
      const { userId } = await userOf(author);
      const { aspects } = kith().server.features;
      const family = await aspects.create(userId, "Family");
      const hour = 3_600_000;
      const time = new Date(kith().clock.now().getTime() + hour);
      const form = {
        ...{ act: "publish", text: "For the family", audience: "aspects" },
        ...{ aspect: String(family.id) },
        publish_at: time.toISOString().slice(0, 16),
      };
      assert.equal((await send(author, form)).status, 302);
      assert.match((await author.get("/drafts")).text, /<bdi>Family<\/bdi>/);
      await aspects.remove(await userOf(author), family.id);
      kith().clock.advance(2 * hour);
      await kith().settle();
      const why =
        /was not published at its time\. This aspect no longer exists/;
      assert.match((await author.get("/drafts")).text, why);
      const [{ id } = assert.fail()] = await draftsOf(author);
      const reopened = await author.get(`/write?draft=${id}`);
      assert.match(reopened.text, why);
      assert.match(reopened.text, /id="audience-fault"/);
    });

    if (database === "sqlite")
      test("on a phone without script, from the short form to the post", async (t) => {
        const user = await newUser(kith().baseUrl, newName());
        const browser = await launchBrowser();
        t.after(() => browser.close());
        const context = await browser.newContext({
          javaScriptEnabled: false,
          viewport: { width: 320, height: 800 },
        });
        t.after(() => context.close());
        const [name = "", value = ""] = user.cookies().split("=");
        await context.addCookies([{ name, value, url: kith().baseUrl }]);
        const page = await context.newPage();
        await page.goto(`${kith().baseUrl}/home`);
        await page.getByLabel("What is on your mind?").fill("From a phone");
        await page.getByRole("button", { name: "More…" }).click();
        await page.getByRole("heading", { name: "Write" }).waitFor();
        await checkLayout(page);
        await page.getByRole("radio", { name: "Only me" }).check();
        await page.getByRole("button", { name: "Check who sees it" }).click();
        await page.getByText("Nobody sees it but you").waitFor();
        await checkLayout(page);
        await page.getByRole("button", { name: "Publish to me only" }).click();
        await page.waitForURL("**/home");
        await page.getByText("From a phone").waitFor();
      });
  });
});

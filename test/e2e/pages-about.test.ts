import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audience } from "../../packages/server/src/features/audiences/index.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type Kith = { after(done: () => Promise<void>): void };

forEachDatabase((database) => {
  const start = async (t: Kith) => {
    const kith = await startPagesServer({ database });
    t.after(() => kith.close());
    const ada = await newUser(kith.baseUrl, "ada");
    await kith.administration.setRole(null, { username: "ada" }, "admin");
    const save = (fields: Record<string, string>) =>
      ada.post("/admin/server/save", {
        ...{ csrf_token: ada.csrf_token, registration: "open", ...fields },
      });
    return { kith, ada, save, guest: visitor(kith.baseUrl) };
  };
  const authorOf = async (kith: PagesServer, username: string) => {
    const handle = `${username}@${kith.host}`;
    const person = (await kith.people.find({ handle })) ?? assert.fail();
    return { personId: person.id, userId: person.userId ?? assert.fail() };
  };

  test("a server says who runs it, its terms, and what it keeps", async (t) => {
    const { ada, save, guest, kith } = await start(t);
    assert.equal((await guest.get("/about/terms")).status, 404);
    assert.equal((await guest.get("/.well-known/security.txt")).status, 404);
    assert.doesNotMatch((await guest.get("/users/sign_up")).text, /you agree/);
    const saved = await save({
      ...{ name: "Mill", rules: "- Be kind.", contact: "@Ada" },
      ...{ terms: "Be *fair*.", privacy: "We keep **little**." },
      ...{
        joining: "Say hello <b>first</b>.",
        contact_mail: "ada@mill.example",
      },
    });
    assert.equal(saved.status, 302);
    const about = (await guest.get("/about")).text;
    for (const shown of [
      /<li>Be kind\.<\/li>/,
      /href="\/u\/ada"/,
      /href="mailto:ada@mill\.example"/,
      /href="\/about\/terms"/,
      /1 person has an account here/,
    ])
      assert.match(about, shown);
    assert.match((await guest.get("/about/terms")).text, /Be <em>fair<\/em>/);
    const privacy = (await guest.get("/about/privacy")).text;
    assert.match(privacy, /<strong>little<\/strong>[^]*signed in for 30 days/);
    const form = (await guest.get("/users/sign_up")).text;
    assert.match(form, /Say hello &lt;b&gt;first&lt;\/b&gt;\./);
    assert.match(form, /you agree to the\s*<a href="\/about\/terms"/);
    const landing = (await guest.get("/")).text;
    assert.match(landing, /Be kind[^]*href="\/u\/ada"/);
    const shown = (await ada.get("/admin/server")).text;
    assert.match(shown, /name="contact"[^>]*value="ada"/);
    const api = await fetch(`${kith.baseUrl}/api/v2/instance`);
    const { contact, configuration, registrations } = (await api.json()) as {
      contact: { email: string; account: { username: string } };
      configuration: { urls: { terms_of_service: string } };
      registrations: { message: string };
    };
    assert.equal(contact.email, "ada@mill.example");
    assert.equal(contact.account.username, "ada");
    assert.equal(
      configuration.urls.terms_of_service,
      `${kith.baseUrl}/about/terms`,
    );
    assert.match(registrations.message, /Say hello/);
  });

  test("security.txt names the contact, and the end of its validity", async (t) => {
    const { save, guest } = await start(t);
    await save({ contact_mail: "security@mill.example" });
    const { text, headers } = await guest.get("/.well-known/security.txt");
    assert.match(headers.get("content-type") ?? "", /^text\/plain/);
    assert.match(text, /^Contact: mailto:security@mill\.example$/m);
    const [, expires = ""] = /^Expires: (\S+)$/m.exec(text) ?? [];
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    assert.ok(days > 170 && days < 366, expires);
    const password = await guest.get("/.well-known/change-password");
    assert.equal(password.headers.get("location"), "/settings/account");
  });

  test("a wrong contact, address or length changes nothing, and is kept in the form", async (t) => {
    const { save, guest } = await start(t);
    for (const wrong of [
      { contact: "nobody" },
      { contact: "x".repeat(31) },
      { contact_mail: "no address" },
      { contact_mail: "a@b\r\nBcc: c@d.example" },
      { joining: "x".repeat(2_001) },
      { terms: "x".repeat(20_001) },
      { privacy: "x".repeat(20_001) },
    ]) {
      const name = Object.keys(wrong).join();
      const refused = await save({ name: "Kept", ...wrong });
      assert.equal(refused.status, 422, name);
      assert.match(refused.text, /value="Kept"/, name);
      assert.match(refused.text, /Nothing was saved/, name);
    }
    assert.doesNotMatch((await guest.get("/about")).text, /Kept/);
  });

  test("an account that is closed or suspended is no contact any more", async (t) => {
    const { save, guest, kith } = await start(t);
    await newUser(kith.baseUrl, "bea");
    await save({ contact: "bea" });
    assert.match((await guest.get("/about")).text, /href="\/u\/bea"/);
    const { personId } = await authorOf(kith, "bea");
    await kith.suspensions.decide({ by: null, personId, decision: "suspend" });
    assert.doesNotMatch((await guest.get("/about")).text, /href="\/u\/bea"/);
  });

  test("visitors see the newest public posts of people here, and no others", async (t) => {
    const { guest, kith, ada } = await start(t);
    const author = await authorOf(kith, "ada");
    const family = await kith.aspects.create(author.userId, "Family");
    const publish = (text: string, audience: Audience) =>
      kith.posts.publish({ author, text, audience });
    await publish("For the family", {
      ...{ kind: "aspects", aspectIds: [family.id] },
    });
    await publish("In no list", { kind: "unlisted" });
    await publish("For myself", { kind: "self" });
    await publish("Older", { kind: "everyone" });
    await publish("For <everyone>", { kind: "everyone" });
    await newUser(kith.baseUrl, "bea");
    const bea = await authorOf(kith, "bea");
    const gone = await kith.posts.publish({
      ...{ author: bea, text: "Gone soon", audience: { kind: "everyone" } },
    });
    await newUser(kith.baseUrl, "cid");
    const cid = await authorOf(kith, "cid");
    await kith.posts.publish({
      ...{ author: cid, text: "Loud", audience: { kind: "everyone" } },
    });
    const { personId } = cid;
    await kith.suspensions.decide({ by: null, personId, decision: "silence" });
    const seen = (await guest.get("/")).text;
    assert.match(seen, /Gone soon[^]*For &lt;everyone&gt;/);
    // One of each, so that nobody fills the page.
    const others = /Older|For the family|In no list|For myself|Loud|\/like"/;
    assert.doesNotMatch(seen, others);
    await kith.posts.deleteOrHide(bea, gone.guid);
    assert.doesNotMatch((await guest.get("/")).text, /Gone soon/);
    assert.doesNotMatch((await ada.get("/")).text, /Newest public posts/);
  });
});

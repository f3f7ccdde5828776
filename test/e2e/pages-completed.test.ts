import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

let kith: PagesServer;

const FILE = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//EN
BEGIN:VEVENT
UID:a@test
DTSTAMP:20270101T000000Z
DTSTART:20270612T140000Z
DTEND:20270612T150000Z
SUMMARY:Repair café
END:VEVENT
END:VCALENDAR
`.replaceAll("\n", "\r\n");

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  async function write(
    by: Awaited<ReturnType<typeof newUser>>,
    fields: Record<string, string>,
  ): Promise<string> {
    const { csrf_token } = by;
    const done = await by.post("/home", {
      csrf_token,
      audience: "everyone",
      ...fields,
    });
    assert.equal(done.status, 302);
    const { text } = await by.get(`/u/${by.username}`);
    return /\/posts\/[0-9a-f]{32}/.exec(text)?.[0] ?? assert.fail();
  }

  async function authorOf(username: string) {
    const handle = `${username}@${kith.host}`;
    const person = (await kith.people.find({ handle })) ?? assert.fail();
    return { personId: person.id, userId: person.userId ?? assert.fail() };
  }

  test("the tab of this server shows public posts from here alone", async () => {
    const ann = await newUser(kith.baseUrl, "ann");
    const eve = await newUser(kith.baseUrl, "eve");
    await write(ann, { text: "For everyone" });
    await write(ann, { text: "For me", audience: "self" });
    await write(ann, { text: "Off the lists", audience: "unlisted" });
    const page = await eve.get("/home?show=here");
    assert.match(page.text, /For everyone/);
    assert.doesNotMatch(page.text, /For me|Off the lists/);
    assert.match(page.text, /href="\/home\?show=here"\s+aria-current="page"/);
    const [, news = ""] =
      /data-part="(\/parts\/news\?[^"]+)"/.exec(page.text) ?? [];
    const path = news.replaceAll("&amp;", "&");
    assert.doesNotMatch((await eve.get(path)).text, /new post/);
    await write(ann, { text: "Another" });
    assert.match((await eve.get(path)).text, /1 new post</);
    assert.equal((await visitor(kith.baseUrl).get(path)).status, 401);
  });

  test("an empty home leads to the first steps", async () => {
    const new_one = await newUser(kith.baseUrl, "newcomer");
    assert.match((await new_one.get("/home")).text, /href="\/welcome"/);
  });

  test("a profile has replies, which hide posts that the reader may not see", async () => {
    const cleo = await newUser(kith.baseUrl, "cleo");
    const dan = await newUser(kith.baseUrl, "dan");
    const shown = await write(cleo, { text: "A question" });
    const { csrf_token } = cleo;
    await cleo.post(`${shown}/comments`, { csrf_token, text: "My answer" });
    const own = await write(cleo, { text: "A secret", audience: "self" });
    await cleo.post(`${own}/comments`, { csrf_token, text: "Hidden words" });
    const page = await dan.get("/u/cleo?show=replies");
    assert.match(page.text, /My answer/);
    assert.match(page.text, /In reply to a post by/);
    assert.match(page.text, /A question/);
    assert.doesNotMatch(page.text, /Hidden words|A secret/);
    assert.match((await cleo.get("/u/cleo?show=replies")).text, /Hidden words/);
    const guest = visitor(kith.baseUrl);
    assert.doesNotMatch(
      (await guest.get("/u/cleo?show=replies")).text,
      /Hidden words/,
    );
  });

  test("pages of replies go on by a key, and repeat nothing", async () => {
    const hal = await newUser(kith.baseUrl, "hal");
    const post = await write(hal, { text: "Number 0." });
    const { csrf_token } = hal;
    for (let n = 1; n <= 25; n += 1)
      await hal.post(`${post}/comments`, { csrf_token, text: `Number ${n}.` });
    const first = await hal.get("/u/hal?show=replies");
    const [, next = ""] =
      /href="([^"]+)"\s+rel="next"/.exec(first.text) ?? assert.fail();
    const second = await hal.get(next.replaceAll("&amp;", "&"));
    const numbersOn = ({ text }: { text: string }) =>
      [...text.matchAll(/Number (\d+)\./g)].map(([, n]) => Number(n));
    const all = [...numbersOn(first), ...numbersOn(second)];
    assert.deepEqual(
      all,
      Array.from({ length: 26 }, (_, n) => 25 - n),
    );
    const [, back = ""] =
      /href="([^"]+)"\s+rel="prev"/.exec(second.text) ?? assert.fail();
    const again = await hal.get(back.replaceAll("&amp;", "&"));
    assert.deepEqual(numbersOn(again), numbersOn(first));
  });

  test("the details of a profile are shown to those whom they are for", async () => {
    const flo = await newUser(kith.baseUrl, "flo");
    const person = await kith.people.find({ handle: `flo@${kith.host}` });
    const { id } = person ?? assert.fail();
    await kith.people.changeProfile(id, {
      ...{ location: "Ghent", birthday: "1004-06-05" },
    });
    const guest = visitor(kith.baseUrl);
    const own = await flo.get("/u/flo?show=about");
    assert.match(own.text, /Ghent/);
    assert.match(own.text, /5 June|June 5/);
    assert.doesNotMatch(own.text, /1004/);
    assert.doesNotMatch((await guest.get("/u/flo?show=about")).text, /Ghent/);
  });

  test("a post is deleted and written again with its words, poll and audience", async () => {
    const gil = await newUser(kith.baseUrl, "gil");
    const post = await write(gil, {
      ...{ text: "Wiht a slip", warning: "Slips", audience: "unlisted" },
      ...{ question: "Which?", answers: "One\nTwo" },
    });
    const { csrf_token } = gil;
    assert.match((await gil.get(`${post}/delete`)).text, /write again/);
    const done = await gil.post(`${post}/delete`, {
      ...{ csrf_token, redraft: "true" },
    });
    const to = done.headers.get("location") ?? "";
    assert.match(to, /^\/write\?draft=\d+$/);
    assert.equal((await gil.get(post)).status, 404);
    const form = await gil.get(to);
    assert.match(form.text, /Wiht a slip/);
    assert.match(form.text, /value="Slips"/);
    assert.match(form.text, /value="Which\?"/);
    assert.match(form.text, /value="unlisted"\s+required\s+checked/);
    const eve = await newUser(kith.baseUrl, "thief");
    assert.equal((await eve.get(to)).status, 404);
  });

  test("a post is written again with its pictures, its quote and its event", async () => {
    const kim = await newUser(kith.baseUrl, "kim");
    const author = await authorOf("kim");
    const quoted = await kith.posts.publish({
      ...{ author, text: "Quoted", audience: { kind: "everyone" } },
    });
    const bytes = await sharp({
      create: { width: 40, height: 30, channels: 3, background: "#208040" },
    })
      .png()
      .toBuffer();
    const photo = await kith.photos.upload({
      ...{ owner: author, bytes, text: "A green field" },
    });
    const event = await kith.events.create({
      ...{ owner: author, summary: "Picnic", timeZone: "Europe/Berlin" },
      ...{ audience: { kind: "everyone" }, announce: true },
      ...{ start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
    });
    const content = {
      ...{ text: "With everything", audience: { kind: "everyone" } as const },
      ...{ photoIds: [photo.id], eventId: event.id, quoteId: quoted.id },
      ...{ nsfw: false, warning: null, language: null, poll: null },
      location: { address: "The mill", lat: "52.5", lng: "13.4" },
    };
    const saved = await kith.drafts.save(author, { content, publishAt: null });
    const post = await kith.drafts.publish(author, saved.id);
    const { csrf_token } = kim;
    const done = await kim.post(`/posts/${post.guid}/delete`, {
      ...{ csrf_token, redraft: "true" },
    });
    const form = await kim.get(done.headers.get("location") ?? "");
    for (const filled of ["A green field", "The mill", "52.5", "13.4"])
      assert.ok(form.text.includes(`value="${filled}"`), filled);
    const again = {
      ...hiddenFields(form, "/write"),
      ...{ text: "With everything", audience: "everyone", act: "publish" },
      described: "A green field",
      ...{ place: "The mill", lat: "52.5", lng: "13.4" },
    };
    assert.equal((await kim.post("/write", again)).status, 302);
    const home = (await kim.get("/home")).text;
    const [shown = ""] = home.split("With everything").slice(1);
    for (const part of [/alt="A green field"/, /Quoted/, /Picnic/, /The mill/])
      assert.match(shown, part);
    assert.equal((await kim.get(`/posts/${post.guid}`)).status, 404);
  });

  test("without room for a draft nothing is deleted", async () => {
    const ida = await newUser(kith.baseUrl, "ida");
    const post = await write(ida, { text: "Precious" });
    const { csrf_token } = ida;
    for (let n = 0; n < 100; n += 1)
      await ida.post("/write", {
        ...{ csrf_token, text: `Draft ${n}`, audience: "self", act: "save" },
      });
    const refused = await ida.post(`${post}/delete`, {
      ...{ csrf_token, redraft: "true" },
    });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Nothing was deleted/);
    assert.equal((await ida.get(post)).status, 200);
  });

  test("calendars are made, renamed, filled from a file, subscribed to and deleted", async () => {
    const jo = await newUser(kith.baseUrl, "jo");
    const { csrf_token } = jo;
    const at = "/settings/calendars";
    await jo.post(`${at}/create`, { csrf_token, name: "Home" });
    const [, id = ""] =
      /settings\/calendars\/(\d+)\/change/.exec((await jo.get(at)).text) ?? [];
    await jo.post(`${at}/${id}/change`, { csrf_token, name: "Garden" });
    const form = new FormData();
    form.append("csrf_token", csrf_token);
    form.append("file", new Blob([FILE]), "events.ics");
    const imported = await fetch(`${kith.baseUrl}${at}/${id}/import`, {
      ...{ method: "POST", body: form },
      headers: { cookie: jo.cookies(), accept: "text/html" },
    });
    assert.match(await imported.text(), /1 added, 0 updated, 0 there already/);
    assert.match((await jo.get("/calendar?month=2027-06")).text, /Repair café/);
    await jo.post(`${at}/${id}/secret`, { csrf_token });
    const shown = await jo.get(at);
    assert.match(shown.text, /Garden/);
    const [secret = ""] =
      /\/calendars\/[0-9a-f]+\/[\w-]+\.ics/.exec(shown.text) ?? [];
    const guest = visitor(kith.baseUrl);
    assert.match((await guest.get(secret)).text, /Repair café/);
    const thief = await newUser(kith.baseUrl, "stranger");
    for (const act of ["change", "color", "secret", "secret/end"])
      assert.equal(
        (
          await thief.post(`${at}/${id}/${act}`, {
            ...{ csrf_token: thief.csrf_token, name: "Mine" },
          })
        ).status,
        404,
        act,
      );
    assert.equal((await thief.get(`${at}/${id}/delete`)).status, 404);
    await jo.post(`${at}/${id}/secret/end`, { csrf_token });
    assert.equal((await guest.get(secret)).status, 404);
    const none = await jo.post(`${at}/${id}/import`, { csrf_token });
    assert.equal(none.status, 422);
    await jo.post(`${at}/${id}/delete`, { csrf_token });
    assert.match((await jo.get(at)).text, /no calendars yet/);
  });

  test("an event of several whole days is made, shown and changed", async () => {
    const kai = await newUser(kith.baseUrl, "kai");
    const { csrf_token } = kai;
    const fields = {
      ...{ csrf_token, summary: "Holidays", all_day: "true" },
      ...{ audience: "self", time_zone: "Europe/Berlin" },
    };
    const days = { start_day: "2027-07-01", end_day: "2027-07-03" };
    const made = await kai.post("/events/new", { ...fields, ...days });
    const path = made.headers.get("location") ?? "";
    assert.match((await kai.get(path)).text, /July 1\s*–\s*Sat.*3|1.*–.*3/);
    const form = await kai.get(`${path}/edit`);
    assert.match(form.text, /name="end_day"[^>]*value="2027-07-03"/);
    const wrong = { ...fields, ...days, end_day: "2027-06-30" };
    assert.equal((await kai.post(`${path}/edit`, wrong)).status, 422);
    const longer = { ...fields, ...days, end_day: "2027-07-05" };
    await kai.post(`${path}/edit`, longer);
    assert.match(
      (await kai.get(`${path}/edit`)).text,
      /name="end_day"[^>]*value="2027-07-05"/,
    );
    await kai.post(`${path}/edit`, { ...fields, ...days, end_day: "" });
    assert.match(
      (await kai.get(`${path}/edit`)).text,
      /name="end_day"[^>]*value=""/,
    );
  });
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";
import { tinyPng } from "../conformance/tiny-png.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const newName = () => `painter${(names += 1)}`;

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = () => newUser(kith.baseUrl, newName());
  const publish = async (
    by: User,
    picture: string,
    more: Record<string, string> = {},
  ) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      ...{ csrf_token: by.csrf_token, text: `With ${picture}` },
      ...{ audience: "everyone", photo_text: picture, ...more },
    }))
      form.append(name, value);
    form.append("photo", new Blob([Uint8Array.from(tinyPng())]), "a.png");
    const done = await fetch(`${kith.baseUrl}/home`, {
      ...{ method: "POST", body: form, redirect: "manual" },
      headers: { cookie: by.cookies(), accept: "text/html" },
    });
    assert.equal(done.status, 302);
  };
  const pathOf = async (by: User) =>
    /\/photos\/[0-9a-f]{32}/.exec((await by.get("/photos")).text)?.[0] ??
    assert.fail("no picture");

  test("one's own pictures are listed, described and deleted", async () => {
    const [ann, ben] = [await meet(), await meet()];
    assert.match((await ann.get("/photos")).text, /no pictures yet/);
    await publish(ann, "A red barn");
    assert.match((await ann.get("/photos")).text, /alt="A red barn"/);
    assert.doesNotMatch((await ben.get("/photos")).text, /barn/);
    const path = await pathOf(ann);
    const { csrf_token } = ann;
    const send = (text: string) => ann.post(path, { csrf_token, text });
    const long = await send("x".repeat(70_000));
    assert.ok([413, 422].includes(long.status), String(long.status));
    assert.equal((await send("A blue barn")).status, 302);
    assert.match((await ann.get(path)).text, /A blue barn/);
    for (const answer of [
      await ben.get(path),
      await ben.post(path, { csrf_token: ben.csrf_token, text: "Mine" }),
      await ben.post(`${path}/delete`, { csrf_token: ben.csrf_token }),
      await ann.get("/photos/none"),
    ])
      assert.equal(answer.status, 404);
    assert.equal((await ann.post(`${path}/delete`, {})).status, 403);
    await ann.post(`${path}/delete`, { csrf_token });
    assert.match((await ann.get("/photos")).text, /no pictures yet/);
    const nobody = await visitor(kith.baseUrl).get("/photos");
    assert.equal(nobody.status, 302);
  });

  test("a profile has tabs for pictures and events, and hides warned pictures", async () => {
    const ann = await meet();
    const path = `/u/${ann.username}`;
    const guest = visitor(kith.baseUrl);
    const shown = async (tab: string) =>
      (await guest.get(`${path}?show=${tab}`)).text;
    assert.match(await shown("pictures"), /No pictures/);
    assert.match(await shown("events"), /No coming events/);
    await publish(ann, "Open to all");
    await publish(ann, "Behind a warning", { warning: "Spiders" });
    await publish(ann, "Not for you", { audience: "self" });
    const pictures = await shown("pictures");
    assert.match(pictures, /alt="Open to all"/);
    assert.doesNotMatch(pictures, /Behind a warning|Not for you/);
    const own = await ann.get(`${path}?show=pictures`);
    assert.match(own.text, /Not for you/);
    const handle = `${ann.username}@${kith.host}`;
    const person = (await kith.people.find({ handle })) ?? assert.fail();
    const owner = {
      personId: person.id,
      userId: person.userId ?? assert.fail(),
    };
    for (const [summary, announce] of [
      ["Open day", true],
      ["Dentist", false],
    ] as const)
      await kith.events.create({
        ...{ owner, summary, announce, allDay: true, start: "2127-03-04" },
      });
    const events = await shown("events");
    assert.match(events, /Open day/);
    assert.doesNotMatch(events, /Dentist/);
  });
});

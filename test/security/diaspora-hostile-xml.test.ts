import assert from "node:assert/strict";
import { test } from "node:test";
import { buildEntity } from "@kith/diaspora";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import { besiege } from "../support/hostile.ts";

const LAUGHS = [
  '<!ENTITY a0 "lol">',
  ...Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`,
  ),
].join("");

const DOCTYPES = {
  "an entity bomb": `<!DOCTYPE x [${LAUGHS}]>`,
  "a harmless one": "<!DOCTYPE status_message>",
  "an external entity":
    '<!DOCTYPE x [<!ENTITY a9 SYSTEM "file:///etc/passwd">]>',
  "an external one": '<!DOCTYPE x SYSTEM "http://localhost:9/x.dtd">',
};

forEachDatabase((kind) => {
  const { kith, ann, knownPerson, newPerson, unharmed, pod } = besiege(kind);

  /** Its post, with something before its XML and in its text. */
  const postWith = (by: PodPerson, before: string, text: string) =>
    before + buildEntity(podPost(by, { text: "MARK" })).replace("MARK", text);
  const bothWays = async (by: PodPerson, payload: string) => {
    await by.deliver(kith(), payload);
    await by.whisper(kith(), payload, ann());
  };

  for (const [name, doctype] of Object.entries(DOCTYPES))
    test(`DOCTYPE in the payload: ${name}`, async () => {
      const bob = await knownPerson();
      await unharmed(() => bothWays(bob, postWith(bob, doctype, "&a9;")));
      await unharmed(() => bothWays(bob, postWith(bob, doctype, "plain")));
    });

  for (const [name, doctype] of Object.entries(DOCTYPES))
    test(`DOCTYPE in the envelope: ${name}`, async () => {
      const bob = await knownPerson();
      const envelope = await bob.seal(podPost(bob));
      const body = envelope.replace("<me:env", `${doctype}<me:env`);
      assert.notEqual(body, envelope);
      await unharmed(async () => {
        assert.equal(await postTo(kith(), "/receive/public", body), 202);
      });
    });

  test("DOCTYPE with an entity bomb in an hCard expands to nothing", async () => {
    const eve = newPerson();
    const { guid } = eve;
    const card = eve.hcard().replace(/<!DOCTYPE[^>]*>/i, "");
    const bomb = `<!DOCTYPE html [${LAUGHS}]>${card}`;
    pod().put(
      `/hcard/users/${guid}`,
      bomb.replaceAll(`>${eve.name}<`, ">&a9;<"),
      "text/html",
    );
    await eve.deliver(kith(), podPost(eve));
    const found = await kith().server.features.people.find({
      handle: eve.handle,
    });
    const { firstName = "", fullName = "" } = found?.profile ?? {};
    assert.ok(firstName.length <= 32 && fullName.length <= 70);
    assert.doesNotMatch(firstName + fullName, /lol/);
    assert.equal((await ann().call("GET", "/posts")).status, 200);
  });

  test("an undeclared entity is refused", async () => {
    const bob = await knownPerson();
    await unharmed(() => bothWays(bob, postWith(bob, "", "&bomb;")));
  });

  test("deep nesting in the payload", async () => {
    const bob = await knownPerson();
    for (const depth of [9, 100_000]) {
      const deep = "<a>".repeat(depth) + "</a>".repeat(depth);
      await unharmed(() => bothWays(bob, postWith(bob, "", deep)));
    }
  });

  test("deep nesting in the envelope", async () => {
    const bob = await knownPerson();
    const envelope = await bob.seal(podPost(bob));
    const deep = "<a>".repeat(100_000) + "</a>".repeat(100_000);
    const body = envelope.replace("</me:env>", `${deep}</me:env>`);
    await unharmed(async () => {
      assert.equal(await postTo(kith(), "/receive/public", body), 202);
    });
  });

  test("huge element counts", async () => {
    const bob = await knownPerson();
    const xml = buildEntity(podPost(bob));
    const more = (count: number) =>
      xml.replace("<text>", `${"<x/>".repeat(count)}<text>`);
    await unharmed(() => bothWays(bob, more(2001)));
    await unharmed(() => bothWays(bob, more(100_000)));
    const envelope = await bob.seal(podPost(bob));
    const body = envelope.replace(
      "</me:env>",
      `${"<x/>".repeat(100_000)}</me:env>`,
    );
    await unharmed(() => postTo(kith(), "/receive/public", body));
  });

  test("huge attribute counts", async () => {
    const bob = await knownPerson();
    const attributes = Array.from({ length: 100_000 }, (_, i) => `a${i}=""`);
    const xml = buildEntity(podPost(bob)).replace(
      "<text>",
      `<text ${attributes.join(" ")}>`,
    );
    await unharmed(() => bothWays(bob, xml));
  });

  test("an honest post is accepted all the same", async () => {
    const bob = await knownPerson();
    const post = podPost(bob);
    await bob.deliver(kith(), post);
    const { posts } = kith().server.features;
    assert.ok(await posts.find({ guid: post.guid }));
  });
});

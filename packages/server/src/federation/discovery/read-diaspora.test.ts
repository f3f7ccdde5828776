import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { suite, test } from "node:test";
import { buildHcard, buildWebfinger, webfingerLinks } from "@kith/diaspora";
import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import { fetchDiasporaPart } from "./read-diaspora.ts";

const BASE = "https://hub.example/";
const GUID = "channel-guid-of-alice.hubexample";
const PEM = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const card = buildHcard({
  guid: GUID,
  nickname: "alice",
  fullName: "Alice Smith",
  firstName: "Alice",
  lastName: "Smith",
  publicKeyPem: PEM,
  searchable: true,
  imageUrl: `${BASE}l.png`,
  imageUrlMedium: `${BASE}m.png`,
  imageUrlSmall: `${BASE}s.png`,
  baseUrl: BASE,
});

/** A network on which there is one card. */
function fetchOf(html: string): GuardedFetch {
  return {
    request: async ({ url }) => ({
      status: url === `${BASE}hcard/users/${GUID}` ? 200 : 404,
      headers: {},
      body: Buffer.from(html),
      url,
    }),
    close: async () => {},
  };
}

const read = (html: string, more: { rel: string; href: string }[] = []) => {
  const links = webfingerLinks({
    guid: GUID,
    baseUrl: BASE,
    username: "alice",
  });
  return fetchDiasporaPart(fetchOf(html), {
    subject: { name: "alice", host: "hub.example" },
    actorUri: undefined,
    json: buildWebfinger({
      handle: "alice@hub.example",
      aliases: [],
      links: [...links, ...more],
    }),
  });
};

suite("what the hCard lacks, WebFinger may say", () => {
  // Hubzilla's hCard has neither (protocol section 3.2).
  const bare = card.replace('class="uid"', "").replace('class="key"', "");
  const guid = { rel: "http://joindiaspora.com/guid", href: GUID };
  const key = {
    rel: "diaspora-public-key",
    href: Buffer.from(PEM).toString("base64"),
  };

  test("a whole card needs nothing else, and counts before the links", async () => {
    const other = { ...guid, href: "another-guid-of-somebody" };
    const found = await read(card, [other]);
    assert.equal(found.guid, GUID);
    assert.equal(found.publicKeyPem, PEM);
    assert.equal(found.profile.firstName, "Alice");
    assert.equal(found.addresses.seedLocation, BASE);
  });

  test("Guid and key out of the links", async () => {
    const found = await read(bare, [guid, key]);
    assert.equal(found.guid, GUID);
    assert.equal(found.publicKeyPem, PEM);
  });

  test("with one of them missing in both, nobody is found", async () => {
    await assert.rejects(read(bare, [guid]), /key/);
    await assert.rejects(read(bare, [key]), /uid/);
  });
});

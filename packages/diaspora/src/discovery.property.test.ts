import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { guid, handle, name, url } from "../test/arbitrary-values.ts";
import { fault } from "../test/fault.ts";
import { person, privateKeyOf, publicKeyOf } from "../test/vectors.ts";
import { arbitraryEntities } from "../test/arbitrary-entities.ts";
import {
  buildEntity,
  buildEnvelope,
  buildHcard,
  buildPersonStream,
  buildWebfinger,
  fetchUrl,
  parseEntity,
  parseEnvelope,
  parseHcard,
  parsePersonStream,
  parseWebfinger,
  verifyEnvelope,
  webfingerLinks,
} from "./index.ts";

const publicKeyPem = person("alice").public_key_pem;
const origin = fc.constantFrom(
  "https://pod.example",
  "http://localhost:3000",
  "https://pod.example:8443",
);

/** HTML cannot represent carriage returns and NUL. */
const shown = (max: number) =>
  name(max)
    .map((text) => text.replaceAll("\r", ""))
    .filter((text) => text !== "");

test("any WebFinger document round-trips", () => {
  fc.assert(
    fc.property(handle, guid, origin, (who, own, baseUrl) => {
      const username = who.slice(0, who.indexOf("@"));
      const actor = `${baseUrl}/actor`;
      const json = buildWebfinger({
        handle: who,
        aliases: [actor],
        links: [
          ...webfingerLinks({ guid: own, baseUrl, username }),
          { rel: "self", type: "application/activity+json", href: actor },
        ],
      });
      assert.deepEqual(parseWebfinger(json, who), {
        handle: who,
        hcardUrl: `${baseUrl}/hcard/users/${own}`,
        seedLocation: `${baseUrl}/`,
        profileUrl: `${baseUrl}/u/${encodeURIComponent(username)}`,
        activityPubUri: actor,
      });
    }),
  );
  assert.throws(
    () => buildWebfinger({ handle: "Alice", aliases: [], links: [] }),
    fault("discovery", "invalid_property"),
  );
});

test("any hCard round-trips", () => {
  const card = fc.record(
    {
      guid,
      nickname: shown(32),
      fullName: shown(70),
      firstName: fc.oneof(fc.constant(""), shown(32)),
      lastName: fc.oneof(fc.constant(""), shown(32)),
      searchable: fc.boolean(),
      imageUrl: url,
      imageUrlMedium: url,
      imageUrlSmall: url,
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(card, origin, (values, baseUrl) => {
      const html = buildHcard({ ...values, publicKeyPem, baseUrl });
      assert.deepEqual(parseHcard(html), {
        ...values,
        publicKeyPem,
        podLocation: `${baseUrl}/`,
      });
    }),
  );
});

test("any stream round-trips", () => {
  const post = fc.record({ guid, authorGuid: guid, public: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(post, { maxLength: 5 }),
      fc.string(),
      (posts, text) => {
        const json = buildPersonStream(
          posts.map(({ guid: own, authorGuid, public: isPublic }, id) => ({
            id,
            guid: own,
            createdAt: "2020-02-01T12:34:56Z",
            public: isPublic,
            type: "StatusMessage",
            text,
            nsfw: false,
            author: {
              id: 1,
              guid: authorGuid,
              name: text,
              handle: "alice@pod.example",
              imageUrl: "",
              imageUrlMedium: "",
              imageUrlSmall: "",
            },
          })),
        );
        const read = parsePersonStream(json);
        assert.deepEqual(
          read,
          posts.map((one) => ({ ...one })),
        );
      },
    ),
  );
});

test("any served entity round-trips in its author's envelope", async () => {
  const key = publicKeyOf("alice");
  const privateKey = privateKeyOf("alice");
  for (const [type, arbitrary] of Object.entries(arbitraryEntities)) {
    const [entity] = fc.sample(arbitrary, { numRuns: 1, seed: 7 });
    assert.ok(entity);
    const payloadXml = buildEntity(entity);
    const sender = person("alice").handle;
    const served = await buildEnvelope({ payloadXml, sender, privateKey });
    const opened = await verifyEnvelope(parseEnvelope(served), key);
    assert.deepEqual(opened, { sender, payloadXml }, type);
    assert.equal(buildEntity(parseEntity(opened.payloadXml)), payloadXml);
  }
  const guidOfIt = "3a0808264e17aa0f65e7fbdb12ad452b";
  assert.equal(
    fetchUrl("https://pod.example/some/path", "status_message", guidOfIt),
    `https://pod.example/fetch/status_message/${guidOfIt}`,
  );
});

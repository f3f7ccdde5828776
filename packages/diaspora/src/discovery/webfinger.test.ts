import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { person, readFixture } from "../../test/vectors.ts";
import { DiasporaError } from "../errors.ts";
import { parseWebfinger, webfingerLinks } from "./webfinger.ts";

const HANDLE = "alice@pod-a.example";
const GUID = "3a0808264e17aa0f65e7fbdb12ad452b";

interface WebfingerCase {
  readonly file: string;
  readonly verdict: "accept" | "reject";
  readonly parsed?: {
    readonly hcard_url: string;
    readonly seed_url: string;
    readonly profile_url?: string;
  };
}

const { webfinger: cases } = JSON.parse(
  readFixture("discovery/cases.json"),
) as { webfinger: WebfingerCase[] };

function document(links: unknown[], subject: unknown = `acct:${HANDLE}`) {
  return JSON.stringify({ subject, links });
}

const hcard = {
  rel: "http://microformats.org/profile/hcard",
  href: `https://pod-a.example/hcard/users/${GUID}`,
};
const seed = {
  rel: "http://joindiaspora.com/seed_location",
  href: "https://pod-a.example:8443/some/path",
};

for (const { file, verdict, parsed } of cases) {
  test(`webfinger: ${file}`, () => {
    const json = readFixture(`discovery/${file}`);
    if (verdict === "reject") {
      assert.throws(
        () => parseWebfinger(json, HANDLE),
        (error) =>
          error instanceof DiasporaError && error.stage === "discovery",
      );
      return;
    }
    const found = parseWebfinger(json, HANDLE);
    assert.equal(found.handle, HANDLE);
    assert.equal(found.hcardUrl, parsed?.hcard_url);
    assert.equal(found.seedLocation, parsed?.seed_url);
    assert.equal(found.profileUrl, parsed?.profile_url);
  });
}

test("all cases are present", () => assert.equal(cases.length, 8));

test("the actor id is read if present", () => {
  const json = readFixture("discovery/webfinger.case-with-activitypub.json");
  const link = /"application\/activity\+json"[^}]*"href": *"([^"]+)"/.exec(
    json,
  );
  assert.ok(link);
  assert.equal(parseWebfinger(json, HANDLE).activityPubUri, link[1]);
});

test("a self link counts as an actor only with an ActivityPub type and a URL", () => {
  const self = (type: string | undefined, href: string) =>
    parseWebfinger(document([hcard, seed, { rel: "self", type, href }]), HANDLE)
      .activityPubUri;
  const actor = "https://pod-a.example/actor";
  const ld =
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
  assert.equal(self("application/activity+json", actor), actor);
  assert.equal(self(ld, actor), actor);
  assert.equal(self("text/html", actor), undefined);
  assert.equal(self(undefined, actor), undefined);
  assert.equal(self("application/activity+json", "javascript:x"), undefined);
});

test("the path of the seed location is dropped, the port is kept", () => {
  const found = parseWebfinger(document([seed, hcard]), HANDLE);
  assert.equal(found.seedLocation, "https://pod-a.example:8443/");
});

test("the subject may differ in case and prefix only", () => {
  const links = [hcard, seed];
  for (const subject of [HANDLE, "ACCT:Alice@POD-A.example"]) {
    const found = parseWebfinger(
      document(links, subject),
      " acct:ALICE@pod-a.example",
    );
    assert.equal(found.handle, HANDLE);
  }
  for (const subject of ["acct:bob@pod-a.example", null, 7]) {
    assert.throws(
      () => parseWebfinger(document(links, subject), HANDLE),
      fault("discovery", "subject_mismatch"),
    );
  }
  assert.throws(
    () => parseWebfinger(document(links, "acct:x"), "x"),
    fault("discovery", "subject_mismatch"),
  );
});

test("guid and key of Hubzilla are read if well-formed", () => {
  const pem = person("alice").public_key_pem;
  const links = (guid: string, key: string) =>
    document([
      hcard,
      seed,
      { rel: "http://joindiaspora.com/guid", href: guid },
      { rel: "diaspora-public-key", href: Buffer.from(key).toString("base64") },
    ]);
  const found = parseWebfinger(links(GUID, pem), HANDLE);
  assert.equal(found.guid, GUID);
  assert.equal(found.publicKeyPem, pem);
  const broken = parseWebfinger(links("short", "no key"), HANDLE);
  assert.ok(!("guid" in broken));
  assert.ok(!("publicKeyPem" in broken));
});

test("malformed documents and links are refused", () => {
  const codes: [string, string][] = [
    ["malformed_document", "null"],
    ["malformed_document", "nonsense"],
    ["incomplete_document", document([null, 1, { rel: 5 }, hcard])],
    ["invalid_property", document([hcard, { ...seed, href: "/" }])],
    ["invalid_property", document([seed, { ...hcard, href: "file:///etc" }])],
    ["too_large", " ".repeat(300_000)],
  ];
  for (const [code, json] of codes) {
    assert.throws(() => parseWebfinger(json, HANDLE), fault("discovery", code));
  }
});

test("our own links round-trip, and match those of a pod", () => {
  const links = webfingerLinks({
    guid: GUID,
    baseUrl: "https://pod-a.example",
    username: "alice",
  });
  const found = parseWebfinger(document(links), HANDLE);
  assert.equal(found.hcardUrl, hcard.href);
  assert.equal(found.seedLocation, "https://pod-a.example/");
  assert.equal(found.profileUrl, "https://pod-a.example/u/alice");
  const reference = JSON.parse(
    readFixture("discovery/webfinger.diaspora.json"),
  ) as { links: { rel: string }[] };
  assert.deepEqual(
    links,
    reference.links.filter(({ rel }) => !rel.includes("openid")),
  );
});

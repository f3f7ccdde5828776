import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isPublicAddress, readAudience } from "./audience.ts";
import {
  httpOriginOf,
  isHttpUrl,
  isSameHost,
  isSameOriginOrSubdomain,
  parseHttpUrl,
  sameOrigin,
} from "./urls.ts";

const ACTOR = "https://peer.example/users/bob";

describe("origins", () => {
  test("are normalized", () => {
    assert.ok(sameOrigin("https://A.example/x", "https://a.example:443/y#z"));
    assert.ok(
      sameOrigin("https://bücher.example/", "https://xn--bcher-kva.example/"),
    );
    assert.ok(!sameOrigin("https://a.example/", "http://a.example/"));
    assert.ok(!sameOrigin("https://a.example/", "https://a.example:8443/"));
    assert.ok(!sameOrigin("https://a.example/", "https://a.example.evil/"));
    assert.ok(
      !sameOrigin("https://a.example@evil.example/", "https://evil.example/"),
    );
    assert.ok(!sameOrigin("nonsense", "nonsense"));
    assert.ok(!sameOrigin("urn:a:b", "urn:a:b"));
    assert.ok(!sameOrigin("", ""));
  });

  test("subdomains are labels in front", () => {
    const base = "https://peer.example/";
    assert.ok(isSameOriginOrSubdomain("https://ap.peer.example/inbox", base));
    assert.ok(!isSameOriginOrSubdomain("https://evilpeer.example/", base));
    assert.ok(!isSameOriginOrSubdomain("http://ap.peer.example/", base));
    assert.ok(!isSameOriginOrSubdomain(base, "https://ap.peer.example/"));
  });

  test("other schemes and odd forms are refused", () => {
    for (const text of [
      "javascript:alert(1)",
      "data:,x",
      "//a.example",
      "/x",
      "https:a.example",
      "https://",
      "https://u:p@a.example/",
      `https://a.example/${"x".repeat(2048)}`,
    ]) {
      assert.equal(parseHttpUrl(text), undefined, text);
    }
  });
});

describe("origins without parsing the URL", () => {
  const host = fc.string({
    unit: fc.constantFrom(
      ..."aAx019.-:@_%\\[] \t\nß。",
      "xn--",
      "0x",
      "..",
      "p.q",
    ),
    maxLength: 12,
  });
  const rest = fc.string({
    unit: fc.constantFrom(..."/?#a:@%\\ \n\0é", "\ud800"),
    maxLength: 6,
  });
  const scheme = fc.constantFrom("http://", "https://", "HTTPS://", "http:/");

  test("agree with the parsed URL, including URLs without an origin", () => {
    fc.assert(
      fc.property(scheme, host, rest, (...parts) => {
        const text = parts.join("");
        assert.equal(httpOriginOf(text), parseHttpUrl(text)?.origin, text);
        assert.equal(isHttpUrl(text), parseHttpUrl(text) !== undefined, text);
      }),
      { numRuns: 20_000 },
    );
  });

  test("too long a URL has no origin, however plain its host", () => {
    const text = `https://a.example/${"x".repeat(2048)}`;
    assert.equal(httpOriginOf(text), undefined);
  });

  test("one host may have several ports and schemes", () => {
    assert.ok(isSameHost("http://a.example/x", "https://a.example:8443/y"));
    assert.ok(isSameHost("https://a.example/x", "https://a.example"));
    assert.ok(!isSameHost("https://a.example/x", "https://b.example/x"));
    assert.ok(!isSameHost("nonsense", "nonsense"));
  });
});

describe("audiences", () => {
  test("the public collection has three spellings", () => {
    assert.ok(isPublicAddress("as:Public"));
    assert.ok(isPublicAddress("Public"));
    assert.ok(isPublicAddress("https://www.w3.org/ns/activitystreams#Public"));
    assert.ok(!isPublicAddress("public"));
  });

  test("the author's followers count in either place, other collections do not", () => {
    const followers = `${ACTOR}/followers`;
    assert.equal(readAudience([], [followers], followers).scope, "followers");
    assert.equal(readAudience([followers], [], followers).scope, "followers");
    assert.equal(
      readAudience([followers], [], "https://x.example/f").scope,
      "direct",
    );
    assert.equal(readAudience([followers], []).scope, "direct");
    assert.deepEqual(
      readAudience(["a", "as:Public", "b"], ["a", followers], followers),
      {
        scope: "public",
        addressed: ["a", "b"],
      },
    );
  });
});

test("a host with a label longer than the limit is refused", () => {
  const label = "\u4e00".repeat(64);
  for (const url of [
    `https://${label}/`,
    `https://a.${label}.example:8443/x`,
    `https:///\\${label}/`,
    `https://\t/${label}?x`,
  ])
    assert.equal(isHttpUrl(url), false, url);
  const shorter = "\u4e00".repeat(20);
  assert.ok(isHttpUrl(`https://${shorter}.${shorter}.example/${label}`));
});

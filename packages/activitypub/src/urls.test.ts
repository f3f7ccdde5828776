import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isPublicAddress, readAudience } from "./audience.ts";
import { isSameOriginOrSubdomain, parseHttpUrl, sameOrigin } from "./urls.ts";

const ACTOR = "https://peer.example/users/bob";

describe("origins", () => {
  test("are normalised", () => {
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

  test("sub-domains are labels in front", () => {
    const base = "https://peer.example/";
    assert.ok(isSameOriginOrSubdomain("https://ap.peer.example/inbox", base));
    assert.ok(!isSameOriginOrSubdomain("https://evilpeer.example/", base));
    assert.ok(!isSameOriginOrSubdomain("http://ap.peer.example/", base));
    assert.ok(!isSameOriginOrSubdomain(base, "https://ap.peer.example/"));
  });

  test("other schemes and odd forms are no addresses", () => {
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

describe("audiences", () => {
  test("everybody has three spellings", () => {
    assert.ok(isPublicAddress("as:Public"));
    assert.ok(isPublicAddress("Public"));
    assert.ok(isPublicAddress("https://www.w3.org/ns/activitystreams#Public"));
    assert.ok(!isPublicAddress("public"));
  });

  test("followers count in either place, but only those of the author", () => {
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

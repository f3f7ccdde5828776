import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addParameters,
  isRedirectUri,
  OUT_OF_BAND,
  splitRedirectUris,
} from "./redirect-uris.ts";

test("apps are reached on the web, on the own machine, by a scheme, or not at all", () => {
  for (const uri of [
    ...["https://app.example", "https://app.example:8443/a?b=c&d", OUT_OF_BAND],
    ...["http://localhost/", "http://127.0.0.1:4000/x", "http://[::1]:1/"],
    ...["icecubesapp://", "oauth2redirect://com.keylesspalace.tusky/"],
    ...["com.example.app:/oauth", "myapp://host/path?x"],
  ])
    assert.ok(isRedirectUri(uri), uri);
  for (const uri of [
    ...["", "app", "//app.example/", "https:///x", "https:/app.example/x"],
    ...["http://app.example/", "http://127.0.0.1.evil.example/"],
    ...["https://a@b.example/", "https://@b.example/", "https://a:b@c.example"],
    ...[
      "javascript:alert(1)",
      "JAVASCRIPT://x/%0aalert(1)",
      "data:text/html,x",
    ],
    ...["https://app.example/#", "reader://#x", "reader:// x", "reader://x\n"],
    ...["https://app.example\\@evil.example", "reader://<x>", "urn:x:y"],
    ...["1app://x", "-app://x", "https://[::1", "https://%00/"],
  ])
    assert.ok(!isRedirectUri(uri), uri);
});

test("parameters are added to the text as it was registered", () => {
  const code = { code: "a b", state: undefined };
  for (const [uri, whole] of [
    ["reader://", "reader://?code=a%20b"],
    ["https://App.example", "https://App.example?code=a%20b"],
    ["https://app.example/?x=%2f", "https://app.example/?x=%2f&code=a%20b"],
    ["https://app.example/?", "https://app.example/?code=a%20b"],
    ["https://app.example/?x&", "https://app.example/?x&code=a%20b"],
  ] as const)
    assert.equal(addParameters(uri, code), whole);
});

test("the state of an app comes back as it was, and adds nothing else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (state) => {
      const whole = addParameters("https://app.example/cb", {
        ...{ code: "c", state: state.toWellFormed() },
      });
      const { host, searchParams, hash } = new URL(whole);
      assert.match(whole, /^[!-~]*$/);
      assert.deepEqual([host, hash], ["app.example", ""]);
      assert.equal(searchParams.get("state"), state.toWellFormed());
      assert.equal(searchParams.size, 2);
    }),
  );
});

test("a list is split at any white space, and holds each once", () => {
  assert.deepEqual(splitRedirectUris(" a:b\r\n c:d  a:b "), ["a:b", "c:d"]);
  assert.deepEqual(splitRedirectUris(["a:b c:d", "", "e:f"]), [
    ...["a:b", "c:d", "e:f"],
  ]);
});

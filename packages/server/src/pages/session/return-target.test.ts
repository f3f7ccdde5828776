import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readReturnTarget,
  refererTarget,
  signInPath,
} from "./return-target.ts";

test("a sign-in leads back to a page of this server, and to no other", () => {
  assert.equal(readReturnTarget("/report?post=1"), "/report?post=1");
  for (const to of [
    undefined,
    ...["", "stream", "https://evil.example/", "javascript:alert(1)"],
    ...["//evil.example", "/\\evil.example", "/\t/evil.example", "\\\\evil"],
    ...["/\n/evil.example", "/é", `/${"a".repeat(4000)}`],
  ])
    assert.equal(readReturnTarget(to), "/home", String(to));
});

test("the sign-in page gets the path to return to", () => {
  assert.equal(signInPath("/home"), "/users/sign_in");
  assert.equal(signInPath("/a?b=c&d"), "/users/sign_in?to=%2Fa%3Fb%3Dc%26d");
});

test("without a target, a sign-in leads back to the page that linked to it", () => {
  const base = "https://kith.example";
  const from = (referer: string | undefined) => refererTarget(referer, base);
  assert.equal(from(`${base}/posts/ab?x=1`), "/posts/ab?x=1");
  for (const other of [
    ...[undefined, "", base, `${base}/`, `${base}/?x`, `${base}/users/sign_up`],
    ...[
      `${base}/setup`,
      `${base}/mail/confirm?token=x`,
      `${base}//evil.example`,
    ],
    ...["https://evil.example/posts/ab", `${base}.evil.example/posts/ab`],
  ])
    assert.equal(from(other), "/home", String(other));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { pendingCookie, sessionCookie } from "./session-cookie.ts";

const SECRET = "s".repeat(43);

test("on https the cookie is bound to this host and to https", () => {
  const set = sessionCookie("https://kith.example").set(SECRET);
  assert.equal(
    set,
    `__Host-kith_session=${SECRET}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`,
  );
});

test("a sign-in that waits has another one, for ten minutes", () => {
  const cookie = pendingCookie("https://kith.example");
  assert.equal(
    cookie.set(SECRET),
    `__Host-kith_sign_in=${SECRET}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure`,
  );
  assert.equal(cookie.read(`__Host-kith_session=${SECRET}`), undefined);
});

test("on http it has neither, and two servers on one host do not share it", () => {
  const one = sessionCookie("http://localhost:3000");
  const two = sessionCookie("http://localhost:3001");
  assert.doesNotMatch(one.set(SECRET), /Secure|__Host-/);
  const header = one.set(SECRET).split(";")[0];
  assert.equal(one.read(header), SECRET);
  assert.equal(two.read(header), undefined);
});

test("the cookie is found among others, whatever they hold", () => {
  const { read } = sessionCookie("https://kith.example");
  const own = `__Host-kith_session=${SECRET}`;
  assert.equal(read(`a=b; c; =; ${own}; d="e;f"`), SECRET);
  assert.equal(read(`__Host-kith_session=; ${own}`), SECRET);
  assert.equal(read(undefined), undefined);
  assert.equal(read(`x__Host-kith_session=${SECRET}`), undefined);
});

test("a text without the form of a secret is none", () => {
  const { read } = sessionCookie("https://kith.example");
  for (const value of ["", "short", `${SECRET}\0`, "é".repeat(30)])
    assert.equal(read(`__Host-kith_session=${value}`), undefined);
});

test("clearing names the same cookie", () => {
  assert.match(
    sessionCookie("https://kith.example").clear(),
    /^__Host-kith_session=; Path=\/; Max-Age=0;/,
  );
});

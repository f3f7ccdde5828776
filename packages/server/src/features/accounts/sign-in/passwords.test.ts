import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasswords } from "./passwords.ts";

const { hash, verify } = createPasswords();

test("a password is known again, another one is not", async () => {
  const phc = await hash("correct horse");
  assert.equal(await verify(phc, "correct horse"), true);
  for (const wrong of ["", "correct", "Correct horse", "correct horse "])
    assert.equal(await verify(phc, wrong), false, wrong);
});

test("the hash names Argon2id and its parameters, and is salted", async () => {
  const [one, two] = [await hash("same"), await hash("same")];
  const form =
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
  assert.match(one, form);
  assert.notEqual(one, two);
});

test("a password is the same however its letters are composed", async () => {
  const phc = await hash("gr\u00fc\u00dfe");
  assert.equal(await verify(phc, "gru\u0308\u00dfe"), true);
});

test("a hash is checked with the parameters that it names", async () => {
  // RFC 9106 has no vector without a secret; this one is from another implementation.
  const phc =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  assert.equal(await verify(phc, "password"), true);
  assert.equal(await verify(phc, "passwords"), false);
});

test("a text that is no hash fits no password", async () => {
  for (const phc of ["", "x", "$2b$10$abc", "$argon2id$v=19$m=1,t=1,p=1$$"])
    assert.equal(await verify(phc, ""), false, phc);
  for (const password of ["", "x"])
    assert.equal(await verify(undefined, password), false);
});

test("a hash by bcrypt is checked, unless it would take too long", async () => {
  // From the test vectors of jBCrypt.
  const phc = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i";
  assert.equal(await verify(phc, "abc"), true);
  assert.equal(await verify(phc, "abcd"), false);
  const { isBorrowed } = createPasswords();
  assert.equal(isBorrowed(phc), true);
  assert.equal(isBorrowed(phc.replace("$06$", "$13$")), false);
  assert.equal(isBorrowed(await hash("correct horse")), false);
});

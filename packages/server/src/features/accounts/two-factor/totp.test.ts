import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  codeAt,
  describeKey,
  findStep,
  stepAt,
  toBase32,
  TOTP_SECRET_BYTES,
} from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890");
const at = (seconds: number) => new Date(seconds * 1000);

describe("a code of the time", () => {
  test("is that of RFC 6238, appendix B", () => {
    for (const [seconds, code] of [
      [59, "94287082"],
      [1111111109, "07081804"],
      [1111111111, "14050471"],
      [1234567890, "89005924"],
      [2000000000, "69279037"],
      [20000000000, "65353130"],
    ] as const)
      assert.equal(codeAt(SECRET, stepAt(at(seconds)), 8), code);
  });

  test("and that of RFC 4226, appendix D", () => {
    const codes =
      "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489";
    const made = Array.from({ length: 10 }, (_, step) => codeAt(SECRET, step));
    assert.equal(made.join(" "), codes);
    assert.equal(SECRET.length, TOTP_SECRET_BYTES);
  });

  test("counts in its own step and in those beside it", () => {
    const now = at(1_000_000_000);
    const step = stepAt(now);
    for (const [aside, isTaken] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const)
      assert.equal(
        findStep(SECRET, codeAt(SECRET, step + aside), now, 0),
        isTaken ? step + aside : undefined,
      );
    assert.equal(findStep(SECRET, codeAt(SECRET, 0), at(0), -1), 0);
  });

  test("counts once, and none before it any more", () => {
    const now = at(1_000_000_000);
    const step = stepAt(now);
    for (const [aside, after, isTaken] of [
      [0, step, false],
      [-1, step, false],
      [0, step + 1, false],
      [1, step, true],
      [0, step - 1, true],
    ] as const)
      assert.equal(
        findStep(SECRET, codeAt(SECRET, step + aside), now, after),
        isTaken ? step + aside : undefined,
      );
  });

  test("has six digits and nothing else", () => {
    const now = at(59);
    const code = codeAt(SECRET, stepAt(now));
    for (const wrong of ["", code.slice(1), `${code}0`, ` ${code}`, "١٢٣٤٥٦"])
      assert.equal(findStep(SECRET, wrong, now, 0), undefined, wrong);
  });
});

test("base32 is that of RFC 4648, without padding", () => {
  for (const [text, encoded] of [
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ] as const)
    assert.equal(toBase32(Buffer.from(text)), encoded);
});

test("an app gets the secret, its account and its issuer", () => {
  const { secret, uri } = describeKey(SECRET, "ann@kith.example:3000");
  assert.equal(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  const { protocol, host, pathname, searchParams } = new URL(uri);
  assert.deepEqual(
    [protocol, host, decodeURIComponent(pathname)],
    ["otpauth:", "totp", "/Kith:ann@kith.example:3000"],
  );
  assert.deepEqual(Object.fromEntries(searchParams), {
    secret,
    issuer: "Kith",
  });
});

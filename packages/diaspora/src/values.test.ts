import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isDate,
  isHttpUrl,
  isTimestamp,
  isUrlOrPath,
  isWithinLength,
  parseBoolean,
  parseInteger,
  parseTimestamp,
} from "./values.ts";

test("booleans are read in all the forms that peers use", () => {
  for (const text of ["true", "T", "yes", "Y", "1", "TRUE"])
    assert.equal(parseBoolean(text), true);
  for (const text of ["false", "F", "no", "N", "0"])
    assert.equal(parseBoolean(text), false);
  for (const text of ["", "maybe", " true", "2", "on"])
    assert.equal(parseBoolean(text), undefined);
});

test("integers are digits and nothing else", () => {
  assert.equal(parseInteger("0480"), 480);
  for (const text of ["", "-1", "1.5", "1e3", " 1", "99999999999999999999"]) {
    assert.equal(parseInteger(text), undefined);
  }
});

test("times are converted to UTC and whole seconds", () => {
  const same = "2020-02-01T12:34:56Z";
  for (const text of [
    same,
    "2020-02-01T12:34:56.999Z",
    "2020-02-01T14:34:56+02:00",
    "2020-02-01T09:04:56-0330",
    "2020-02-01 12:34:56 UTC",
    "2020-02-01 12:34:56 +0000",
    "2020-02-01 12:34:56",
    "2020-02-01t12:34:56z",
    " 2020-02-01T12:34:56Z\n",
    "2020-2-1 12:34:56",
    "Sat, 01 Feb 2020 12:34:56 +0000",
    "1 Feb 2020 12:34:56 GMT",
  ]) {
    assert.equal(parseTimestamp(text), same, text);
  }
  assert.equal(parseTimestamp("2020-02-01"), "2020-02-01T00:00:00Z");
  assert.equal(parseTimestamp("2020-02-01T12:34Z"), "2020-02-01T12:34:00Z");
  assert.equal(parseTimestamp("0050-01-01T00:00:00Z"), "0050-01-01T00:00:00Z");
  assert.equal(parseTimestamp("2019-12-31T23:59:60Z"), "2020-01-01T00:00:00Z");
});

test("invalid times are refused", () => {
  for (const text of [
    "",
    "not a time",
    "2020-02-30T00:00:00Z",
    "2020-13-01",
    "2020-01-01T24:00:00Z",
    "2020-01-01T00:60:00Z",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00+01:00",
    "12:34",
    "x".repeat(1000),
  ]) {
    assert.equal(parseTimestamp(text), undefined, text);
  }
});

test("parsing a time is independent of the server's time zone", () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "Pacific/Auckland";
  assert.equal(parseTimestamp("2020-02-01 12:34:56"), "2020-02-01T12:34:56Z");
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test("only the canonical form is a timestamp", () => {
  assert.ok(isTimestamp("2020-02-29T23:59:59Z"));
  for (const text of [
    "2020-02-29T23:59:59.000Z",
    "2020-02-29 23:59:59Z",
    "2021-02-29T00:00:00Z",
    "2020-02-29T23:59:60Z",
  ]) {
    assert.ok(!isTimestamp(text), text);
  }
});

test("dates are existing days, in any year", () => {
  for (const text of ["1988-07-15", "1004-02-29", "0001-01-01", "2000-02-29"])
    assert.ok(isDate(text), text);
  for (const text of [
    "1990-02-30",
    "1900-02-29",
    "1988-7-15",
    "1988-04-31",
    "1988-00-01",
    "1988-01-00",
    "",
  ]) {
    assert.ok(!isDate(text), text);
  }
});

test("lengths are counted in code points", () => {
  assert.ok(isWithinLength("😀".repeat(32), 32));
  assert.ok(!isWithinLength(`${"😀".repeat(32)}a`, 32));
  assert.ok(!isWithinLength("a".repeat(33), 32));
  assert.ok(!isWithinLength("a".repeat(100), 32));
});

test("URLs are http or https and absolute; a path is accepted where peers send one", () => {
  assert.ok(isHttpUrl("https://pod.example:8080/a?b#c"));
  for (const text of [
    "/a",
    "//pod.example/",
    "ftp://a.example/",
    "javascript:alert(1)",
    "https://",
    "https://a b/",
    "https://a.example/ b",
  ]) {
    assert.ok(!isHttpUrl(text), text);
  }
  assert.ok(isUrlOrPath("/assets/user/default.png"));
  assert.ok(!isUrlOrPath("assets/a.png"));
  assert.ok(!isUrlOrPath("/a b"));
});

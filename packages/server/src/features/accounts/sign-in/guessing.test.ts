import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KithError } from "../../../lib/errors.ts";
import { createLimits } from "../../../lib/limits/limits.ts";
import { createGuessing } from "./guessing.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function setUp() {
  let nowMs = 1_000_000;
  const clock = { now: () => new Date(nowMs) };
  const { begin, noteHome } = createGuessing(
    createLimits({ clock, factor: 1 }),
  );
  const isLetIn = (name: string, from: string, isRight = false): boolean => {
    try {
      const attempt = begin(name, from);
      if (isRight) attempt.succeed();
      return true;
    } catch (error) {
      assert.ok(error instanceof KithError);
      assert.equal(error.code, "too_many_requests");
      return false;
    }
  };
  /** Guesses until none of the last tries was let in. @returns how many were */
  const guess = (tries: number, name: string, from: (n: number) => string) => {
    let letIn = 0;
    for (let n = 0; n < tries; n += 1) if (isLetIn(name, from(n))) letIn += 1;
    return letIn;
  };
  return {
    isLetIn,
    guess,
    begin,
    noteHome,
    signIn: (name: string, from: string) => isLetIn(name, from, true),
    pass: (ms: number) => (nowMs += ms),
  };
}

describe("guessing a password", () => {
  test("from one address ends after 20 in a quarter of an hour, and 100 in a day", () => {
    const { guess, pass } = setUp();
    let letIn = 0;
    for (let quarter = 0; quarter < 90; quarter += 1) {
      const now = guess(200, "ann", () => "192.0.2.1");
      assert.ok(now <= 20, `${now} in one quarter of an hour`);
      letIn += now;
      pass(15 * MINUTE_MS);
    }
    assert.equal(letIn, 100);
  });

  test("at once is no more than one after another", () => {
    const { begin } = setUp();
    const begun = Array.from({ length: 20 }, () => begin("ann", "192.0.2.1"));
    assert.throws(() => begin("ann", "192.0.2.1"), KithError);
    begun[0]?.succeed();
    begin("ann", "192.0.2.1");
  });

  test("from many addresses is slowed down to one in two minutes", () => {
    const { guess, pass } = setUp();
    const spread = (n: number) => `2001:db8:0:${n.toString(16)}::/64`;
    assert.equal(guess(20_000, "ann", spread), 101);
    let letIn = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      pass(MINUTE_MS);
      letIn += guess(50, "ann", (n) => spread(n + minute * 50));
    }
    assert.ok(letIn > 0 && letIn <= 31, `${letIn} in an hour`);
  });

  test("of many names from one address ends after 300", () => {
    const { begin, isLetIn } = setUp();
    for (let n = 0; n < 300; n += 1) begin(`name${n}`, "192.0.2.1");
    assert.equal(isLetIn("another", "192.0.2.1"), false);
    assert.equal(isLetIn("another", "192.0.2.2"), true);
  });

  test("counts a name that nobody has, however it is written", () => {
    const { guess } = setUp();
    const from = () => "192.0.2.1";
    assert.equal(guess(10, "nobody", from), 10);
    assert.equal(guess(20, " NoBody ", from), 10);
    assert.equal(guess(30, "x".repeat(100_000), from), 20);
  });
});

describe("the owner", () => {
  const HOME = "198.51.100.7";

  test("gets in from home while strangers guess from everywhere, home included", () => {
    const { guess, signIn, begin, isLetIn } = setUp();
    assert.ok(signIn("ann", HOME));
    guess(2000, "ann", (n) => `10.0.${n >> 8}.${n & 255}`);
    assert.equal(isLetIn("ann", "203.0.113.1"), false, "A stranger is not");
    for (let n = 0; n < 300; n += 1) begin(`name${n}`, HOME);
    assert.equal(isLetIn("bob", HOME), false, "Home has had its share");
    for (let times = 0; times < 50; times += 1) assert.ok(signIn("ann", HOME));
  });

  test("is at home where it signed in last, eight places at most", () => {
    const { guess, signIn, isLetIn } = setUp();
    for (let n = 1; n <= 9; n += 1) signIn("ann", `198.51.100.${n}`);
    guess(200, "ann", (n) => `10.0.0.${n}`);
    assert.equal(isLetIn("ann", "198.51.100.1"), false);
    assert.equal(isLetIn("ann", "198.51.100.2"), true);
  });

  test("is at home where it chose the password", () => {
    const { begin, isLetIn, noteHome } = setUp();
    for (let n = 0; n < 300; n += 1) begin(`name${n}`, HOME);
    assert.equal(isLetIn("ann", HOME), false);
    noteHome("ann", HOME);
    assert.equal(isLetIn("ann", HOME), true);
  });

  test("starts afresh after the right password, and is not punished for it", () => {
    const { isLetIn, signIn } = setUp();
    for (let day = 0; day < 10; day += 1) {
      for (let n = 0; n < 9; n += 1) assert.ok(isLetIn("ann", HOME));
      assert.ok(signIn("ann", HOME));
    }
  });

  test("does not make home a place from where passwords can be guessed", () => {
    const { guess, signIn, pass } = setUp();
    signIn("ann", HOME);
    assert.equal(
      guess(100, "ann", () => HOME),
      20,
    );
    pass(HOUR_MS);
    assert.equal(
      guess(100, "ann", () => HOME),
      20,
    );
  });

  test("of a command is not counted", () => {
    const { begin } = setUp();
    for (let n = 0; n < 500; n += 1) begin("ann", undefined);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Input } from "./input.ts";

describe("parameters", () => {
  test("nest by brackets as forms and queries send them", () => {
    const input = Input.of({
      "poll[options][]": ["a", "b"],
      "poll[expires_in]": "300",
      "media_ids[]": "7",
      "fields_attributes[0][name]": "one",
      "fields_attributes[0][value]": "1",
      "fields_attributes[1][name]": "two",
      "keywords_attributes[][keyword]": ["x", "y"],
      "keywords_attributes[][whole_word]": ["true", "0"],
    });
    assert.deepEqual(input.record("poll")?.texts("options"), ["a", "b"]);
    assert.equal(input.record("poll")?.uint("expires_in"), 300);
    assert.deepEqual(input.ids("media_ids"), [7]);
    const names = input
      .records("fields_attributes")
      .map((it) => it.text("name"));
    assert.deepEqual(names, ["one", "two"]);
    const words = input
      .records("keywords_attributes")
      .map((it) => [it.text("keyword"), it.flag("whole_word")]);
    assert.deepEqual(words, [
      ["x", true],
      ["y", false],
    ]);
  });

  test("are the same as JSON", () => {
    const input = Input.of({
      poll: { options: ["a", "b"], expires_in: 300 },
      media_ids: ["7"],
      fields_attributes: { "0": { name: "one" }, "1": { name: "two" } },
      in_reply_to_id: null,
      sensitive: false,
    });
    assert.deepEqual(input.record("poll")?.texts("options"), ["a", "b"]);
    assert.equal(input.record("poll")?.uint("expires_in"), 300);
    assert.deepEqual(input.ids("media_ids"), [7]);
    assert.equal(input.records("fields_attributes").length, 2);
    assert.equal(input.id("in_reply_to_id"), undefined);
    assert.equal(input.flag("sensitive"), false);
  });

  test("one id alone is a list of one", () => {
    assert.deepEqual(Input.of({ id: "5" }).ids("id"), [5]);
    assert.deepEqual(Input.of({ "id[]": ["5", "6"] }).ids("id"), [5, 6]);
  });

  test("a blank text is no id and no number", () => {
    const input = Input.of({
      in_reply_to_id: "",
      limit: "",
      spoiler_text: " ",
    });
    assert.equal(input.id("in_reply_to_id"), undefined);
    assert.equal(input.uint("limit"), undefined);
    assert.equal(input.filled("spoiler_text"), undefined);
  });

  test("an id that is none names nothing", () => {
    assert.equal(Input.of({ id: "abc" }).id("id"), 0);
    assert.equal(Input.of({ id: "9".repeat(19) }).id("id"), 0);
  });

  test("names of prototypes are names", () => {
    const input = Input.of({ "__proto__[admin]": "1", "a[__proto__][b]": "1" });
    assert.equal(({} as Record<string, unknown>)["admin"], undefined);
    assert.equal(input.record("a")?.record("__proto__")?.text("b"), "1");
  });

  test("other kinds are refused", () => {
    const input = Input.of({ a: { b: 1 }, c: "maybe", d: "x", e: "a\0" });
    assert.throws(() => input.text("a"), /must be a text/);
    assert.throws(() => input.flag("c"), /must be true or false/);
    assert.throws(() => input.uint("d"), /must be a whole number/);
    assert.throws(() => input.text("e"), /must be a text/);
    const many = Input.of({ f: Array.from({ length: 201 }, () => "x") });
    assert.throws(() => many.texts("f"), /at most 200/);
  });
});

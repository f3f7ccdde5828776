import assert from "node:assert/strict";
import { test } from "node:test";
import { diasporaLinksIn, mentionsIn, tagsIn } from "./text.ts";

const GUID = "7eb7fff683eb62671769fdefce83b909";

test("mentions are found in both forms, each person once", () => {
  const text =
    "Hello @{Bob Brown; bob@pod-b.example} and @{carol@pod-c.example}, @{bob@pod-b.example}!";
  assert.deepEqual(mentionsIn(text), [
    { handle: "bob@pod-b.example", name: "Bob Brown" },
    { handle: "carol@pod-c.example" },
  ]);
});

test("a broken mention does not hide the next one", () => {
  assert.deepEqual(
    mentionsIn("@{no one @{bob@pod-b.example} @{} @{x} @{a b@c.example}"),
    [{ handle: "bob@pod-b.example" }],
  );
  assert.deepEqual(mentionsIn("@{Bob@Pod-B.example} @{carol@pod-c.example"), [
    { handle: "bob@pod-b.example" },
  ]);
});

test("tags follow a blank or start the text", () => {
  assert.deepEqual(
    tagsIn("#One two#no #three\n#four-five, (#no) #über_1 #<3 #ONE"),
    ["one", "three", "four-five", "über_1", "<3"],
  );
  assert.deepEqual(tagsIn("https://example.org/#no ## # #日本 #a.b"), [
    "日本",
    "a",
  ]);
});

test("bidirectional marks around a hash are ignored", () => {
  assert.deepEqual(tagsIn("\u200F#\u200Eשלום"), ["שלום"]);
});

test("a tag of more than 255 characters is ignored", () => {
  assert.deepEqual(tagsIn(`#${"a".repeat(256)} #${"b".repeat(255)}`), [
    "b".repeat(255),
  ]);
});

test("diaspora links are found, without a trailing full stop", () => {
  const link = `diaspora://alice@pod-a.example/post/${GUID}`;
  assert.deepEqual(
    diasporaLinksIn(
      `See ${link}. Or [this](web+${link}) or diaspora://bob@pod-b.example`,
    ),
    [{ author: "alice@pod-a.example", type: "post", guid: GUID }],
  );
  assert.deepEqual(
    diasporaLinksIn(`diaspora://Alice/post/${GUID} diaspora://a@b/post/short`),
    [],
  );
});

test("hostile texts of the greatest length take linear time", () => {
  const long = (unit: string) => unit.repeat(Math.floor(65535 / unit.length));
  const start = performance.now();
  for (const unit of [
    "@{",
    "@{a; ",
    "\u200F",
    "#",
    "# ",
    "#a",
    "diaspora://",
    "diaspora://a@b/post/",
    "@{a; b}",
  ]) {
    const text = long(unit);
    mentionsIn(text);
    tagsIn(text);
    diasporaLinksIn(text);
  }
  const elapsed = performance.now() - start;
  assert.ok(elapsed < 5000, `${elapsed} ms`);
});

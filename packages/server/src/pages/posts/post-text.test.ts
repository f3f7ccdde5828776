import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonId } from "../../features/ids.ts";
import { NO_ADDRESSES, type Person } from "../../features/people/index.ts";
import { toText } from "../kit/html.ts";
import { excerpt, renderPostText } from "./post-text.ts";

const context = { baseUrl: "https://kith.example" };
const render = (text: string, people: Person[] = []) =>
  toText(
    renderPostText(context, text, new Map(people.map((it) => [it.handle, it]))),
  );

test("markdown is rendered, HTML is shown as text", () => {
  assert.equal(
    render("**hi** <script>alert(1)</script>"),
    "<p><strong>hi</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>",
  );
});

test("a link whose text hides where it leads shows its host", () => {
  const away = (text: string) => /\(([^()]*)\)<\/bdi>/.exec(render(text))?.[1];
  assert.equal(away("[my bank](https://evil.example/x)"), "evil.example");
  assert.equal(
    away("[https://bank.example](https://evil.example/)"),
    "evil.example",
  );
  assert.equal(
    away("[evil.example.bank.example](https://evil.example/)"),
    "evil.example",
  );
  assert.equal(away("[write](mailto:me@evil.example)"), "me@evil.example");
  assert.equal(
    away("[![](https://a.example/a.png)](https://evil.example/?a&b)"),
    "evil.example",
  );
  assert.equal(away("[bank](https://bänk.example/)"), "xn--bnk-qla.example");
});

test("a link that says where it leads, or stays here, needs no host", () => {
  for (const text of [
    "https://good.example/a?b=c&d",
    "[good.example/about](https://good.example/about)",
    "[good.example](https://good.example)",
    "[here](https://kith.example/posts/1)",
  ])
    assert.doesNotMatch(render(text), /bdi/, text);
});

test("a name cannot turn around the words after it", () => {
  const mallory = person("mal@elsewhere.example", "Mal\u2069\u202elory");
  const shown = render("@{mal@elsewhere.example} owes me 10", [mallory]);
  assert.match(shown, /@<span>Mallory<\/span>/);
});

test("known people, under their own names, and tags become links, others stay text", () => {
  const bob = person("bob@elsewhere.example", "Bob <b>");
  const shown = render(
    "@{Alice; bob@elsewhere.example} #tag @{no@one.example}",
    [bob],
  );
  assert.match(
    shown,
    /href="https:\/\/kith\.example\/people\/0123456789abcdef"/,
  );
  assert.match(shown, /Bob &lt;b&gt;/);
  assert.doesNotMatch(shown, /Alice/);
  assert.equal(shown.match(/<a /g)?.length, 2);
  assert.match(shown, /href="https:\/\/kith\.example\/tags\/tag"/);
  assert.match(shown, /#<span>tag<\/span><\/a> no@one\.example/);
});

test("scrolling parts are reached with the keyboard", () => {
  assert.match(render("```\ncode\n```"), /^<pre tabindex="0"><code>code/);
  assert.match(render("| a |\n| - |\n| b |"), /^<table tabindex="0">/);
  assert.equal(render("`<pre>`"), "<p><code>&lt;pre&gt;</code></p>");
});

test("an excerpt is one line of plain text, cut at a word", () => {
  assert.equal(
    excerpt("# Title\n\n*one* [two](https://x.example)", 70),
    "Title one two",
  );
  assert.equal(excerpt("some words that go on", 14), "some words…");
  assert.equal(excerpt("🦊".repeat(30), 10), `${"🦊".repeat(9)}…`);
});

function person(handle: string, fullName: string): Person {
  return {
    id: 1 as PersonId,
    guid: "0123456789abcdef",
    handle,
    userId: null,
    publicKeyPem: "",
    hasDiasporaKey: true,
    diasporaGuid: null,
    protocol: "diaspora",
    state: "active",
    movedToId: null,
    movedAt: null,
    alsoKnownAs: [],
    isPictured: true,
    createdAt: "2024-01-01T00:00:00.000Z",
    updatedAt: "2024-01-01T00:00:00.000Z",
    addresses: NO_ADDRESSES,
    profile: { ...NO_PROFILE, fullName },
  };
}

const NO_PROFILE: Person["profile"] = {
  id: 1,
  firstName: "",
  lastName: "",
  fullName: "",
  imageUrl: "",
  imageUrlSmall: "",
  imageUrlMedium: "",
  birthday: null,
  gender: "",
  bio: "",
  location: "",
  searchable: true,
  shownTo: {
    bio: "everyone",
    birthday: "contacts",
    gender: "contacts",
    location: "contacts",
  },
  public: false,
  nsfw: false,
  fields: [],
  emojis: [],
  headerUrl: "",
  kind: "person",
  locked: false,
  indexable: false,
  createdAt: "2024-01-01T00:00:00.000Z",
  updatedAt: "2024-01-01T00:00:00.000Z",
};

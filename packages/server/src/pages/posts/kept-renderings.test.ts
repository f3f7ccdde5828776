import assert from "node:assert/strict";
import { test } from "node:test";
import { renderOnce } from "./kept-renderings.ts";

const BASE = "https://kith.example";

/** Knows these people, each by the label of a link. */
const knowing = (people: Readonly<Record<string, string>>) => ({
  mention: (handle: string) => {
    const label = people[handle];
    return label === undefined
      ? undefined
      : { href: `${BASE}/${label}`, label };
  },
  tagHref: (tag: string) => `${BASE}/tags/${tag}`,
});

test("a rendering follows the people that the text names", () => {
  const text = "Hello @ann@kith.example #tag";
  const render = (people: Readonly<Record<string, string>>) =>
    renderOnce(text, BASE, knowing(people));
  const stranger = render({});
  assert.doesNotMatch(stranger, /href="[^"]*\/Ann"/);
  const known = render({ "ann@kith.example": "Ann" });
  assert.match(known, /href="[^"]*\/Ann"/);
  assert.equal(render({ "ann@kith.example": "Ann" }), known);
  const renamed = render({ "ann@kith.example": "Anna" });
  assert.match(renamed, /href="[^"]*\/Anna"/);
  assert.equal(render({}), stranger);
});

test("servers with other addresses keep renderings of their own", () => {
  const context = knowing({});
  const here = renderOnce("#tag", BASE, context);
  const there = renderOnce("#tag", "https://other.example", {
    ...context,
    tagHref: (tag) => `https://other.example/tags/${tag}`,
  });
  assert.match(here, /kith\.example/);
  assert.match(there, /other\.example/);
});

test("a text that is not kept is rendered all the same", () => {
  const long = "*word* ".repeat(5_000);
  const context = knowing({});
  assert.equal(
    renderOnce(long, BASE, context),
    renderOnce(long, BASE, context),
  );
});

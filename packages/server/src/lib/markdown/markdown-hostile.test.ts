import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderMarkdown } from "./markdown.ts";

const render = (text: string) =>
  renderMarkdown(text, {
    mention: (handle) => ({ href: "https://pod.example/u/a", label: handle }),
    tagHref: (tag) => `https://pod.example/tags/${tag}`,
  });

const PATHOLOGICAL: Record<string, string> = {
  stars: "*",
  "stars and letters": "*a **b ",
  underscores: "a_",
  brackets: "[",
  "closing brackets": "](",
  pictures: "![",
  "open links": "[a](<b",
  "open mentions": "@{",
  "open mentions with names": "@{a; ",
  mentions: "@{a@b.c} ",
  hashes: "#",
  backticks: "` `` ",
  backslashes: "\\",
  "less-than": "<",
  ampersands: "&",
  schemes: "http://",
  "diaspora links": "diaspora://a",
  quotes: "> ",
  lists: "- ",
  pipes: "|a\n|-\n",
  definitions: '[a]: x "\n',
  tildes: "~~a",
  headings: "# a\n",
};

describe("pathological text takes time in proportion to its length", () => {
  for (const [name, unit] of Object.entries(PATHOLOGICAL)) {
    test(name, () => {
      const time = (length: number) => {
        const text = unit.repeat(length / unit.length);
        const start = performance.now();
        render(text);
        return performance.now() - start;
      };
      time(10_000);
      const half = time(500_000);
      const whole = time(1_000_000);
      assert.ok(
        whole < 8 * half + 3000,
        `${String(half)} -> ${String(whole)} ms`,
      );
    });
  }

  test("nested deeply", () => {
    for (const [open, close] of [
      ["*", "*"],
      ["[", "]"],
      ["> ", ""],
      ["- ", ""],
    ]) {
      const deep =
        (open ?? "").repeat(100_000) + "x" + (close ?? "").repeat(100_000);
      assert.ok(render(deep).length < 3_000_000);
    }
  });
});

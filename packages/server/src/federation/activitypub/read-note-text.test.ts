import assert from "node:assert/strict";
import { test } from "node:test";
import { readNote } from "@kith/activitypub";
import { readWholeText } from "./read-note-text.ts";

const LINK = "https://news.example/story_(1)";

function pageWith(content: string): string {
  const page = {
    id: "https://lemmy.example/post/1",
    type: "Page",
    attributedTo: "https://lemmy.example/u/ann",
    source: { mediaType: "text/markdown", content },
    attachment: [{ type: "Link", href: LINK }],
  };
  return readWholeText(readNote(page));
}

test("a link that is attached is shown where the text does not name it", () => {
  assert.ok(pageWith("Read this").endsWith(`\n\n<${LINK}>`));
  assert.ok(pageWith("https://news.example/").endsWith(`\n\n<${LINK}>`));
});

for (const text of [LINK, `<${LINK}>`, `[x](${LINK})`, `See ${LINK}, now.`])
  test(`and not where it does: ${text}`, () => {
    assert.equal(pageWith(text), text);
  });

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

test("the website of an event is led to, once", () => {
  const event = (content: string) =>
    readWholeText(
      readNote({
        id: "https://mobilizon.example/events/1",
        type: "Event",
        attributedTo: "https://mobilizon.example/@jon",
        name: "Repair café",
        content,
        startTime: "2026-07-14T17:30:00+02:00",
        attachment: [
          { type: "Document", mediaType: "image/png", url: `${LINK}.png` },
          { type: "Link", href: LINK, mediaType: "text/html" },
        ],
      }),
    );
  assert.equal(
    event("<p>Bring your toaster</p>"),
    `## Repair café\n\nBring your toaster\n\n<${LINK}>`,
  );
  const named = event(`<p><a href="${LINK}">${LINK}</a></p>`);
  assert.equal(named.split(LINK).length, 2);
});

test("a quote that the HTML alone leads to is led to where the source is read (Hollo)", () => {
  const note = {
    id: "https://hollo.example/@olu/1",
    type: "Note",
    attributedTo: "https://hollo.example/@olu",
    content: `<p>nice<span class="quote-inline"><br>RE: <a href="${LINK}">link</a></span></p>`,
    quoteUrl: LINK,
  };
  const source = { content: "nice", mediaType: "text/markdown" };
  const typed = readWholeText(readNote({ ...note, source }));
  assert.equal(typed, `nice\n\nRE: <${LINK}>`);
  assert.equal(readWholeText(readNote(note)).split("RE:").length, 2);
});

for (const text of [LINK, `<${LINK}>`, `[x](${LINK})`, `See ${LINK}, now.`])
  test(`and not where it does: ${text}`, () => {
    assert.equal(pageWith(text), text);
  });

import type { NoteInput } from "../src/build/build-note.ts";
import { PUBLIC } from "../src/media-types.ts";
import { parseJson, serialize } from "../src/json/json.ts";
import type { JsonObject } from "../src/json/json-types.ts";

export const BASE = "https://kith.example/api/v1/ap";
export const ALICE = `${BASE}/person/alice`;
export const GUID = "0123456789abcdef0123456789abcdef";

/** An object after transport. */
export function wire(object: JsonObject): JsonObject {
  return parseJson(Buffer.from(serialize(object)));
}

/** A public post with most members. */
export const noteInput: NoteInput = {
  id: `${BASE}/object/${GUID}`,
  attributedTo: ALICE,
  contentHtml: "<p>hi</p>",
  source: "hi",
  language: "en",
  to: [PUBLIC],
  cc: [`${ALICE}/followers`],
  published: "2026-06-15T10:00:00.987Z",
  url: `https://kith.example/posts/${GUID}`,
  context: `${BASE}/context/${GUID}`,
  guid: GUID,
  tags: [{ type: "Hashtag", name: "#a", href: "https://kith.example/tags/a" }],
  attachments: [
    {
      mediaType: "image/png",
      url: "https://kith.example/1.png",
      name: "a cat",
      width: 2,
      height: 1,
      focalPoint: [0, 0],
    },
  ],
  repliesUri: `${BASE}/object/${GUID}/replies`,
  likes: { id: `${BASE}/object/${GUID}/likes`, totalItems: 0 },
};

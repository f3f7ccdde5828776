import type { JsonObject, JsonValue } from "../src/json/json-types.ts";
import { pick, seeded, type Random } from "./mutate.ts";

/** A document of about this many bytes. */
export type Hostile = (bytes: number) => JsonObject;

const ORIGIN = "https://evil.example";
/** The longest address that is parsed. */
const LONG_ADDRESS = 2000;

/** As many as fit. */
function fill(bytes: number, unit: (at: number) => JsonValue): JsonValue[] {
  const each = Buffer.byteLength(JSON.stringify(unit(99_999))) + 1;
  return Array.from({ length: Math.floor(bytes / each) }, (_, at) => unit(at));
}

/** A text whose characters all differ, which costs most to encode. */
export function foreignHost(length: number): string {
  const letters = Array.from({ length }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((at * 7919) % 20_900)),
  );
  return letters.join("");
}

function nested(depth: number, innermost: JsonValue): JsonValue {
  let value = innermost;
  for (let at = 0; at < depth; at += 1) value = { tag: [value] };
  return value;
}

const foreign = (): string => `http://${foreignHost(LONG_ADDRESS)}/`;
const file = (): JsonObject => ({ mediaType: "video/x", href: "http://a" });

/** Values for any member, of about this many bytes. */
const FILLINGS: Readonly<Record<string, (bytes: number) => JsonValue>> = {
  "nothing, and a text at the end": (bytes) => [
    ...fill(bytes, () => null),
    "text",
  ],
  "short texts": (bytes) => fill(bytes, (at) => `t${at}`),
  addresses: (bytes) => fill(bytes, (at) => `${ORIGIN}/${at}`),
  "addresses with foreign hosts": (bytes) => fill(bytes, foreign),
  "addresses with hosts that are none": (bytes) => [
    { type: "Image", url: fill(bytes, () => `${foreign()}%`) },
  ],
  "links with foreign hosts": (bytes) =>
    fill(bytes, () => ({
      type: "Mention",
      mediaType: "image/png",
      name: "@a",
      href: foreign(),
    })),
  objects: (bytes) =>
    fill(bytes, (at) => ({
      id: `${ORIGIN}/${at}`,
      type: "Note",
      name: `@a${at}`,
      href: `${ORIGIN}/${at}`,
    })),
  "files in files": (bytes) =>
    fill(bytes, () => ({ ...file(), tag: Array.from({ length: 80 }, file) })),
  "one long text": (bytes) => "x".repeat(bytes),
  "one long address": (bytes) => `${ORIGIN}/${"a".repeat(bytes)}`,
  "members of any name": (bytes) =>
    Object.fromEntries(fill(bytes, (at) => [`k${at}`, "x"]) as never),
  "members named as languages are": (bytes) =>
    Object.fromEntries(fill(bytes, (at) => [`en-${at}`, "x"]) as never),
  "a long text, deep down": (bytes) => nested(45, "x".repeat(bytes)),
  "a long list, deep down": (bytes) =>
    nested(
      45,
      fill(bytes, (at) => at),
    ),
};

/** All members that any reader reads. */
const MEMBERS = [
  ...["to", "cc", "tag", "attachment", "object", "oneOf", "anyOf", "type"],
  ...["orderedItems", "items", "first", "url", "icon", "image", "name"],
  ...["contentMap", "nameMap", "summaryMap", "content", "summary", "source"],
  ...["proof", "publicKey", "assertionMethod", "alsoKnownAs", "location"],
  ...["replies", "signature", "voters", "generator", "endpoints", "duration"],
  ...["@context", "mediaType", "blurhash", "focalPoint", "attributedTo"],
];

const TYPES = [
  ...["Note", "Video", "Document", "Page", "Question", "Event", "Person"],
  ...["OrderedCollection", "Create", "Flag", "Like", "EmojiReact", "Undo"],
];

function document(type: string, members: JsonObject): JsonObject {
  return {
    id: `${ORIGIN}/1`,
    type,
    actor: `${ORIGIN}/u`,
    attributedTo: `${ORIGIN}/u`,
    inbox: `${ORIGIN}/inbox`,
    preferredUsername: "u",
    object: `${ORIGIN}/2`,
    startTime: "2026-06-15T10:00:00Z",
    ...members,
  };
}

/** Documents that once took the product of two lengths. */
const KNOWN: Readonly<Record<string, Hostile>> = {
  "many files, and a long list that each looks through": (bytes) =>
    document("Video", {
      url: [
        ...Array.from({ length: 100 }, () => ({
          ...file(),
          tag: fill(bytes / 250, file),
        })),
      ],
      name: [...fill(bytes / 4, () => null), "x"],
      summary: [...fill(bytes / 4, () => null), "x"],
    }),
  "many links with foreign hosts": (bytes) =>
    document("Note", {
      tag: fill(bytes, () => ({ type: "Mention", href: foreign() })),
    }),
  "members named as languages are, three times": (bytes) => {
    const texts: JsonObject = Object.fromEntries(
      fill(bytes / 3, (at) => [`en-${at}`, "x"]) as never,
    );
    return document("Note", {
      contentMap: texts,
      nameMap: texts,
      summaryMap: texts,
    });
  },
};

/** One member differs from all others. */
function paired(random: Random): [name: string, Hostile] {
  const type = pick(TYPES, random);
  const odd = [pick(MEMBERS, random), pick(MEMBERS, random)];
  const kinds = Object.keys(FILLINGS);
  const [oddly, usually] = [pick(kinds, random), pick(kinds, random)];
  const make: Hostile = (bytes) => {
    const members = MEMBERS.filter(
      (name) => name !== "type" || odd.includes(name),
    );
    const oddBytes = bytes / 2 / odd.length;
    const usualBytes = bytes / 2 / members.length;
    return document(
      type,
      Object.fromEntries(
        members.map((name) => [
          name,
          (odd.includes(name)
            ? FILLINGS[oddly]?.(oddBytes)
            : FILLINGS[usually]?.(usualBytes)) ?? null,
        ]),
      ),
    );
  };
  return [`${type}: ${odd.join(" and ")} with ${oddly}, else ${usually}`, make];
}

/**
 * Documents that are long, have many members or are deep, and pairs of these.
 * @param pairs the number of random combinations
 */
export function hostileDocuments(
  pairs: number,
  seed: number,
): Readonly<Record<string, Hostile>> {
  const random = seeded(seed);
  const single = Object.entries(FILLINGS).map(
    ([kind, make]): [string, Hostile] => [
      `a Note of ${kind}`,
      (bytes) =>
        document("Note", {
          tag: make(bytes / 4),
          attachment: make(bytes / 4),
          to: make(bytes / 4),
          content: "x".repeat(bytes / 8),
        }),
    ],
  );
  return {
    ...KNOWN,
    ...Object.fromEntries(single),
    ...Object.fromEntries(Array.from({ length: pairs }, () => paired(random))),
  };
}

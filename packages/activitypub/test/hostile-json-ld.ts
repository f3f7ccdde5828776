import type { JsonObject, JsonValue } from "../src/json/json-types.ts";

const AS = "https://www.w3.org/ns/activitystreams";
/** Renames a term, so that a document is processed as JSON-LD at all. */
const RENAMING = { inhalt: "as:content" };

/** Terms of one context; each needs about 20 bytes. */
function terms(count: number, more: JsonObject = {}): JsonObject {
  const defined = Array.from({ length: count }, (_, at) => [
    `t${at}`,
    `https://u.example/${at}`,
  ]);
  return {
    ...RENAMING,
    ...(Object.fromEntries(defined) as JsonObject),
    ...more,
  };
}

/** As many as fit, `each` bytes long. */
const fill = (bytes: number, each: number, build: (at: number) => JsonValue) =>
  Array.from({ length: Math.floor(bytes / each) }, (_, at) => build(at));

const distinct = (at: number): JsonObject => ({
  "@context": { [`own${at}`]: "https://u.example/own" },
});

/** Deep, but within the limit of the parser. */
function nested(depth: number, innermost: JsonValue): JsonValue {
  let value = innermost;
  for (let at = 0; at < depth; at += 1)
    value = { ...distinct(at), tag: [value] };
  return value;
}

/**
 * Contents that make a document as expensive as possible to process as JSON-LD, by kind.
 * @param bytes the approximate length of the document
 */
const FILLINGS: Readonly<
  Record<string, (bytes: number) => { context: JsonValue; tag: JsonValue }>
> = {
  "small contexts below one of many terms": (bytes) => ({
    context: [AS, terms(bytes / 2 / 34)],
    tag: fill(bytes / 2, 48, distinct),
  }),
  "contexts in the definitions of terms": (bytes) => ({
    context: [
      AS,
      terms(bytes / 4 / 34, {
        x: { "@id": "https://u.example/x", "@context": terms(bytes / 4 / 34) },
      }),
    ],
    tag: fill(bytes / 2, 12, (at) => ({ x: { x: at } })),
  }),
  "contexts in contexts in the definitions of terms": (bytes) => {
    let context: JsonObject = terms(bytes / 2 / 34);
    for (let at = 0; at < 40; at += 1)
      context = {
        ...RENAMING,
        x: { "@id": "https://u.example/x", "@context": context },
      };
    return {
      context: [AS, context],
      tag: fill(bytes / 2, 10, (at) => ({ x: at })),
    };
  },
  "types with contexts, named again and again": (bytes) => ({
    context: [
      AS,
      terms(bytes / 2 / 34, {
        T: { "@id": "https://u.example/T", "@context": { y: "as:y" } },
      }),
    ],
    tag: [{ type: fill(bytes / 2, 4, () => "T") }],
  }),
  "contexts inside each other": (bytes) => ({
    context: [AS, terms(bytes / 2 / 34)],
    tag: fill(bytes / 2, 60 * 40, () => nested(40, {})),
  }),
  "contexts in a list": (bytes) => ({
    context: [
      AS,
      terms(bytes / 2 / 34),
      ...fill(bytes / 2, 34, (at) => ({ [`own${at}`]: "https://u.example/o" })),
    ],
    tag: [],
  }),
  "contexts in a context": (bytes) => ({
    context: {
      ...RENAMING,
      "@context": [
        AS,
        terms(bytes / 2 / 34),
        ...fill(bytes / 2, 34, (at) => ({
          [`own${at}`]: "https://u.example/o",
        })),
      ],
    },
    tag: [],
  }),
  "names of contexts elsewhere": (bytes) => ({
    context: [
      AS,
      terms(bytes / 2 / 34),
      ...fill(bytes / 2, 30, (at) => `https://u.example/context/${at}`),
    ],
    tag: [],
  }),
  "the largest bundled context, named again and again": (bytes) => ({
    context: [AS, terms(bytes / 4 / 34), ...fill(bytes / 4, 46, () => AS)],
    tag: fill(bytes / 2, 62, () => ({ "@context": AS })),
  }),
  "a graph of blank nodes that are all alike": (bytes) => ({
    context: [AS, RENAMING],
    tag: alike(Math.floor(Math.sqrt(bytes / 24))),
  }),
  "blank nodes without end": (bytes) => ({
    context: [AS, RENAMING],
    tag: fill(bytes, 26, () => ({ inhalt: "x", tag: [{}] })),
  }),
  "values without end": (bytes) => ({
    context: [AS, RENAMING],
    tag: fill(bytes, 6, (at) => at),
  }),
};

/** Each refers to all others, and none has a meaningful name. */
function alike(count: number): JsonValue {
  const names = Array.from({ length: count }, (_, at) => `_:b${at}`);
  return names.map((id) => ({
    id,
    inReplyTo: names.filter((other) => other !== id).map((o) => ({ id: o })),
  }));
}

export const HOSTILE_KINDS = Object.keys(FILLINGS);

/** A document of such a kind, with these members of an ordinary one. */
export function hostileJsonLd(
  kind: string,
  bytes: number,
  members: JsonObject = {},
): JsonObject {
  const { context, tag } = FILLINGS[kind]?.(bytes) ?? { context: AS, tag: [] };
  return { ...members, "@context": context, inhalt: "x", tag };
}

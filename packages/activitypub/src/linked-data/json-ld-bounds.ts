import { ActivityPubError } from "../errors.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";

/**
 * The largest document that is processed as JSON-LD. Expansion copies the active terms at every context, and again at
 * every use of a term whose definition has a context; canonicalization compares values, and blank nodes, with each
 * other. Each bound limits one factor of these products; the worst documents within all bounds take about 40 ms. The
 * largest activities recorded from real servers have 79 values, 14 objects, 4 contexts and 47 terms, and are 5 levels
 * deep.
 */
export const JSON_LD_BOUNDS = {
  /** UTF-16 code units of the document as JSON. */
  length: 262_144,
  /** Nesting depth of objects and arrays. */
  depth: 32,
  /** Object members and list entries outside of contexts. */
  values: 1_024,
  /** Objects. Each may be a blank node, because a context can redefine `id`. */
  objects: 256,
  /** Contexts, by URL or inline, including those in term definitions. */
  contexts: 16,
  /** Members of contexts and of the definitions in them. */
  terms: 512,
  /** Values of a document with a context in a term definition, which is processed at each use of the term. */
  valuesWithScopedContexts: 256,
} as const;

type Counted = "values" | "objects" | "contexts" | "terms";

/**
 * Refuses a document that would be expensive to process as JSON-LD. Counts before that work begins, in one walk through
 * the document.
 * @throws {ActivityPubError} `unsupported`
 */
export function checkJsonLdBounds(document: JsonObject): void {
  const counter = new Counter();
  counter.countValue(document, 1);
  if (counter.hasScopedContexts)
    refuseAbove("valuesWithScopedContexts", counter.counts.values);
  // Last, because the walk has shown that the document is not too deep to serialize.
  refuseAbove("length", JSON.stringify(document).length);
}

class Counter {
  readonly counts: Record<Counted, number> = {
    values: 0,
    objects: 0,
    contexts: 0,
    terms: 0,
  };
  hasScopedContexts = false;

  countValue(value: JsonValue, depth: number): void {
    if (typeof value !== "object" || value === null) return;
    refuseAbove("depth", depth);
    if (isJsonArray(value)) {
      this.#add("values", value.length);
      for (const item of value) this.countValue(item, depth + 1);
    } else {
      this.#add("objects", 1);
      for (const name in value) {
        const inner = value[name] ?? null;
        if (name === "@context") this.#countContexts(inner, depth + 1);
        else {
          this.#add("values", 1);
          this.countValue(inner, depth + 1);
        }
      }
    }
  }

  /** A URL, null, an object of definitions, or a list of these. */
  #countContexts(value: JsonValue, depth: number): void {
    refuseAbove("depth", depth);
    if (isJsonArray(value)) {
      for (const item of value) this.#countContexts(item, depth + 1);
      return;
    }
    this.#add("contexts", 1);
    if (isJsonObject(value)) this.#countTerms(value, depth + 1);
  }

  #countTerms(value: JsonValue, depth: number): void {
    if (typeof value !== "object" || value === null) return;
    refuseAbove("depth", depth);
    if (isJsonArray(value)) {
      this.#add("terms", value.length);
      for (const item of value) this.#countTerms(item, depth + 1);
      return;
    }
    for (const name in value) {
      const inner = value[name] ?? null;
      if (name === "@context") {
        this.hasScopedContexts = true;
        this.#countContexts(inner, depth + 1);
      } else {
        this.#add("terms", 1);
        this.#countTerms(inner, depth + 1);
      }
    }
  }

  #add(what: Counted, count: number): void {
    this.counts[what] += count;
    refuseAbove(what, this.counts[what]);
  }
}

function refuseAbove(bound: keyof typeof JSON_LD_BOUNDS, count: number): void {
  if (count > JSON_LD_BOUNDS[bound])
    throw new ActivityPubError(
      "unsupported",
      `Too large for JSON-LD: ${bound} above ${JSON_LD_BOUNDS[bound]}`,
    );
}

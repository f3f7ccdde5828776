import type { JsonLdDocument, Options } from "jsonld";
import { ActivityPubError } from "../errors.ts";
import type { JsonObject } from "../json/json-types.ts";

/**
 * The two JSON-LD algorithms that ActivityPub requires, with bundled contexts only: nothing is ever fetched.
 * {@link loadJsonLd} runs them in the calling thread. Hostile documents within the bounds may still take a while, so a
 * server passes an implementation that runs in a worker thread with limits.
 */
export type JsonLd = {
  /**
   * Compacts a document with a context. A context URL that is not bundled defines nothing.
   * @throws {ActivityPubError} `unsupported` when the document is not JSON-LD
   * @see JSON-LD 1.1 Processing Algorithms, section 5.6
   */
  compact(
    document: JsonObject,
    context: readonly (string | JsonObject)[],
  ): Promise<JsonObject>;
  /**
   * Computes the canonical N-Quads of a document (URDNA2015).
   * @throws {ActivityPubError} `unsupported` when the document is not JSON-LD, or its context is not bundled
   * @see RDF Dataset Canonicalization, section 4
   */
  canonize(document: JsonObject): Promise<string>;
};

type Contexts = Readonly<Record<string, JsonObject>>;

/**
 * The treatment of a context URL that is not bundled: `ignored` defines no terms;
 * `refused` makes the document unsupported.
 */
type UnknownContexts = "ignored" | "refused";

const NO_TERMS: JsonObject = { "@context": {} };

/** Loads the JSON-LD library with the bundled contexts. */
export async function loadJsonLd(): Promise<JsonLd> {
  const [{ default: jsonld }, { default: contexts }] = await Promise.all([
    import("jsonld"),
    import("./contexts.json", { with: { type: "json" } }),
  ]);
  return {
    compact: (document, context) => {
      const options: Options.Compact = {
        documentLoader: createLoader(contexts, "ignored"),
      };
      return orUnsupported(
        () =>
          jsonld.compact(
            document as JsonLdDocument,
            context as never,
            options,
          ) as Promise<unknown> as Promise<JsonObject>,
      );
    },
    canonize: (document) => {
      // Without `safe: false`, undefined members would be errors; peers leave them out of the signature.
      const options: Options.Normalize & { safe: boolean } = {
        algorithm: "URDNA2015",
        format: "application/n-quads",
        documentLoader: createLoader(contexts, "refused"),
        safe: false,
      };
      return orUnsupported(() =>
        jsonld.canonize(document as JsonLdDocument, options),
      );
    },
  };
}

function createLoader(contexts: Contexts, unknown: UnknownContexts) {
  return (url: string) => {
    const bundled = Object.hasOwn(contexts, url) ? contexts[url] : undefined;
    if (bundled === undefined && unknown === "refused")
      return Promise.reject(new Error(`The context ${url} is not bundled`));
    const document = (bundled ?? NO_TERMS) as Record<string, never>;
    return Promise.resolve({ documentUrl: url, document });
  };
}

async function orUnsupported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ActivityPubError("unsupported", `No JSON-LD of ours: ${reason}`);
  }
}

import type * as jsonldModule from "jsonld";
import type { JsonLdDocument, Options } from "jsonld";
import { ActivityPubError } from "../errors.ts";
import type { JsonObject } from "../json-types.ts";

type Jsonld = typeof jsonldModule.default;
type Contexts = Readonly<Record<string, JsonObject>>;

/**
 * What a context URL that is not bundled means: `ignored`, none of its terms
 * does; `refused`, the document cannot be worked with.
 */
type UnknownContexts = "ignored" | "refused";

/** In UTF-16 code units. The work grows faster than the document. */
const MAX_LENGTH = 262_144;

const NOTHING: JsonObject = { "@context": {} };

/** Loaded when a document needs it, which few do. */
let loaded: Promise<{ jsonld: Jsonld; contexts: Contexts }> | undefined;

function load(): Promise<{ jsonld: Jsonld; contexts: Contexts }> {
  loaded ??= Promise.all([
    import("jsonld"),
    import("./contexts.json", { with: { type: "json" } }),
  ]).then(([{ default: jsonld }, { default: contexts }]) => ({
    jsonld,
    contexts,
  }));
  return loaded;
}

/**
 * Compacts a document by a context, with bundled contexts alone: nothing is ever fetched.
 * @throws {ActivityPubError} `unsupported` for a document that is no JSON-LD
 */
export async function compact(
  document: JsonObject,
  context: readonly (string | JsonObject)[],
): Promise<JsonObject> {
  const { jsonld, contexts } = await load();
  const options: Options.Compact = {
    documentLoader: createLoader(contexts, "ignored"),
  };
  return orUnsupported(
    document,
    () =>
      jsonld.compact(
        document as JsonLdDocument,
        context as never,
        options,
      ) as Promise<unknown> as Promise<JsonObject>,
  );
}

/**
 * The canonical N-Quads of a document (RDF Dataset Canonicalization, URDNA2015).
 * @throws {ActivityPubError} `unsupported` for a document that is no JSON-LD, or whose context is not bundled
 */
export async function canonicalizeGraph(document: JsonObject): Promise<string> {
  const { jsonld, contexts } = await load();
  // Without `safe: false` members that no context defines would be faults; peers leave them out, unsigned.
  const options: Options.Normalize & { safe: boolean } = {
    algorithm: "URDNA2015",
    format: "application/n-quads",
    documentLoader: createLoader(contexts, "refused"),
    safe: false,
  };
  return orUnsupported(document, () =>
    jsonld.canonize(document as JsonLdDocument, options),
  );
}

function createLoader(contexts: Contexts, unknown: UnknownContexts) {
  return (url: string) => {
    const bundled = Object.hasOwn(contexts, url) ? contexts[url] : undefined;
    if (bundled === undefined && unknown === "refused")
      return Promise.reject(new Error(`The context ${url} is not bundled`));
    const document = (bundled ?? NOTHING) as Record<string, never>;
    return Promise.resolve({ documentUrl: url, document });
  };
}

async function orUnsupported<T>(
  document: JsonObject,
  work: () => Promise<T>,
): Promise<T> {
  if (JSON.stringify(document).length > MAX_LENGTH)
    throw new ActivityPubError("unsupported", "Too long for JSON-LD");
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ActivityPubError("unsupported", `No JSON-LD of ours: ${reason}`);
  }
}

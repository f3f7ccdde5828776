import type { JsonObject } from "@kith/activitypub";

/** A request to the thread. */
export type JsonLdRequest =
  | {
      readonly kind: "compact";
      readonly document: JsonObject;
      readonly context: readonly (string | JsonObject)[];
    }
  | { readonly kind: "canonize"; readonly document: JsonObject };

/** A message from the thread. */
export type JsonLdResponse =
  | { readonly kind: "ready" }
  | { readonly kind: "compacted"; readonly document: JsonObject }
  | { readonly kind: "canonized"; readonly quads: string }
  | { readonly kind: "unsupported"; readonly reason: string };

import type { JsonObject } from "@kith/activitypub";

/** What the thread is asked for. */
export type JsonLdRequest =
  | {
      readonly kind: "compact";
      readonly document: JsonObject;
      readonly context: readonly (string | JsonObject)[];
    }
  | { readonly kind: "canonize"; readonly document: JsonObject };

/** What the thread says. */
export type JsonLdResponse =
  | { readonly kind: "ready" }
  | { readonly kind: "compacted"; readonly document: JsonObject }
  | { readonly kind: "canonized"; readonly quads: string }
  | { readonly kind: "unsupported"; readonly reason: string };

import { membersOf } from "./build/build-parts.ts";
import { ActivityPubError } from "./errors.ts";
import { isJsonObject } from "./json/json.ts";
import type { JsonObject } from "./json/json-types.ts";
import type { Activity } from "./read/read-activity.ts";
import type { Note } from "./read/read-note.ts";
import { sameOrigin } from "./urls.ts";
import { firstOf, httpIdOf, textOf } from "./values.ts";

/** A request to an author for permission to quote (FEP-044f). */
export type QuoteRequest = {
  /** Actor id of the quoting author. */
  actor: string;
  /** Id of the quoted object. */
  quoted: string;
  /** Id of the quoting post. */
  quoting: string;
  /** The embedded quoting post. It is as trustworthy as the sender, not more. */
  embedded?: JsonObject;
};

/** A quoted author's permission, as a document of its own. */
export type QuoteAuthorization = {
  id: string;
  /** The quoted author. */
  attributedTo: string;
  quoting: string;
  quoted: string;
};

/**
 * Reads a QuoteRequest.
 * @throws {ActivityPubError} `not_an_activity`
 * @see FEP-044f, Quote requests
 */
export function readQuoteRequest(activity: Activity): QuoteRequest {
  const quoted = httpIdOf(activity.object?.id ?? null);
  const quoting = httpIdOf(activity.instrument ?? null);
  if (activity.type !== "QuoteRequest" || !quoted || !quoting) {
    throw new ActivityPubError("not_an_activity", "Not a QuoteRequest");
  }
  const embedded = firstOf(activity.raw["instrument"]);
  return {
    actor: activity.actor,
    quoted,
    quoting,
    ...(isJsonObject(embedded) && { embedded }),
  };
}

/**
 * Reads the authorization that `result` of an Accept, or `quoteAuthorization` of a post, refers to.
 * @throws {ActivityPubError} `not_an_object`
 */
export function readQuoteAuthorization(json: JsonObject): QuoteAuthorization {
  const id = typeof json["id"] === "string" ? httpIdOf(json["id"]) : undefined;
  const attributedTo = httpIdOf(json["attributedTo"]);
  const quoting = httpIdOf(json["interactingObject"]);
  const quoted = httpIdOf(json["interactionTarget"]);
  const type = textOf(json["type"], 255);
  if (
    type !== "QuoteAuthorization" ||
    !id ||
    !attributedTo ||
    !quoting ||
    !quoted
  ) {
    throw new ActivityPubError("not_an_object", "Not a QuoteAuthorization");
  }
  return { id, attributedTo, quoting, quoted };
}

/**
 * Whether an authorization, fetched from its own id, permits a quote: issued by the author of the quoted object, on
 * that author's server, and for these two objects. Authors need no authorization to quote themselves.
 */
export function isQuoteAuthorized(
  quote: Pick<Note, "id" | "attributedTo" | "quote">,
  quoted: Pick<Note, "id" | "attributedTo">,
  authorization?: QuoteAuthorization,
): boolean {
  if (quote.quote !== quoted.id) return false;
  if (quote.attributedTo === quoted.attributedTo) return true;
  return (
    authorization !== undefined &&
    authorization.attributedTo === quoted.attributedTo &&
    sameOrigin(authorization.id, authorization.attributedTo) &&
    authorization.quoting === quote.id &&
    authorization.quoted === quoted.id
  );
}

/** Builds an authorization, without `@context`; serve it at its id while it is valid. */
export function buildQuoteAuthorization(
  authorization: QuoteAuthorization,
): JsonObject {
  return membersOf({
    id: authorization.id,
    type: "QuoteAuthorization",
    attributedTo: authorization.attributedTo,
    interactingObject: authorization.quoting,
    interactionTarget: authorization.quoted,
  });
}

import { createHash, timingSafeEqual } from "node:crypto";
import type { Session } from "../../features/accounts/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { html, type Html } from "./html.ts";

const FIELD = "csrf_token";

/** The hidden field with the CSRF token of a session. */
export function csrfField({ csrfToken }: Session): Html {
  return html`<input type="hidden" name="${FIELD}" value="${csrfToken}" />`;
}

/** @throws {KithError} `forbidden` for a form of another session */
export function checkCsrf(session: Session, parameters: Parameters): void {
  if (!isOfSession(session, parameters))
    throw new KithError("forbidden", "The form has no token of this session.");
}

/**
 * Does the form belong to this session? A form from before the last sign-in
 * does not.
 */
export function isOfSession(session: Session, parameters: Parameters): boolean {
  const given = parameters[FIELD];
  return typeof given === "string" && isSame(given, session.csrfToken);
}

/** Compares hashes, which have the same length, in constant time. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

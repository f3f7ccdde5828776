import { readInput, text } from "../http/input.ts";
import type { Parameters } from "../http/parameters.ts";
import { Type } from "../lib/json-schema.ts";
import { html, type Html } from "./html.ts";

const TO = Type.Object({
  to: text("The page to which the sign-in leads back"),
});
const DEFAULT = "/stream";
const MAX_LENGTH = 500;
// As browsers read an address: two slashes of either kind lead to another server.
const OWN_PATH = /^\/(?![/\\])[!-~]*$/;

/** Where the sign-in page is that leads back to here. @param url what was asked for, of this server */
export function signInPath(url: string): string {
  return withWayBack("/users/sign_in", readWayBack(url));
}

/** A step of the sign-in that knows where it leads back. */
export function withWayBack(step: string, to: string): string {
  return to === DEFAULT ? step : `${step}?to=${encodeURIComponent(to)}`;
}

/** The page of this server to which a sign-in leads; the stream for whatever is none. */
export function readWayBack(to: string | undefined): string {
  return to !== undefined && to.length <= MAX_LENGTH && OWN_PATH.test(to)
    ? to
    : DEFAULT;
}

/** The same, out of what the sign-in page or its form was given. */
export function wayBackOf(parameters: Parameters): string {
  return readWayBack(readInput(TO, parameters).to);
}

export function wayBackField(to: string): Html {
  return html`<input type="hidden" name="to" value="${to}" />`;
}

import { readInput, text } from "../../http/input/input.ts";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import { html, type Html } from "../kit/html.ts";

/** Where a sign-in leads, and what had been typed there when it turned out that one is needed. */
export type WayBack = { readonly to: string; readonly draft?: FormDraft };

/** The fields of a form, by their names. */
export type FormDraft = Readonly<Record<string, string>>;

const BACK = Type.Object({
  to: text("The page to which the sign-in leads back"),
  draft: text("JSON: what had been typed there"),
});
const DEFAULT = "/stream";
const MAX_LENGTH = 500;
// As browsers read an address: two slashes of either kind lead to another server.
const OWN_PATH = /^\/(?![/\\])[!-~]*$/;

/** Bytes of a draft in a form: up to twelve for each of its characters. */
export const DRAFT_BODY_LIMIT = 12 * MAX_TEXT_LENGTH + 4096;

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

/** The same with the draft, out of what the sign-in page or its form was given. */
export function wayBackOf(parameters: Parameters): WayBack {
  const { to, draft = "" } = readInput(BACK, parameters);
  const kept = draft === "" ? undefined : readDraft(draft);
  return { to: readWayBack(to), ...(kept && { draft: kept }) };
}

/** What anybody may have written: text by name, or nothing. */
function readDraft(json: string): FormDraft | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(value);
  return fields.every((it): it is [string, string] => typeof it[1] === "string")
    ? Object.fromEntries(fields)
    : undefined;
}

/** Takes out of a form that nobody is signed in for what is to be kept of it. */
export function draftOf(
  names: readonly string[],
  parameters: Parameters,
): FormDraft {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

export function wayBackField({ to, draft }: WayBack): Html {
  return html`<input type="hidden" name="to" value="${to}" /> ${
      draft &&
      html`<input
        type="hidden"
        name="draft"
        value="${JSON.stringify(draft)}"
      />`
    }`;
}

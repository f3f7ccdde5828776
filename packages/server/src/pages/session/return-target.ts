import { readInput, text } from "../../http/input/input.ts";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import { html, type Html } from "../kit/html.ts";
import { HOME } from "./places.ts";

/** The redirect target after a sign-in, with the draft of its form. */
export type ReturnTarget = { readonly to: string; readonly draft?: FormDraft };

/** Form fields by name. */
export type FormDraft = Readonly<Record<string, string>>;

const BACK = Type.Object({
  to: text("The page to which the sign-in leads back"),
  draft: text("JSON: what had been typed there"),
});
/** A path with the whole request of an app. */
export const MAX_TARGET_LENGTH = 4000;
// As browsers parse URLs: two slashes of either kind lead to another server.
const OWN_PATH = /^\/(?![/\\])[!-~]*$/;

/** Bytes of a draft in a form: up to twelve for each of its characters. */
export const DRAFT_BODY_LIMIT = 12 * MAX_TEXT_LENGTH + 4096;

/**
 * The sign-in page that leads back to this URL. @param url of the request, on
 * this server
 */
export function signInPath(url: string): string {
  return withReturnTarget("/users/sign_in", readReturnTarget(url));
}

/** A step of the sign-in with its redirect target. */
export function withReturnTarget(step: string, to: string): string {
  return to === HOME ? step : `${step}?to=${encodeURIComponent(to)}`;
}

/** A redirect target on this server; the stream for an invalid one. */
export function readReturnTarget(to: string | undefined): string {
  return to !== undefined && to.length <= MAX_TARGET_LENGTH && OWN_PATH.test(to)
    ? to
    : HOME;
}

/**
 * The redirect target with the draft, from the parameters of the sign-in page
 * or its form.
 */
export function returnTargetOf(parameters: Parameters): ReturnTarget {
  const { to, draft = "" } = readInput(BACK, parameters);
  const kept = draft === "" ? undefined : readDraft(draft);
  return { to: readReturnTarget(to), ...(kept && { draft: kept }) };
}

/** Pages that sign-ins do not lead back to. */
const WAYS_IN = /^\/(?:users\/.*|setup|mail\/.*)?(?:\?|$)/;

/**
 * The page of this server from which a link led here: that of an error has no target of its own,
 * so that it is the same for what is hidden and what is not there.
 */
export function refererTarget(
  referer: string | undefined,
  baseUrl: string,
): string {
  const path = referer?.startsWith(`${baseUrl}/`)
    ? referer.slice(baseUrl.length)
    : "/";
  return WAYS_IN.test(path) ? HOME : readReturnTarget(path);
}

/** Parses an untrusted draft: text by name, or undefined. */
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

/**
 * The fields of an unauthenticated form that are kept for after the sign-in.
 */
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

export function returnTargetField({ to, draft }: ReturnTarget): Html {
  return html`<input type="hidden" name="to" value="${to}" /> ${
      draft &&
      html`<input
        type="hidden"
        name="draft"
        value="${JSON.stringify(draft)}"
      />`
    }`;
}

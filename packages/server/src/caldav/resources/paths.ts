import { DavError } from "../dav-error.ts";

/** Where everything is. */
export const ROOT = "/dav/";

/** The thing that a path names, whether it exists or not. */
export type DavTarget =
  | { readonly kind: "root" }
  | { readonly kind: "principals" }
  | { readonly kind: "homes" }
  | { readonly kind: "principal" | "home"; readonly username: string }
  | {
      readonly kind: "calendar";
      readonly username: string;
      readonly calendar: string;
    }
  | {
      readonly kind: "object";
      readonly username: string;
      readonly calendar: string;
      readonly name: string;
    }
  | { readonly kind: "nothing" };

/** Characters of a name that a program chose. */
const MAX_NAME_LENGTH = 255;

/** Parses the path of a request, decoding each part exactly once. */
export function readTarget(url: string): DavTarget {
  const [path = ""] = url.split(/[?#]/, 1);
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0) return { kind: "root" };
  const [dav, kind, ...names] = parts.map(decodePart);
  if (dav !== "dav") return { kind: "nothing" };
  const [username, calendar, name] = names;
  if (kind === undefined) return { kind: "root" };
  if (kind === "principals")
    return username === undefined
      ? { kind: "principals" }
      : names.length === 1
        ? { kind: "principal", username }
        : { kind: "nothing" };
  if (kind !== "calendars" || names.length > 3) return { kind: "nothing" };
  if (username === undefined) return { kind: "homes" };
  if (calendar === undefined) return { kind: "home", username };
  return name === undefined
    ? { kind: "calendar", username, calendar }
    : { kind: "object", username, calendar, name };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DavError(400);
  }
}

/** Can something new have this name? */
export function isPossibleName(name: string): boolean {
  return (
    name.length <= MAX_NAME_LENGTH &&
    name !== "." &&
    name !== ".." &&
    !/[/\0]/.test(name)
  );
}

const encoded = encodeURIComponent;

export const PRINCIPALS = `${ROOT}principals/`;
export const HOMES = `${ROOT}calendars/`;

export function principalHref(username: string): string {
  return `${PRINCIPALS}${encoded(username)}/`;
}

export function homeHref(username: string): string {
  return `${HOMES}${encoded(username)}/`;
}

export function calendarHref(username: string, calendar: string): string {
  return `${homeHref(username)}${encoded(calendar)}/`;
}

export function objectHref(
  username: string,
  calendar: string,
  name: string,
): string {
  return `${calendarHref(username, calendar)}${encoded(name)}`;
}

/** The path in an `href` or a `Destination`, which may be a whole URL. */
export function readHref(href: string): DavTarget {
  const path = href.trim().replace(/^https?:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? readTarget(path) : { kind: "nothing" };
}

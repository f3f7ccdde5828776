import { KithError } from "../../lib/errors.ts";
import { isNestedTooDeeply, MAX_NESTING } from "./json-nesting.ts";
import { parseMultipart, type MultipartLimits } from "./multipart.ts";

/** Parameters by name, as they were sent: a repeated name has a list. */
export type Parameters = Readonly<Record<string, unknown>>;

type FileOptions = Pick<
  MultipartLimits,
  "leftFiles" | "maxFiles" | "otherFiles"
>;

const MAX_PARAMETERS = 200;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses the parameters in a body: form, multipart form or JSON object.
 * @param fileName the field whose file is kept, if the route takes one
 * @param options how many files that field takes, one by default, and fields whose files are
 *   left
 * @throws {KithError} `bad_request`, or `unsupported_media_type`, for another
 *   charset too
 */
export async function parseBody(
  contentType: string | undefined,
  body: Buffer,
  fileName?: string,
  { maxFiles, otherFiles, leftFiles }: FileOptions = {},
): Promise<Parameters> {
  // Clients send empty bodies with any type, or none.
  if (body.length === 0) return {};
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (!isUtf8(contentType ?? ""))
    throw new KithError("unsupported_media_type", "The body must be in UTF-8.");
  switch (type) {
    case "application/x-www-form-urlencoded":
      return parseForm(decodeUtf8(body));
    case "application/json":
      return parseJson(decodeUtf8(body));
    case "multipart/form-data":
      return collect(
        await parseMultipart(contentType ?? "", body, {
          fileName,
          maxFiles,
          ...{ otherFiles, leftFiles },
          maxParts: MAX_PARAMETERS,
        }),
      );
    default:
      throw new KithError(
        "unsupported_media_type",
        `The body must be a form, a multipart form or a JSON object, not ${type ?? "without a type"}.`,
      );
  }
}

const UTF_8 = new Set(["utf-8", "utf8", "us-ascii"]);

/**
 * Does it declare UTF-8, if anything? Bytes of another charset may be valid
 * UTF-8 by chance, and would be misread.
 */
function isUtf8(contentType: string): boolean {
  const said = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(contentType);
  const charset = said?.[1] ?? said?.[2];
  return charset === undefined || UTF_8.has(charset.trim().toLowerCase());
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new KithError("bad_request", "The body is not UTF-8.");
  }
}

/**
 * Parses `application/x-www-form-urlencoded` strictly: bytes that are not UTF-8
 * are an error rather than replaced.
 */
export function parseForm(text: string): Parameters {
  const pairs: [string, string][] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? "" : part.slice(equals + 1);
    const decoded = decodeComponent(name);
    pairs.push([decoded, decodeComponent(value, decoded)]);
  }
  return collect(pairs);
}

/** @param of the name whose value it is; undefined for a name */
function decodeComponent(text: string, of?: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new KithError(
      "bad_request",
      of === undefined
        ? "The name of each parameter must be in UTF-8."
        : `The parameter ${of} must be in UTF-8.`,
    );
  }
}

function parseJson(text: string): Parameters {
  if (isNestedTooDeeply(text))
    throw new KithError(
      "bad_request",
      `The lists and objects of the body are nested more than ${MAX_NESTING} deep.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KithError("bad_request", "The body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new KithError("bad_request", "The body must be a JSON object.");
  return collect(Object.entries(value));
}

/** Repeated names have lists. @throws {KithError} `bad_request` for too many */
export function collect(
  pairs: readonly (readonly [string, unknown])[],
): Parameters {
  if (pairs.length > MAX_PARAMETERS)
    throw new KithError(
      "bad_request",
      `There are more than ${MAX_PARAMETERS} parameters.`,
    );
  // Without a prototype, so that a parameter named `__proto__` is only a name.
  const found: Record<string, unknown> = Object.create(null) as Record<
    string,
    unknown
  >;
  for (const [name, value] of pairs) {
    const before = found[name];
    if (before === undefined) found[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else found[name] = [before, value];
  }
  return found;
}

import type { InjectOptions } from "fastify";
import type { Random } from "../../support/random.ts";
import { tinyPng } from "../tiny-png.ts";

/** A call before it is encoded. */
export type Draft = {
  method: string;
  path: string;
  parameters: Record<string, unknown>;
  headers: Record<string, string>;
  /** Instead of the parameters. */
  body?: { type: string; bytes: Buffer };
};

export const FORM = "application/x-www-form-urlencoded";

/** Puts the parameters into the query or into a body of one of the accepted types. */
export function encode(draft: Draft, random: Random): InjectOptions {
  const url = `/api/v0${draft.path}`;
  const { headers, parameters } = draft;
  const method = draft.method;
  if (draft.body) {
    const { type, bytes } = draft.body;
    const typed = { ...headers, "content-type": type };
    return { method, url, headers: typed, payload: bytes };
  }
  const isBodiless = method === "GET" || method === "HEAD";
  for (const [name, file] of Object.entries(FILES))
    if (name in parameters && !isBodiless)
      return withFile({ method, url, headers }, parameters, name, file());
  if (isBodiless || random.isLikely(0.2)) {
    const query = encodeForm(parameters);
    return { method, url: query === "" ? url : `${url}?${query}`, headers };
  }
  const isForm = random.isLikely(0.5);
  const type = isForm ? FORM : "application/json";
  const payload = isForm ? encodeForm(parameters) : JSON.stringify(parameters);
  return {
    method,
    url,
    headers: { ...headers, "content-type": type },
    payload,
  };
}

function encodeForm(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => [value].flat().map((it) => [name, it] as const))
    .map(([name, value]) => `${name}=${encodePart(value)}`)
    .join("&");
}

function encodePart(value: unknown): string {
  const text =
    typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.toWellFormed());
}

type FilePart = {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
};

const CALENDAR = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//fuzz//EN
BEGIN:VEVENT
UID:walk@fuzz.example
DTSTAMP:20270501T100000Z
DTSTART:20270501T100000Z
SUMMARY:A walk
END:VEVENT
END:VCALENDAR
`.replaceAll("\n", "\r\n");

/** The parameters that are files. */
const FILES: Readonly<Record<string, () => FilePart>> = {
  image: () => ({ name: "p.png", type: "image/png", bytes: tinyPng() }),
  file: () => ({
    ...{ name: "c.ics", type: "text/calendar" },
    bytes: Buffer.from(CALENDAR),
  }),
};

/** A file is sent with the other parameters in one multipart form. */
function withFile(
  request: InjectOptions,
  given: Readonly<Record<string, unknown>>,
  field: string,
  file: FilePart,
): InjectOptions {
  const fields = Object.entries(given)
    .filter(([name]) => name !== field)
    .flatMap(([name, value]) => [value].flat().map((it) => [name, it] as const))
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    });
  const head = `--x\r\ncontent-disposition: form-data; name="${field}"; filename="${file.name}"\r\ncontent-type: ${file.type}\r\n\r\n`;
  const payload = Buffer.concat([
    Buffer.from(fields.join("") + head),
    file.bytes,
    Buffer.from("\r\n--x--\r\n"),
  ]);
  const type = "multipart/form-data; boundary=x";
  return {
    ...request,
    headers: { ...request.headers, "content-type": type },
    payload,
  };
}

import type { InjectOptions } from "fastify";
import type { Random } from "../../support/random.ts";
import { tinyPng } from "../tiny-png.ts";

/** A call before it is encoded. */
export type Draft = {
  method: Exclude<InjectOptions["method"], undefined>;
  /** Below `/api`, encoded. */
  path: string;
  readonly query: [name: string, value: unknown][];
  body: Readonly<Record<string, unknown>> | undefined;
  readonly token: string | undefined;
  /** The field of the file that the route takes. */
  readonly file: string | undefined;
};

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";

/** Bodies that are nothing, or not what their type says. */
const ODD_BODIES: readonly (readonly [type: string, bytes: string])[] = [
  ["application/json", "{"],
  ["application/json", "[1]"],
  ["application/json", "null"],
  ["application/json", '{"a":1,"a":2,"__proto__":{"b":1}}'],
  ["application/json; charset=utf-16", "{}"],
  ["application/activity+json", "{}"],
  ["text/plain", "deer"],
  ["", "deer"],
  ["multipart/form-data", "--x--"],
  [MULTIPART, "--x\r\n\r\nno name\r\n--x--\r\n"],
  [MULTIPART, '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nx'],
  [FORM, "status=%ff&a=%"],
  [FORM, "=&&=a&[]=b&a[=c&status"],
  ["image/png", "\x89PNG"],
];

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: "text/html" },
  { accept: "application/activity+json" },
  { accept: "*/*;q=0, deer" },
  { "accept-language": "de, *;q=0" },
  { "idempotency-key": "row" },
  { "idempotency-key": "x".repeat(2_000) },
  { "if-none-match": "*" },
  { origin: "https://app.example" },
  { range: "bytes=5-" },
  { "x-http-method-override": "DELETE" },
  { "content-encoding": "gzip" },
  { expect: "deer" },
];

/**
 * Writes a call down: its token in a header or a parameter, its body as JSON or a form.
 * @param isPrivate keeps what it says as it is
 */
export function encodeCall(
  draft: Draft,
  isPrivate: boolean,
  random: Random,
): InjectOptions {
  const headers = {
    ...(!isPrivate && random.isLikely(0.1) && random.pick(ODD_HEADERS)),
    ...writeToken(draft, random),
  };
  const query = encodeForm(draft.query);
  const join = draft.path.includes("?") ? "&" : "?";
  const url = `/api${draft.path}${query === "" ? "" : join + query}`;
  const { method } = draft;
  const { type, payload } = encodeBody(draft, isPrivate, random);
  if (payload === undefined) return { method, url, headers };
  const typed = type === "" ? headers : { ...headers, "content-type": type };
  return { method, url, headers: typed, payload };
}

function writeToken({ token, query }: Draft, random: Random) {
  if (token === undefined) return {};
  if (random.isLikely(0.8)) return { authorization: `Bearer ${token}` };
  if (random.isLikely(0.5)) return { access_token: token };
  query.push(["access_token", token]);
  return {};
}

type Encoded = { readonly type: string; readonly payload?: string | Buffer };

function encodeBody(
  { body, file: wanted, method }: Draft,
  isPrivate: boolean,
  random: Random,
): Encoded {
  const isBodiless = ["GET", "HEAD", "OPTIONS"].includes(method);
  if (!isPrivate && !isBodiless && random.isLikely(0.04)) {
    const [type, payload] = random.pick(ODD_BODIES);
    return { type, payload };
  }
  const isUpload = random.isLikely(wanted === undefined ? 0.06 : 0.8);
  const file = !isBodiless && !isPrivate && isUpload;
  if (!file && (!body || (isBodiless && random.isLikely(0.9))))
    return { type: "" };
  const values = Object.entries(body ?? {});
  if (!file && random.isLikely(0.6))
    return {
      ...{ type: "application/json", payload: JSON.stringify(body) },
    };
  const pairs = values.flatMap(([name, value]) => flatten(name, value));
  return file || random.isLikely(0.4)
    ? { type: MULTIPART, payload: encodeParts(pairs, file, wanted, random) }
    : { type: FORM, payload: encodeForm(pairs) };
}

/** As programs write lists and records in forms. */
function flatten(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[name, value]];
  if (Array.isArray(value))
    return value.flatMap((item) => flatten(`${name}[]`, item));
  return Object.entries(value).flatMap(([key, member]) =>
    flatten(`${name}[${key}]`, member),
  );
}

function encodeForm(pairs: readonly (readonly [string, unknown])[]): string {
  return pairs
    .flatMap(([name, value]) =>
      [value].flat().map((one) => `${encode(name)}=${encode(textOf(one))}`),
    )
    .join("&");
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

const FILES: readonly (() => Buffer)[] = [
  tinyPng,
  () => Buffer.from("no picture"),
  () => tinyPng().subarray(0, 40),
  () => Buffer.alloc(0),
  () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
];
const FILE_NAMES = ["file", "avatar", "header", "thumbnail", "deer"];

function encodeParts(
  pairs: readonly (readonly [string, unknown])[],
  hasFile: boolean,
  wanted: string | undefined,
  random: Random,
): Buffer {
  const fields = pairs.map(([name, value]) =>
    Buffer.from(
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${textOf(value).toWellFormed()}\r\n`,
    ),
  );
  const end = Buffer.from("--x--\r\n");
  if (!hasFile) return Buffer.concat([...fields, end]);
  const isWanted = wanted !== undefined && random.isLikely(0.8);
  const field = isWanted ? wanted : random.pick(FILE_NAMES);
  const head = `--x\r\ncontent-disposition: form-data; name="${field}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const file = [
    Buffer.from(head),
    (random.isLikely(0.5) ? tinyPng : random.pick(FILES))(),
    Buffer.from("\r\n"),
  ];
  return Buffer.concat([...fields, ...file, end]);
}

/** Invalid requests, and the expected answers of routes that read parameters. */
export type Attack = {
  readonly name: string;
  readonly status: number;
  readonly type?: string;
  readonly body: Buffer<ArrayBuffer> | string;
  readonly malformedType?: boolean;
  /** Without a Content-Length. */
  readonly chunked?: boolean;
};

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const MULTIPART = "multipart/form-data; boundary=x";
const BAD_UTF8 = Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28]);
/** Far more than a recursion goes down. */
const DEPTH = 25_000;
const THREE_MEGABYTES = 3 * 1024 * 1024;

function around(
  before: string,
  bytes: Buffer,
  after: string,
): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
}

function part(name: string, value: string | Buffer): Buffer<ArrayBuffer> {
  const head = `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;
  return around(head, Buffer.from(value), "\r\n");
}

const numbered = Array.from({ length: 300 }, (_, n) => `p${n}`);

const forms: Attack[] = [
  { name: "raw bytes", body: around("name=", BAD_UTF8, "&post=x") },
  { name: "raw bytes in a name", body: around("", BAD_UTF8, "=x") },
  { name: "bytes that are not UTF-8, encoded", body: "name=%ff%fe" },
  { name: "half a character", body: "name=%F0%9F" },
  { name: "a surrogate, encoded", body: "name=%ED%A0%80" },
  { name: "broken encoding", body: "name=%zz" },
  { name: "encoding cut off", body: "name=%" },
  { name: "300 parameters", body: numbered.map((it) => `${it}=1`).join("&") },
].map((it) => ({ ...it, name: `form: ${it.name}`, type: FORM, status: 400 }));

const jsons: Attack[] = [
  { name: "raw bytes", body: around('{"name":"', BAD_UTF8, '"}') },
  { name: "cut off", body: '{"name":"x' },
  { name: "two values", body: "{}{}" },
  { name: "a list", body: '[{"name":"x"}]' },
  { name: "a string", body: '"name"' },
  { name: "a number", body: "1e999" },
  { name: "null", body: "null" },
  { name: "a form", body: "name=x" },
  { name: "deep", body: "[".repeat(DEPTH) + "]".repeat(DEPTH) },
  { name: "deep and cut off", body: '{"a":'.repeat(DEPTH) },
  {
    name: "300 parameters",
    body: JSON.stringify(Object.fromEntries(numbered.map((it) => [it, 1]))),
  },
].map((it) => ({
  ...it,
  name: `JSON: ${it.name}`,
  type: JSON_TYPE,
  status: 400,
}));

const multiparts: Attack[] = [
  {
    name: "raw bytes",
    body: Buffer.concat([part("name", BAD_UTF8), Buffer.from("--x--\r\n")]),
  },
  { name: "cut off", body: part("name", "value").subarray(0, 60) },
  { name: "another boundary", body: "--y\r\n\r\nvalue\r\n--y--\r\n" },
  { name: "no boundary", body: part("name", "x"), type: "multipart/form-data" },
  {
    name: "empty boundary",
    body: part("name", "x"),
    type: "multipart/form-data; boundary=",
  },
  {
    name: "300 parameters",
    body: Buffer.concat([
      ...numbered.map((it) => part(it, "1")),
      Buffer.from("--x--\r\n"),
    ]),
  },
].map((it) => ({
  type: MULTIPART,
  ...it,
  name: `multipart: ${it.name}`,
  status: 400,
}));

const otherTypes: Attack[] = [
  "application/xml",
  "text/xml; charset=utf-8",
  "text/plain",
  "application/octet-stream",
  "application/jsonx",
  "nonsense",
  "a/b/c",
  ";;;",
].map((type) => ({
  name: `type ${type}`,
  status: 415,
  type,
  malformedType: !/^[a-z]+\/[a-z]+(;|$)/.test(type.replace("-", "")),
  body: "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a><b>&b;",
}));

const big = Buffer.alloc(THREE_MEGABYTES, "a");
const bigs: Attack[] = [FORM, JSON_TYPE, MULTIPART, "text/xml"].flatMap(
  (type) =>
    [false, true].map((chunked) => ({
      name: `3 MB of ${type}${chunked ? ", of unknown length" : ""}`,
      status: 413,
      type,
      body: big,
      chunked,
    })),
);

/** Bodies that no route which reads parameters takes. */
export const BODY_ATTACKS: readonly Attack[] = [
  ...forms,
  ...jsons,
  ...multiparts,
  ...otherTypes,
  { name: "no type", status: 415, body: Buffer.from("name=x") },
  ...bigs,
];

/** Queries that no route takes. */
export const QUERY_ATTACKS: readonly string[] = [
  "name=%ff%fe",
  "%zz=1",
  "name=%",
  "name=%F0%9F",
  "a=%ED%A0%80",
  numbered.map((it) => `${it}=1`).join("&"),
];

/** Values for a part of a path, and whether they are an address at all. */
export const PATH_ATTACKS: readonly { value: string; isAddress: boolean }[] = [
  ...["%zz", "%", "%ff%fe", "%F0%9F", "%ED%A0%80"].map((value) => ({
    value,
    isAddress: false,
  })),
  ...[
    "%00",
    "a%00b",
    "%0d%0aset-cookie:a=b",
    "0",
    "-1",
    "1.5",
    "1e3",
    "NaN",
    "__proto__",
    "9007199254740993",
    "9".repeat(400),
    "x".repeat(5000),
    "%F0%9F%A6%8C".repeat(50),
    "..%2f..%2fetc%2fpasswd",
    "%27%20or%201=1--",
    "%EF%BF%BF",
  ].map((value) => ({ value, isAddress: true })),
];

/** Every name that some route reads. */
const NAMES = [
  "post aspectID eventID photoID nsfw poll_question comment text parent_guid",
  "poll_answer poll_multiple poll_ends_at answer tags people expression",
  "positive name aspect_name handle FirstName LastName Bio Birthday Gender",
  "Location Searchable Nsfw visibility unread format grant_type username",
  "password confirm client_id page resource audience csrf_token",
  "start end all_day summary description location timezone calendarID announce",
  "personID write share",
  "status from to Locale TimeZone uses days host kind url role state decision",
  "reason before invitation id sure",
  "title context action keyword whole_word until",
  "focus LinkPreviews link_previews app_name app_password",
  "endpoint p256dh auth subscription data alerts standard tag only_media",
  "aspect show reshares month parts wholes code rules registration",
  "exclusive Bot",
].flatMap((line) => line.split(" "));

/** Names that every call of the service API reads. */
const COMMON_NAMES = ["offset", "limit", "fields"];

/**
 * Deeper than any value that is read. Under all names together it is still within the limit
 * of a body, but half a million lists: it is costly, and sent to each route once.
 */
const DEEP = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;

/** JSON of values that are of no type that any parameter has. */
const WRONG_VALUES: readonly string[] = [
  '{"a":1}',
  "[[]]",
  '[{"__proto__":1}]',
  "1e308",
  "-0.5",
  "-9007199254740993",
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
];

/**
 * All of them under every name, with the names that every call reads and without them: those are
 * refused before a route reads its own.
 */
export const WRONG_BODIES: readonly {
  readonly value: string;
  readonly withCommon: boolean;
}[] = [
  ...WRONG_VALUES.flatMap((value) =>
    [true, false].map((withCommon) => ({ value, withCommon })),
  ),
  { value: DEEP, withCommon: false },
];

/** A JSON object that has one value under every name. */
export function under(value: string, withCommon: boolean): string {
  const names = withCommon ? [...NAMES, ...COMMON_NAMES] : NAMES;
  return `{${names.map((name) => `"${name}":${value}`).join(",")}}`;
}

import { hash } from "node:crypto";
import {
  repeat,
  type HostileReading,
} from "../../../scripts/work/hostile-reading.ts";
import { readSynchronizationHeader } from "../src/followers-digest.ts";
import { canonicalize } from "../src/json/jcs.ts";
import { parseJson } from "../src/json/json.ts";
import { renamesTerms } from "../src/linked-data/plain-reading.ts";
import {
  acceptsActivityPub,
  isActivityPubContentType,
} from "../src/media-types.ts";
import {
  checkHttpSignature,
  parseHttpSignature,
} from "../src/signatures/verify.ts";
import { parseJrd } from "../src/webfinger.ts";
import { understood } from "./fuzz-target.ts";
import { READERS } from "./fuzz-targets.ts";
import { hostileDocuments } from "./hostile-documents.ts";

const MAX_DOCUMENT_BYTES = 1_048_576;
const MAX_JRD_BYTES = 256 * 1024;
/** The size limit of all header lines of a request, as in Node. */
const MAX_HEADER_BYTES = 16 * 1024;
const NOW = new Date("2026-06-15T10:00:00Z");
const ORIGIN = "https://kith.example";

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

function documents(pairs: number, seed: number): HostileReading[] {
  const shapes = Object.fromEntries(
    Object.entries(hostileDocuments(pairs, seed)).map(([shape, make]) => [
      shape,
      // The syntax between the members takes some of it.
      (bytes: number) => bytesOf(make(Math.max(100, bytes * 0.9 - 2000))),
    ]),
  );
  const of = (
    name: string,
    read: (json: ReturnType<typeof parseJson>) => unknown,
  ) => ({
    name,
    maxBytes: MAX_DOCUMENT_BYTES,
    shapes,
    run: (input: Uint8Array) => understood(() => read(parseJson(input))),
  });
  return [
    ...READERS.map((read, at) => of(`reader ${at}`, read)),
    of("renamed words", renamesTerms),
    of("canonical form", canonicalize),
  ];
}

/** A request as text: its header lines, an empty line, its body. */
async function readRequest(input: Uint8Array): Promise<boolean> {
  const end = Buffer.from(input).indexOf("\n\n");
  const head = Buffer.from(input.subarray(0, end)).toString("latin1");
  const request = {
    method: "POST",
    path: "/inbox",
    headers: JSON.parse(head) as [string, string][],
    body: input.subarray(end + 2),
  };
  return understood(() => {
    const parsed = parseHttpSignature(request);
    checkHttpSignature(request, parsed, { now: NOW, origin: ORIGIN });
  });
}

const digests: HostileReading = {
  name: "HTTP signature with a body",
  maxBytes: MAX_DOCUMENT_BYTES + MAX_HEADER_BYTES,
  shapes: {
    "the digest of a long body, again and again": (bytes) => {
      const body = Buffer.alloc((bytes * 62) / 64);
      const digest = `SHA-256=${hash("sha256", body, "base64")}`;
      return signed([["digest", repeat(`${digest},`, bytes / 70)]], body);
    },
  },
  run: readRequest,
};

const signatures: HostileReading = {
  name: "HTTP signature",
  maxBytes: MAX_HEADER_BYTES,
  shapes: {
    ...rfc9421("quotes that do not end", (bytes) => repeat('\\"', bytes)),
    ...rfc9421(
      "a quote that does not end",
      (bytes) => `"${repeat("\\\\", bytes)}`,
    ),
    ...rfc9421("members without end", (bytes) => repeat("a=1,", bytes)),
    ...rfc9421("blanks", (bytes) => `a=1${repeat(" ", bytes)}`),
    ...rfc9421("components without end", (bytes) => {
      const names = Array.from({ length: bytes / 8 }, (_, at) => `"c${at}"`);
      return `a=(${names.join(" ")})`;
    }),
    ...cavage("blanks", (bytes) => repeat(" ", bytes)),
    ...cavage("backslashes", (bytes) => `a="${repeat("\\\\", bytes)}`),
    ...cavage("parameters", (bytes) => repeat('a="b",', bytes)),
  },
  run: readRequest,
};

function signed(headers: [string, string][], body: Uint8Array): Uint8Array {
  const all = [
    ["host", new URL(ORIGIN).host],
    ["date", NOW.toUTCString()],
    [
      "signature",
      `keyId="https://evil.example/k",headers="(request-target) host date digest",signature="AAAA"`,
    ],
    ...headers,
  ];
  return Buffer.concat([bytesOf(all), Buffer.from("\n\n"), body]);
}

type Shapes = HostileReading["shapes"];

function lines(
  shape: string,
  write: (bytes: number) => [string, string][],
): Shapes {
  return {
    [shape]: (bytes) =>
      Buffer.concat([bytesOf(write(bytes * 0.4)), Buffer.from("\n\n")]),
  };
}

function rfc9421(what: string, write: (bytes: number) => string): Shapes {
  return lines(`RFC 9421, ${what}`, (bytes) => [
    ["signature", write(bytes / 2)],
    ["signature-input", write(bytes / 2)],
  ]);
}

function cavage(what: string, write: (bytes: number) => string): Shapes {
  return lines(`cavage, ${what}`, (bytes) => [["signature", write(bytes / 2)]]);
}

const mediaTypes: HostileReading = {
  name: "media type",
  maxBytes: MAX_HEADER_BYTES,
  shapes: Object.fromEntries(
    [
      ",",
      ";",
      '"',
      '\\"',
      "a;b=",
      'a;b="\\",',
      "q=0,",
      " ",
      "application/ld+json;",
    ].map((unit) => [
      unit,
      (bytes: number) => Buffer.from(repeat(unit, bytes)),
    ]),
  ),
  run: (input) => {
    const text = Buffer.from(input).toString("latin1");
    return acceptsActivityPub(text) || isActivityPubContentType(text);
  },
};

const synchronizations: HostileReading = {
  name: "Collection-Synchronization",
  maxBytes: MAX_HEADER_BYTES,
  shapes: Object.fromEntries(
    ['a="b",', 'a="', "\\\\", " ", 'url="https://evil.example/'].map((unit) => [
      unit,
      (bytes: number) => Buffer.from(repeat(unit, bytes)),
    ]),
  ),
  run: (input) =>
    readSynchronizationHeader(Buffer.from(input).toString("latin1")),
};

const webfingers: HostileReading = {
  name: "WebFinger",
  maxBytes: MAX_JRD_BYTES,
  shapes: {
    links: (bytes) =>
      bytesOf({ links: Array(Math.floor(bytes / 40)).fill({ rel: "self" }) }),
    "nothing before each name": (bytes) =>
      bytesOf({
        links: Array(100).fill({
          rel: [...Array<null>(Math.floor(bytes / 510)).fill(null), "self"],
        }),
      }),
  },
  run: (input) => understood(() => parseJrd(input)),
};

/** @param pairs the number of random combinations of documents */
export function hostileReadings(pairs: number, seed: number): HostileReading[] {
  return [
    ...documents(pairs, seed),
    digests,
    signatures,
    mediaTypes,
    synchronizations,
    webfingers,
  ];
}

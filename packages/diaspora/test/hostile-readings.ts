import {
  repeat,
  type HostileReading,
} from "../../../scripts/work/hostile-reading.ts";
import { DiasporaError } from "../src/errors.ts";
import {
  base64urlEncode,
  diasporaLinksIn,
  mentionsIn,
  parseEntity,
  parseEnvelope,
  parseHcard,
  parsePersonStream,
  parseWebfinger,
  splitName,
  tagsIn,
} from "../src/index.ts";

const MAX_ENVELOPE_BYTES = 2 * 1024 * 1024;
/** The payload of an envelope is in base64. */
const MAX_PAYLOAD_BYTES = (MAX_ENVELOPE_BYTES * 3) / 4;
const MAX_HCARD_BYTES = 512 * 1024;
const MAX_WEBFINGER_BYTES = 256 * 1024;
/** The longest text in code points, of four bytes each. */
const MAX_TEXT_BYTES = 4 * 65_535;

async function understands(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof DiasporaError) return false;
    throw error;
  }
}

function reading(
  name: string,
  maxBytes: number,
  read: (text: string) => unknown,
  shapes: Readonly<Record<string, (bytes: number) => string>>,
): HostileReading {
  return {
    name,
    maxBytes,
    shapes: Object.fromEntries(
      Object.entries(shapes).map(([shape, write]) => [
        shape,
        // The surrounding syntax takes some of it.
        (bytes: number) => Buffer.from(write(Math.max(100, bytes * 0.9 - 500))),
      ]),
    ),
    run: (input) => understands(() => read(Buffer.from(input).toString())),
  };
}

/** Repetitions of one string, with a start and an end around them. */
const within = (start: string, unit: string, end: string) => (bytes: number) =>
  start + repeat(unit, bytes) + end;

/** A text whose characters all differ, which costs most to encode. */
const FOREIGN_HOST = Array.from({ length: 2000 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_900)),
).join("");

const post = (inner: string) =>
  `<status_message><author>a@pod.example</author><guid>0123456789abcdef</guid>` +
  `<created_at>2026-06-15T10:00:00Z</created_at><public>true</public>${inner}<text>x</text></status_message>`;
const photo = (path: string) =>
  `<photo><guid>0123456789abcdef</guid><author>a@pod.example</author><public>true</public>` +
  `<created_at>2026-06-15T10:00:00Z</created_at><remote_photo_path>${path}</remote_photo_path>` +
  `<remote_photo_name>a.png</remote_photo_name></photo>`;

const entities: Parameters<typeof reading>[3] = {
  text: (bytes) => post(`<text>${repeat("x", bytes)}</text>`),
  "texts without end": (bytes) => post(repeat("<text>x</text>", bytes)),
  "elements nobody knows": (bytes) => post(repeat("<x/>", bytes)),
  "pictures without end": (bytes) => post(repeat(photo("http://a/"), bytes)),
  "pictures with foreign hosts": (bytes) =>
    post(repeat(photo(`http://${FOREIGN_HOST}/`), bytes)),
  "pictures with paths to foreign hosts": (bytes) =>
    post(repeat(photo(`//${FOREIGN_HOST}/`), bytes)),
  "a long foreign host": (bytes) =>
    post(photo(`http://${repeat(FOREIGN_HOST, bytes)}/`)),
  "handles without end": (bytes) =>
    `<conversation><author>a@b.example</author><guid>0123456789abcdef</guid><subject>x</subject><created_at>2026-06-15T10:00:00Z</created_at><participants>${repeat("a@b.example;", bytes)}c@d.example</participants></conversation>`,
  "characters by their numbers": (bytes) =>
    post(`<text>${repeat("&#x41;", bytes)}</text>`),
  "comments without end": (bytes) => post(repeat("<!---->", bytes)),
  "attributes without end": (bytes) => `<a ${repeat('b="c" ', bytes)}/>`,
  "one long name": (bytes) => `<${repeat("a", bytes)}/>`,
  depth: (bytes) => repeat("<a>", bytes),
  CDATA: (bytes) => post(`<text>${repeat("<![CDATA[]]>", bytes)}</text>`),
};

const envelope = (data: string, signature: string) =>
  `<me:env xmlns:me="http://salmon-protocol.org/ns/magic-env"><me:data type="application/xml">${data}</me:data>` +
  `<me:encoding>base64url</me:encoding><me:alg>RSA-SHA256</me:alg>` +
  `<me:sig key_id="${base64urlEncode("a@pod.example")}">${signature}</me:sig></me:env>`;

const envelopes: Parameters<typeof reading>[3] = {
  data: (bytes) => envelope(repeat("AAAA", bytes), "AAAA"),
  "a signature without end": (bytes) => envelope("AAAA", repeat("AAAA", bytes)),
  "blanks in the data": (bytes) => envelope(repeat("A ", bytes), "AAAA"),
  "padding without end": (bytes) => envelope(repeat("=", bytes), "AAAA"),
};

const TAGS = ["<b>", "<b></b>", "<br>", "<p><div>", "</b>", "<svg>", "<a b>"];
const TEXTS = [
  ...["x", "<", "&", "&amp;", "&#1", '"', "=", "<!--", "<?", "\n", " "],
  ...["#", "#a ", "\u202e", "\u202e#", "@{", "@{a; ", "@{a@b.c} ", "}", "a\n"],
  ...["diaspora://", "diaspora://a@b.c/post/", "\u0301", ";", "a a "],
];

const hcards: Parameters<typeof reading>[3] = {
  ...Object.fromEntries(
    [...TAGS, ...TEXTS].map((unit) => [unit, within("<p>", unit, "</p>")]),
  ),
  "photos in photos": within("", '<p class="entity_photo photo" src="a">', ""),
  "classes without end": within('<p class="', "uid fn ", '">'),
  "texts in texts": within('<p class="uid">', '<p class="fn key uid">x', ""),
};

const texts: Parameters<typeof reading>[3] = Object.fromEntries(
  TEXTS.map((unit) => [unit, within("#a @{a@b.c} ", unit, "")]),
);

const links: Parameters<typeof reading>[3] = {
  links: (bytes) =>
    JSON.stringify({
      subject: "acct:a@pod.example",
      links: Array(Math.floor(bytes / 40)).fill({ rel: "self", type: "x" }),
    }),
  "a type without end": (bytes) =>
    JSON.stringify({
      subject: "acct:a@pod.example",
      links: [
        { rel: "self", type: `application/ld+json;${repeat(";", bytes)}` },
      ],
    }),
};

/** Everything in this package that reads untrusted input. */
export const hostileReadings: readonly HostileReading[] = [
  reading("envelope", MAX_ENVELOPE_BYTES, parseEnvelope, envelopes),
  reading("entity", MAX_PAYLOAD_BYTES, parseEntity, entities),
  reading("hCard", MAX_HCARD_BYTES, parseHcard, hcards),
  reading("mentions", MAX_TEXT_BYTES, mentionsIn, texts),
  reading("tags", MAX_TEXT_BYTES, tagsIn, texts),
  reading("links", MAX_TEXT_BYTES, diasporaLinksIn, texts),
  reading("name", MAX_TEXT_BYTES, splitName, texts),
  reading(
    "WebFinger",
    MAX_WEBFINGER_BYTES,
    (json) => parseWebfinger(json, "a@pod.example"),
    links,
  ),
  reading("person stream", MAX_ENVELOPE_BYTES, parsePersonStream, {
    entries: (bytes) => `[${repeat("{},", bytes)}{}]`,
  }),
];

import assert from "node:assert/strict";
import sharp from "sharp";
import {
  mutate,
  pick,
  seeded as seededAsOthers,
  type Random,
} from "../../diaspora/test/mutate.ts";
import type { FuzzTarget } from "../../diaspora/test/fuzz-targets.ts";
import { parseBody } from "../src/http/input/parameters.ts";
import { KithError } from "../src/lib/errors.ts";
import { cleanHtml, htmlToText } from "../src/lib/html/html-cleaner.ts";
import {
  assertHarmless,
  HOSTILE,
} from "../src/lib/html/html-hostile.fixture.ts";
import { createImageProcessor } from "../src/lib/images/image-processor.ts";
import { readText, renderMarkdown } from "../src/lib/markdown/markdown.ts";
import { htmlToMarkdown } from "../src/lib/markdown/markdown-from-html.ts";

export const seeded = seededAsOthers;

/** True where `read` returns, false where it refuses in the agreed way. */
async function understands(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof KithError) return false;
    throw error;
  }
}

const textOf = (input: Uint8Array) => Buffer.from(input).toString("utf8");
const render = (text: string) =>
  renderMarkdown(text, {
    mention: (handle) => ({ href: "https://pod.example/u/a", label: handle }),
    tagHref: (tag) => `https://pod.example/tags/${encodeURIComponent(tag)}`,
  });

/** Several tricks in one, each perhaps in the middle of another. */
function hostileHtml(random: Random): Buffer {
  const parts = Array.from({ length: 1 + random(4) }, () =>
    mutate(Buffer.from(pick(HOSTILE, random)), random),
  );
  return mutate(Buffer.concat(parts), random);
}

/** In every display it contains only allowed markup, and cleaning it again changes nothing. */
const html: FuzzTarget = {
  name: "HTML",
  next: hostileHtml,
  run: (input) => {
    const text = textOf(input);
    const clean = cleanHtml(text);
    assertHarmless(clean);
    htmlToText(text);
    return clean !== "";
  },
};

/** Received as HTML, stored as Markdown, and shown as HTML again. */
const roundTrip: FuzzTarget = {
  name: "HTML as Markdown",
  next: hostileHtml,
  run: (input) => {
    const markdown = htmlToMarkdown(textOf(input));
    assertHarmless(render(markdown));
    return markdown !== "";
  },
};

const TEXTS = [
  "Hi @{Alice; alice@pod-a.example}, **see** [this](https://a.example/ 'x')\n\n> #tag",
  "![picture](https://a.example/a.png)\n\n- a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |",
  '[x](javascript:alert(1)) <https://a.example/?a=b&c="d> `code` ~~gone~~\n***',
  "diaspora://alice@pod-a.example/post/3a0808264e17aa0f65e7fbdb12ad452b &lt;b&gt;",
];

const markdown: FuzzTarget = {
  name: "Markdown",
  next: (random) => {
    const text = mutate(Buffer.from(pick(TEXTS, random)), random);
    return random(3) === 0 ? Buffer.concat([text, hostileHtml(random)]) : text;
  },
  run: (input) => {
    const text = textOf(input);
    assertHarmless(render(text));
    const { tags, handles } = readText(text);
    return tags.length + handles.length > 0;
  },
};

const BOUNDARY = "----b";
const BODIES: readonly (readonly [type: string, body: string])[] = [
  ["application/x-www-form-urlencoded", "post=a+b%20c&photoID=1&photoID=2&x="],
  ["application/json", '{"post":"a","photoID":[1,2],"x":{"y":null}}'],
  [
    `multipart/form-data; boundary=${BOUNDARY}`,
    [
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="post"',
      "",
      "a",
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="file"; filename="a.png"',
      "Content-Type: image/png",
      "",
      "bytes",
      `--${BOUNDARY}--`,
      "",
    ].join("\r\n"),
  ],
];

/** The first line is the type, the rest is the body. */
const bodies: FuzzTarget = {
  name: "bodies of requests",
  next: (random) => {
    const [type, body] = pick(BODIES, random);
    const changed = random(4) === 0 ? mutate(Buffer.from(type), random) : type;
    const mutant = mutate(Buffer.from(body), random);
    return Buffer.concat([Buffer.from(changed), Buffer.from("\n"), mutant]);
  },
  run: (input) => {
    const bytes = Buffer.from(input);
    const end = Math.max(0, bytes.indexOf("\n"));
    const type = bytes.subarray(0, end).toString("latin1");
    return understands(() => parseBody(type, bytes.subarray(end + 1), "file"));
  },
};

const drawn = sharp({
  create: { width: 40, height: 30, channels: 3, background: "red" },
}).composite([
  {
    input: Buffer.from(
      '<svg width="20" height="20"><circle cx="9" cy="9" r="8" fill="blue"/></svg>',
    ),
  },
]);
const samples = await Promise.all([
  drawn
    .clone()
    .jpeg()
    .withExif({ IFD0: { Artist: "somebody" } })
    .toBuffer(),
  drawn.clone().png().toBuffer(),
  drawn.clone().webp().toBuffer(),
  drawn.clone().gif().toBuffer(),
  drawn.clone().avif({ effort: 0 }).toBuffer(),
]);
const images = createImageProcessor();

/** It is a picture of a size that can be, or none. */
const pictures: FuzzTarget = {
  name: "picture",
  next: (random) => {
    const sample = Buffer.from(pick(samples, random));
    if (random(3) === 0) return mutate(sample, random);
    // A few bits only: most of the file still reaches the decoder.
    for (let times = 1 + random(8); times > 0; times -= 1) {
      const at = random(sample.length);
      sample[at] = (sample[at] ?? 0) ^ (1 << random(8));
    }
    return sample;
  },
  run: (input) =>
    understands(async () => {
      const image = await images.process(input, "post");
      assert.ok(image.width > 0 && image.height > 0 && image.files.length > 0);
    }),
};

/** Everything in the server itself that reads untrusted input. */
export const fuzzTargets: readonly FuzzTarget[] = [
  html,
  roundTrip,
  markdown,
  bodies,
  pictures,
];

/** A whole number from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** A small seeded generator (mulberry32), so that a failure can be reproduced. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One of several. */
export function pick<T>(from: readonly T[], random: Random): T {
  const found = from[random(from.length)];
  if (found === undefined) throw new Error("Nothing to pick from");
  return found;
}

/** Strings that break parsers of XML, HTML and JSON, or readers of values. */
const SPLICES = [
  "<",
  ">",
  "&",
  "&#0;",
  "&#xFFFE;",
  "&#13;",
  "&amp;",
  "]]>",
  "<![CDATA[",
  "<!--",
  "-->",
  "<!DOCTYPE a>",
  "<?xml version='1.1'?>",
  "<a>",
  "</a>",
  "<author>",
  "<text/>",
  "me:",
  ' x="1"',
  ";",
  "\r\n",
  "\0",
  "\u{1F600}",
  "=",
  "-",
  "null",
  "[]",
  "{}",
  '"',
  "\\u0000",
  "9".repeat(400),
  "@{".repeat(50),
  "<b>".repeat(50),
];

/** Changes a text in one to four places: a bit, a byte, a splice, a cut, a repeated part. */
export function mutate(bytes: Uint8Array, random: Random): Buffer {
  let mutant: Buffer = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    mutant = mutateOnce(mutant, random);
  }
  return mutant;
}

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return Buffer.from(pick(SPLICES, random));
  const at = random(bytes.length);
  const until = Math.min(bytes.length, at + random(40));
  const head = bytes.subarray(0, at);
  switch (random(6)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes;
    case 1:
      bytes[at] = 0x20 + random(0x5f);
      return bytes;
    case 2:
      return Buffer.concat([head, bytes.subarray(until)]);
    case 3:
      return Buffer.concat([
        bytes.subarray(0, until),
        bytes.subarray(at, until),
        bytes.subarray(until),
      ]);
    case 4: {
      const other = random(bytes.length);
      const part = bytes.subarray(other, other + random(80));
      return Buffer.concat([head, part, bytes.subarray(at)]);
    }
    default:
      return Buffer.concat([
        head,
        Buffer.from(pick(SPLICES, random)),
        bytes.subarray(random(2) === 0 ? at : until),
      ]);
  }
}

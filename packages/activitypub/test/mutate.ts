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

const SPLICES = [
  "null",
  "[]",
  "{}",
  '""',
  "-1",
  "1e308",
  "1e999",
  '"\\ud800"',
  "[[[[[[]]]]]]",
  '{"id":[]}',
  '["https://a.example/",7]',
  '{"type":["Note","Event"]}',
  '{"__proto__":{"polluted":true}}',
  '"2026-06-15T10:00:00Z"',
  '"https://kith.example/1"',
  "true",
  ",",
  "}",
  '"',
  "\\",
];

/** Changes one to four bytes, and half the time replaces a whole value by another one. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  const text = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(text.length);
    const byte = text[at] ?? 0;
    if (random(3) > 0) text[at] = byte ^ (1 << random(7));
    else text[at] = 0x20 + random(0x5f);
  }
  return random(2) === 0 ? text : splice(text, random);
}

/** Replaces a whole value by another one, which keeps a document well-formed more often than byte changes do. */
export function splice(bytes: Uint8Array, random: Random): Uint8Array {
  const text = Buffer.from(bytes);
  const values = [
    ...text
      .toString("latin1")
      .matchAll(/:\s*("(?:[^"\\]|\\.)*"|null|true|false|\d+|\[\])/g),
  ];
  if (values.length === 0) return text;
  const value = pick(values, random);
  const end = value.index + value[0].length;
  return Buffer.concat([
    text.subarray(0, value.index),
    Buffer.from(`:${pick(SPLICES, random)}`),
    text.subarray(end),
  ]);
}

/** Changes a header, a URL or another short text in one place: a character, a cut, a repeated part. */
export function mutateText(text: string, random: Random): string {
  const at = random(text.length + 1);
  const until = Math.min(text.length, at + random(12));
  switch (random(5)) {
    case 0:
      return text.slice(0, at) + text.slice(until);
    case 1:
      return text.slice(0, until) + text.slice(at);
    case 2:
      return (
        text.slice(0, at) +
        String.fromCharCode(random(256)) +
        text.slice(at + 1)
      );
    case 3:
      return (
        text.slice(0, at) +
        pick([" ", ",", ";", '"', "=", "\t", "\\", "(", "\n", "é"], random) +
        text.slice(at)
      );
    default:
      return (
        text.slice(0, at) +
        String.fromCharCode(text.charCodeAt(at) ^ (1 << random(7))) +
        text.slice(at + 1)
      );
  }
}

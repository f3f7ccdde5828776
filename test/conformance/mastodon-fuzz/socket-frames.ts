import type { Random } from "../../support/random.ts";
import { HOSTILE_VALUES } from "./hostile-values.ts";
import type { MastodonWorld, Owner } from "./mastodon-world.ts";
import { frame, OPCODES, type FrameOptions } from "./raw-socket.ts";

const STREAMS = [
  ...["user", "user:notification", "direct", "list", "public", "public:local"],
  ...["public:remote", "public:media", "hashtag", "hashtag:local", "local"],
];
const NO_STREAMS = [
  ...["", " ", "nonsense", "USER", "user ", "__proto__", "constructor"],
  ...["toString", "public:", "list:1", "../user", "user\0", "x".repeat(3_000)],
];

/** Bytes to send, and whether the socket may stay open after them. */
export type Sent = { readonly bytes: Buffer; readonly isAllowed: boolean };

/** A message of a client: mostly one with something odd in it. */
function message(world: MastodonWorld, owner: Owner, random: Random): string {
  const odd = () => random.pick(HOSTILE_VALUES);
  if (random.isLikely(0.15)) return textOf(odd());
  const value: Record<string, unknown> = {
    type: random.isLikely(0.75) ? "subscribe" : "unsubscribe",
    stream: random.pick(random.isLikely(0.8) ? STREAMS : NO_STREAMS),
    list: random.isLikely(0.7) ? world.findId("List", owner, random) : odd(),
    tag: random.pick(["row", "Row", "#row", "", "a b", "🦌"]),
  };
  if (random.isLikely(0.3))
    value[random.pick(["type", "stream", "list", "tag", "__proto__"])] = odd();
  if (random.isLikely(0.1)) value["list"] = [value["list"], "1"];
  const text = textOf(value);
  if (random.isLikely(0.05)) return text.slice(0, random.below(text.length));
  if (random.isLikely(0.05)) return `${text}${text}`;
  if (random.isLikely(0.05))
    return text.replace("{", '{"__proto__":{"type":"subscribe"},"type":7,');
  return text;
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? "undefined";

/** Frames that every server must refuse. */
const BROKEN: readonly (readonly [Uint8Array | string, FrameOptions])[] = [
  ["{}", { isMasked: false }],
  ...[1, 2, 4, 7].map((reserved) => ["{}", { reserved }] as const),
  ...[3, 4, 7, 11, 15].map((opcode) => ["{}", { opcode }] as const),
  ["{}", { opcode: OPCODES.more }],
  ["x".repeat(126), { opcode: OPCODES.ping }],
  ["", { opcode: OPCODES.ping, isLast: false }],
  [Buffer.from([0xff, 0xfe, 0xc0]), {}],
  [Buffer.from([0x03]), { opcode: OPCODES.close }],
  [Buffer.from([0x03, 0xec]), { opcode: OPCODES.close }],
  [Buffer.from([0x00, 0x00, 0xff]), { opcode: OPCODES.close }],
  ["x", { length: 2n ** 63n, lengthBytes: 8 }],
  ["x", { length: 2n ** 64n - 1n, lengthBytes: 8 }],
  ["x", { length: 2n ** 31n, lengthBytes: 8 }],
  ["x".repeat(5_000), {}],
  ["x".repeat(70_000), { opcode: OPCODES.binary }],
];

/** Cut into frames of one message. @param size of each of them */
function fragments(text: string, size: number, opcode: number): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += size) {
    const isLast = at + size >= bytes.length;
    const of = at === 0 ? opcode : OPCODES.more;
    parts.push(frame(bytes.subarray(at, at + size), { opcode: of, isLast }));
    // Control frames may come in between.
    if (at === 0) parts.push(frame("ping", { opcode: OPCODES.ping }));
  }
  return Buffer.concat(parts);
}

/** What a client sends next. */
export function nextBytes(
  world: MastodonWorld,
  owner: Owner,
  random: Random,
): Sent {
  const text = message(world, owner, random);
  const isLong = Buffer.byteLength(text) > 4_096;
  const opcode = random.isLikely(0.8) ? OPCODES.text : OPCODES.binary;
  if (random.isLikely(0.6))
    return { bytes: frame(text, { opcode }), isAllowed: !isLong };
  if (random.isLikely(0.4)) {
    const size = 1 + random.below(400);
    return { bytes: fragments(text, size, opcode), isAllowed: !isLong };
  }
  if (random.isLikely(0.3)) {
    const options = { opcode: random.pick([OPCODES.ping, 10]) };
    const bytes = frame("x".repeat(random.below(126)), options);
    const many = Array.from({ length: 1 + random.below(20) }, () => bytes);
    return { bytes: Buffer.concat(many), isAllowed: true };
  }
  if (random.isLikely(0.3)) {
    // A whole message beyond the limit, each of its frames within it.
    const long = "x".repeat(4_097 + random.below(20_000));
    return { bytes: fragments(long, 1_000, opcode), isAllowed: false };
  }
  const [payload, options] = random.pick(BROKEN);
  return { bytes: frame(payload, options), isAllowed: false };
}

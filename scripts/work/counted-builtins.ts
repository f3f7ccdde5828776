import { createRequire, syncBuiltinESMExports } from "node:module";
import { countSteps, execNatively } from "./regexp-steps.ts";

/** The counted work. */
export type Tally = { units: number; isCounting: boolean };

/** Adds work. The counting itself is not counted. */
type Add = (count: () => number) => void;

type Method = (this: never, ...args: never[]) => unknown;
type Cost = (self: never, args: readonly unknown[]) => number;

const lengthOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : 0;
const ofSelf: Cost = (self) => lengthOf(self);
/** Entries before the position keep theirs. */
const ofMoved: Cost = (self, [start]) => {
  const at = Number(start ?? 0);
  return at < 0 ? -at : Math.max(0, lengthOf(self) - at);
};
/** Stands for the length of what is returned. */
const ofResult: Cost = () => 0;

/** Built-ins whose time is proportional to a length, and that call no other counted code. */
const COSTS: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    Array.prototype,
    {
      includes: ofSelf,
      indexOf: ofSelf,
      lastIndexOf: ofSelf,
      shift: ofSelf,
      unshift: ofSelf,
      splice: ofMoved,
      reverse: ofSelf,
      sort: ofSelf,
      slice: ofResult,
      concat: ofResult,
      join: ofResult,
      fill: ofSelf,
    },
  ],
  [
    String.prototype,
    {
      includes: ofSearch,
      indexOf: ofSearch,
      split: ofSelf,
      replaceAll: ofSelf,
      toLowerCase: ofSelf,
      toUpperCase: ofSelf,
      normalize: ofSelf,
      isWellFormed: ofSelf,
      toWellFormed: ofSelf,
      trim: ofResult,
      repeat: ofResult,
    },
  ],
  [
    JSON,
    {
      parse: (_self, [text]) => lengthOf(text),
      stringify: ofResult,
    },
  ],
  [Object, { entries: ofResult, keys: ofResult, values: ofResult }],
  [URL, { parse: ofUrl, canParse: ofUrl }],
];

/** Replaces them for the lifetime of this process. */
export function countBuiltins(tally: Tally): void {
  const add: Add = (count) => {
    if (!tally.isCounting) return;
    tally.isCounting = false;
    tally.units += count();
    tally.isCounting = true;
  };
  for (const [owner, costs] of COSTS)
    for (const [name, cost] of Object.entries(costs))
      replace(owner, name, cost, add);
  countUrls(add);
  countHashes(add);
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    add(() => countSteps(this, String(text), from));
    return execNatively(this, text);
  };
}

function replace(owner: object, name: string, cost: Cost, add: Add): void {
  const known = (owner as Record<string, Method>)[name];
  if (!known) throw new Error(`There is no ${name}`);
  const counted = function (this: never, ...args: never[]): unknown {
    // Before the call, which may change its object.
    if (cost !== ofResult) add(() => cost(this, args));
    const result = Reflect.apply(known, this, args);
    if (cost === ofResult) add(() => lengthOf(result));
    return result;
  };
  Object.defineProperty(owner, name, {
    value: counted,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

/**
 * V8 compares a search text from its end, and shifts it by the last position of its
 * final character: if that is near the end, the lengths are multiplied.
 */
function ofSearch(self: never, args: readonly unknown[]): number {
  const text = String(self);
  const [sought, from] = args;
  const start = typeof from === "number" && from > 0 ? from : 0;
  if (typeof sought !== "string") return text.length;
  const found = text.indexOf(sought, start);
  const end = found < 0 ? text.length : found + sought.length;
  if (sought.length < 8) return end - start;
  const last = sought.length - 1;
  const before = sought.lastIndexOf(sought.charAt(last), last - 1);
  let steps = (end - start) / sought.length;
  for (let at = start; at + last < end;) {
    let same = last;
    while (same >= 0 && sought[same] === text[at + same]) same -= 1;
    steps += last - same;
    if (same < 0) break;
    at += same === last ? 1 : Math.max(1, last - before);
  }
  return steps;
}

/** Encoding a non-ASCII label of a host name takes quadratic time. */
function ofUrl(_self: never, [text]: readonly unknown[]): number {
  const address = String(text);
  const host = /^\w+:\/\/([^/?#]*)/.exec(address)?.[1] ?? "";
  const squares = host
    .split(".")
    .filter((label) => /[^\0-\x7f]/.test(label))
    .map((label) => label.length ** 2);
  return squares.reduce((sum, square) => sum + square, address.length);
}

function countUrls(add: Add): void {
  globalThis.URL = class extends URL {
    constructor(...args: ConstructorParameters<typeof URL>) {
      add(() => ofUrl(undefined as never, args));
      super(...args);
    }
  };
}

/** Eight bytes cost as much as one other step. */
const BYTES_AT_ONCE = 8;

function countHashes(add: Add): void {
  const crypto = createRequire(import.meta.url)("node:crypto") as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  for (const name of ["hash", "verify", "sign"]) {
    const known = crypto[name];
    if (!known) throw new Error(`There is no ${name}`);
    crypto[name] = (...args) => {
      const data = args[1];
      const length =
        typeof data === "string"
          ? data.length
          : ((data as Uint8Array | null)?.byteLength ?? 0);
      add(() => length / BYTES_AT_ONCE);
      return known(...args);
    };
  }
  syncBuiltinESMExports();
}

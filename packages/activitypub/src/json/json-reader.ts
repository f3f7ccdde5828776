import { ActivityPubError } from "../errors.ts";
import type { JsonObject, JsonValue } from "./json-types.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: readonly [string, JsonValue][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const DROPPED: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

/** An object without a prototype. V8 reads it faster than the result of `Object.create(null)`. */
const Bare = function () {} as unknown as new () => object;
Bare.prototype = Object.freeze(Object.create(null) as object);

/**
 * Parses a JSON text in one pass (RFC 8259). `JSON.parse` is unsuitable: it keeps the last of two members with the same
 * name and has no depth limit, so a second reader of the same bytes might see another document.
 */
export class JsonReader {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  /** Reads the whole text as one value. */
  readDocument(): JsonValue {
    const value = this.#readValue();
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#fault("Text after the value");
    return value;
  }

  #readValue(): JsonValue {
    this.#skipBlanks();
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#readString();
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.#depth += 1;
      if (this.#depth > this.#maxDepth) throw this.#fault("Nested too deeply");
      this.#at += 1;
      const value =
        code === OPEN_OBJECT ? this.#readObject() : this.#readArray();
      this.#depth -= 1;
      return value;
    }
    return this.#readScalar();
  }

  #readObject(): JsonObject {
    const object = new Bare() as JsonObject;
    let dropped: Set<string> | undefined;
    this.#skipBlanks();
    if (this.#take(CLOSE_OBJECT)) return object;
    for (;;) {
      this.#skipBlanks();
      if (this.#text.charCodeAt(this.#at) !== QUOTE) {
        throw this.#fault("A name was expected");
      }
      const name = this.#readString();
      if (name in object || dropped?.has(name)) {
        throw this.#fault("A name stands twice in one object");
      }
      this.#skipBlanks();
      if (!this.#take(COLON)) throw this.#fault("A colon was expected");
      const value = this.#readValue();
      if (DROPPED.has(name)) (dropped ??= new Set()).add(name);
      else object[name] = value;
      this.#skipBlanks();
      if (this.#take(CLOSE_OBJECT)) return object;
      if (!this.#take(COMMA)) throw this.#fault("A comma was expected");
    }
  }

  #readArray(): JsonValue[] {
    const array: JsonValue[] = [];
    this.#skipBlanks();
    if (this.#take(CLOSE_ARRAY)) return array;
    for (;;) {
      array.push(this.#readValue());
      this.#skipBlanks();
      if (this.#take(CLOSE_ARRAY)) return array;
      if (!this.#take(COMMA)) throw this.#fault("A comma was expected");
    }
  }

  #readString(): string {
    const start = this.#at;
    const text = this.#text;
    let escaped = false;
    for (let at = start + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start) : text.slice(start + 1, at);
      }
      if (code < 0x20) throw this.#fault("A control character in a string");
      if (code === BACKSLASH) {
        escaped = true;
        at += 1;
      }
    }
    throw this.#fault("A string without an end");
  }

  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      throw this.#fault("A wrong escape in a string");
    }
  }

  #readScalar(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.#at;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#fault("A value was expected");
    this.#at += digits.length;
    const number = Number(digits);
    if (!Number.isFinite(number)) throw this.#fault("A number out of range");
    return number;
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return;
      }
      this.#at += 1;
    }
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at += 1;
    return true;
  }

  #fault(what: string): ActivityPubError {
    return new ActivityPubError("malformed_json", `${what} (at ${this.#at})`);
  }
}

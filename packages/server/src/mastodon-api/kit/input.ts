import { UploadedFile } from "../../http/input/multipart.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { isRecord, nestParameters } from "./nested.ts";

/** More items of a list are not read. */
const MAX_ITEMS = 200;

const TRUE: ReadonlySet<unknown> = new Set([true, 1, "true", "1", "on", "t"]);
const FALSE: ReadonlySet<unknown> = new Set([
  ...[false, 0, "false", "0", "off", "f", ""],
]);

/**
 * The parameters of a call. Query, form, multipart form and JSON mean the same; null is
 * absent, and unknown names are ignored. Every reader throws `bad_request` for a value of
 * another kind.
 */
export class Input {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  static of(parameters: Parameters): Input {
    return new Input(nestParameters(parameters));
  }

  /** Is anything given under this name, a blank text included? */
  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== null;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return value === undefined || value === null
      ? undefined
      : readText(name, value);
  }

  /** The same; a blank text is absent. */
  filled(name: string): string | undefined {
    const text = this.text(name)?.trim();
    return text === "" ? undefined : text;
  }

  flag(name: string): boolean | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    if (TRUE.has(value)) return true;
    if (FALSE.has(value)) return false;
    throw refusal(name, "true or false");
  }

  /** A whole number from 0 on; a blank one is absent. */
  uint(name: string): number | undefined {
    const text = this.filled(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,19}$/.test(text)) throw refusal(name, "a whole number");
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  }

  /** An id. What is none names nothing that exists, so it is 0. */
  id(name: string): number | undefined {
    const text = this.filled(name);
    return text === undefined ? undefined : parseId(text);
  }

  /** A list; one value alone is a list of one, and a record by numbers its values. */
  texts(name: string): string[] {
    return this.#list(name).map((value) => readText(name, value));
  }

  ids(name: string): number[] {
    return this.texts(name).map(parseId);
  }

  record(name: string): Input | undefined {
    const value = this.#values[name];
    return isRecord(value) ? new Input(value) : undefined;
  }

  records(name: string): Input[] {
    return this.#list(name)
      .filter(isRecord)
      .map((it) => new Input(it));
  }

  file(name: string): UploadedFile | undefined {
    const value = this.#values[name];
    return value instanceof UploadedFile ? value : undefined;
  }

  #list(name: string): unknown[] {
    const value = this.#values[name];
    if (value === undefined || value === null) return [];
    const all = Array.isArray(value)
      ? value
      : isRecord(value)
        ? Object.values(value)
        : [value];
    if (all.length > MAX_ITEMS)
      throw refusal(name, `a list of at most ${MAX_ITEMS}`);
    return all.filter((item) => item !== null);
  }
}

/** @returns 0, which no record has, for a text that is no id */
export function parseId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}

function readText(name: string, value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean")
    return String(value);
  // NUL and lone surrogates cannot be stored.
  if (
    typeof value === "string" &&
    !value.includes("\0") &&
    value.isWellFormed()
  )
    return value;
  throw refusal(name, "a text");
}

function refusal(name: string, what: string): KithError {
  return new KithError("bad_request", `The parameter ${name} must be ${what}.`);
}

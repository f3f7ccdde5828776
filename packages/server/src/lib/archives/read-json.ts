import { createReadStream } from "node:fs";
import { JSONParser } from "@streamparser/json";
import { refuse } from "./archive-entry.ts";

/** Of one record, with what surrounds it: no post is that long. */
const MAX_RECORD_BYTES = 2 * 1024 * 1024;

export type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the records of a JSON file of any size, with one of them in memory.
 * @param records the path of the records, such as `$.orderedItems.*`
 * @throws {KithError} `bad_request` for a file that is no JSON, or a record that is too long
 */
export async function* readRecords(
  file: string,
  records: string,
): AsyncGenerator<unknown, void, undefined> {
  let found: unknown[] = [];
  const parser = new JSONParser({ paths: [records], keepStack: false });
  parser.onValue = ({ value }) => void found.push(value);
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    bytes += (chunk as Buffer).length;
    write(parser, chunk as Buffer);
    if (found.length > 0) bytes = 0;
    yield* found;
    found = [];
    if (bytes > MAX_RECORD_BYTES) throw refuse("has a record that is too long");
  }
  if (!parser.isEnded) throw refuse("has a JSON file without an end");
}

/**
 * Reads records of several lists of one JSON file, in the order of the file, with one of them
 * in memory, and with whatever lies beside these lists.
 * @param lists the paths of lists in objects, such as `user.posts`
 * @param values the paths of single values, such as `user.name`
 * @param hasLines the file has one JSON value in each line
 * @throws {KithError} as `readRecords`
 */
export async function* readLists(
  file: string,
  lists: readonly string[],
  values: readonly string[] = [],
  hasLines = false,
): AsyncGenerator<
  { readonly list: string; readonly value: unknown },
  void,
  undefined
> {
  let found: { list: string; value: unknown }[] = [];
  const paths = [
    ...lists.map((list) => `$.${list}.*`),
    ...values.map((value) => `$.${value}`),
  ];
  const begin = () => {
    const parser = new JSONParser({ paths, keepStack: false });
    parser.onValue = ({ value, key, stack }) => {
      const names = stack.slice(1).map((it) => String(it.key));
      const own = [...names, String(key)].join(".");
      found.push({ list: values.includes(own) ? own : names.join("."), value });
    };
    return parser;
  };
  let parser = begin();
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    bytes += (chunk as Buffer).length;
    for (const part of hasLines
      ? linesOf(chunk as Buffer)
      : [chunk as Buffer]) {
      if (hasLines && parser.isEnded && !isBlank(part)) parser = begin();
      write(parser, part);
    }
    if (found.length > 0) bytes = 0;
    yield* found;
    found = [];
    if (bytes > MAX_RECORD_BYTES) throw refuse("has a record that is too long");
  }
  if (!parser.isEnded) throw refuse("has a JSON file without an end");
}

/** The parts of a chunk, each with the end of its line. */
function* linesOf(chunk: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < chunk.length;) {
    const end = chunk.indexOf("\n", at);
    const next = end < 0 ? chunk.length : end + 1;
    yield chunk.subarray(at, next);
    at = next;
  }
}

const isBlank = (part: Buffer): boolean =>
  part.every((byte) => byte === 0x0a || byte === 0x0d || byte === 0x20);

function write(parser: JSONParser, chunk: Buffer): void {
  try {
    parser.write(chunk);
  } catch {
    throw refuse("has a JSON file that cannot be read");
  }
}

/** Reads a small JSON file that holds one object. */
export async function readObject(file: string): Promise<Json> {
  const records = readRecords(file, "$");
  const { value } = await records.next();
  await records.return();
  return asObject(value);
}

export function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** A list, or one thing in place of a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

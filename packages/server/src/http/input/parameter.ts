import type { TObject, TSchema } from "typebox";
import { compileSchema, isKnownFormat } from "../../lib/json-schema.ts";
import { UploadedFile } from "./multipart.ts";

/** One parameter of a route. */
export type Parameter = {
  readonly name: string;
  readonly schema: ParameterSchema;
  /**
   * Converts the sent value to the type of the schema, and validates it.
   * @returns undefined for an empty value, REFUSED for an invalid one
   */
  readonly read: (value: unknown) => unknown;
};

/** Every keyword that a parameter may have: the document of the API shows them, `read` enforces them. */
export type ParameterSchema = {
  readonly type?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
};

export const REFUSED = Symbol("refused");

/** The format of a file in a multipart form. */
export const FILE = "binary";

const EVERYWHERE = ["type", "description"];
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "pattern", "enum", "minLength", "maxLength"],
  integer: ["minimum", "maximum"],
  boolean: [],
  array: ["items", "minItems", "maxItems", "uniqueItems"],
};

const compiled = new WeakMap<TObject, readonly Parameter[]>();

/**
 * Creates the readers of all parameters that a schema describes, once for each schema.
 * @throws {Error} for a schema with a keyword that is not enforced
 */
export function compileParameters(schema: TObject): readonly Parameter[] {
  const known = compiled.get(schema);
  if (known) return known;
  const properties = Object.entries(
    schema.properties as Record<string, TSchema>,
  );
  const parameters = properties.map(([name, it]) => compile(name, it));
  compiled.set(schema, parameters);
  return parameters;
}

function compile(name: string, schema: TSchema): Parameter {
  assertEnforced(name, schema);
  // A file is not text: it is checked where it is read.
  if (isFile(schema)) return { name, schema, read: readFile };
  const isValid = compileSchema(schema);
  const read = (value: unknown): unknown => {
    const converted = convert(schema, value);
    return converted === undefined || isValid(converted) ? converted : REFUSED;
  };
  return { name, schema, read };
}

function assertEnforced(name: string, schema: ParameterSchema): void {
  const ofType = KEYWORDS[String(schema.type)];
  if (ofType === undefined)
    throw new Error(`${name}: parameters of type ${String(schema.type)}`);
  const others = Object.keys(schema).filter(
    (it) => !EVERYWHERE.includes(it) && !ofType.includes(it),
  );
  if (others.length > 0)
    throw new Error(`${name}: nothing enforces ${others.join(", ")}`);
  const { format = FILE } = schema;
  if (format !== FILE && !isKnownFormat(format))
    throw new Error(`${name}: nothing enforces the format ${format}`);
  if (schema.type === "array") assertEnforced(name, schema.items ?? {});
}

export function isFile({ format }: ParameterSchema): boolean {
  return format === FILE;
}

/** A value that cannot be converted stays unchanged, and is refused by the schema. */
function convert(schema: ParameterSchema, value: unknown): unknown {
  switch (schema.type) {
    case "integer":
      return toInteger(value);
    case "boolean":
      return value === "" ? undefined : (BOOLEANS.get(value) ?? value);
    case "array":
      return toList(schema, value);
    default:
      return isText(value) ? value : REFUSED;
  }
}

/** Can it be stored: without NUL and lone surrogates? */
function isText(value: unknown): boolean {
  return (
    typeof value === "string" && !value.includes("\0") && value.isWellFormed()
  );
}

/** An empty text stands for a file that was not chosen. */
function readFile(value: unknown): unknown {
  if (value === "") return undefined;
  return value instanceof UploadedFile ? value : REFUSED;
}

/** An empty number is an absent one: forms send it for a field left blank. */
function toInteger(value: unknown): unknown {
  if (value === "") return undefined;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^-?\d{1,16}$/.test(text)) return REFUSED;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : REFUSED;
}

const BOOLEANS = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  ["1", true],
  [1, true],
  ["on", true],
  [false, false],
  ["false", false],
  ["0", false],
  [0, false],
  ["off", false],
]);

const MAX_ITEMS = 100;

function toList(
  { items = {}, minItems, maxItems = MAX_ITEMS }: ParameterSchema,
  value: unknown,
): unknown {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length > maxItems) return REFUSED;
  const list = values
    .map((item) => convert(items, item))
    .filter((item) => item !== undefined);
  // A form sends a field left blank: where a list must have something, it is an absent one.
  const isBlank = list.length === 0 && values.length > 0;
  return isBlank && minItems !== undefined ? undefined : list;
}

/** The valid values of a parameter, in words that end the sentence “it must be …”. */
export function describeExpected(it: ParameterSchema): string {
  switch (it.type) {
    case "integer":
      return `a whole number ${describeRange(it)}`;
    case "boolean":
      return "one of true, false, 1, 0, on and off";
    case "array":
      return describeList(it);
    default:
      if (isFile(it)) return "one file of a multipart form";
      if (it.enum) return describeChoice(it.enum);
      return `a single ${describeText(it)}`;
  }
}

/** The words of a boolean, where it is a part of a path. */
export const SWITCH_WORDS = ["true", "false", "1", "0", "on", "off"];

function describeChoice(words: readonly string[]): string {
  return words === SWITCH_WORDS
    ? describeExpected({ type: "boolean" })
    : `one of ${words.join(", ")}`;
}

function describeText(it: ParameterSchema): string {
  const { minLength = 0, maxLength, pattern, format } = it;
  const form = [
    ...(minLength > 0 ? [`at least ${minLength} characters`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(pattern === undefined ? [] : [`the form ${pattern}`]),
    ...(format === undefined ? [] : [`the format ${format}`]),
  ];
  return form.length === 0 ? "text" : `text of ${form.join(", of ")}`;
}

const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

function describeRange({ minimum, maximum }: ParameterSchema): string {
  const least = minimum ?? -MAX_INTEGER;
  const most = maximum ?? MAX_INTEGER;
  return most === MAX_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
}

function describeList(it: ParameterSchema): string {
  const { minItems, maxItems = MAX_ITEMS, uniqueItems, items } = it;
  const least = minItems === undefined ? "" : `at least ${minItems} and `;
  const once = uniqueItems === true ? ", none of them twice" : "";
  const each = items ? describeExpected(items) : "a text";
  return `given ${least}at most ${maxItems} times${once}, and each time be ${each}`;
}

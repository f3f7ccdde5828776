import type { Static, TObject, TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { KithError, type ErrorCode } from "../../lib/errors.ts";
import { UploadedFile } from "./multipart.ts";
import type { Parameters } from "./parameters.ts";

/**
 * Reads the parameters of one route by its schema: strings become numbers and
 * booleans where the schema says so, unknown names are ignored.
 * @throws {KithError} `bad_request`
 */
export function readInput<S extends TObject>(
  schema: S,
  parameters: Parameters,
): Static<S> {
  const input: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(
    schema.properties as Record<string, TSchema>,
  )) {
    const value = parameters[name];
    if (value === undefined || value === null) continue;
    const read = readValue(property, value);
    if (read === REFUSED)
      throw new KithError(
        "bad_request",
        `The parameter ${name} must be ${describeExpected(property)}.`,
      );
    if (read !== undefined) input[name] = read;
  }
  return input as Static<S>;
}

/** What must be given: a parameter by its name, or any one of several. */
export type Need =
  | string
  | readonly string[]
  | { readonly name: string; readonly error: ErrorCode };

export function namesOf(need: Need): readonly string[] {
  if (typeof need === "string") return [need];
  return "name" in need ? [need.name] : need;
}

/** The names of which each must be given. */
type NeededName<N extends readonly Need[]> = N[number] extends infer One
  ? One extends string
    ? One
    : One extends { readonly name: infer Name extends string }
      ? Name
      : never
  : never;

/** What the needs of a route make sure of, before it is called. */
export type Given<S extends TObject, N extends readonly Need[]> = {
  readonly [K in NeededName<N> & keyof Static<S>]-?: NonNullable<Static<S>[K]>;
};

/**
 * Reads the parameters of one route, and checks that those are there which must be.
 * @throws {KithError} `empty_string` for a text that is blank or missing,
 *   `bad_request` for anything else, or what the need says
 */
export function readNeeded<S extends TObject, N extends readonly Need[]>(
  schema: S,
  needs: N,
  parameters: Parameters,
): Static<S> & Given<S, N> {
  const input = readInput(schema, parameters);
  const properties = schema.properties as Record<string, TSchema>;
  for (const need of needs) {
    const names = namesOf(need);
    const isGiven = names.some((name) =>
      isFilled(properties[name], (input as Record<string, unknown>)[name]),
    );
    if (!isGiven) throw missing(need, names, properties);
  }
  return input as Static<S> & Given<S, N>;
}

/** A text is filled in where it is not blank, unless its schema takes an empty one. */
function isFilled(schema: TSchema | undefined, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== "string") return value !== undefined;
  return (
    value.trim() !== "" || (schema as Partial<ParameterSchema>).minLength === 0
  );
}

function missing(
  need: Need,
  names: readonly string[],
  properties: Readonly<Record<string, TSchema>>,
): KithError {
  const [name = ""] = names;
  const schema = properties[name] as Partial<ParameterSchema> & TSchema;
  const isText =
    schema.type === "string" &&
    schema.enum === undefined &&
    schema.format === undefined &&
    schema.minLength !== 0;
  const said =
    typeof need === "object" && "error" in need ? need.error : undefined;
  const code = said ?? (isText ? "empty_string" : "bad_request");
  if (names.length > 1)
    return new KithError(
      code,
      `One of the parameters ${names.join(", ")} must be given${isText ? " and must not be blank" : ""}.`,
    );
  const more = isText
    ? "must not be blank"
    : `must be ${describeExpected(schema)}`;
  return new KithError(
    code,
    `The parameter ${name} must be given and ${more}.`,
  );
}

const REFUSED = Symbol("refused");

/** What a parameter may be, in words that end the sentence “it must be …”. */
function describeExpected(schema: TSchema): string {
  const it = schema as Partial<ParameterSchema>;
  switch (it.type) {
    case "integer":
      return `a whole number ${describeRange(it)}`;
    case "boolean":
      return "one of true, false, 1, 0, on and off";
    case "array":
      return `given at most ${it.maxItems ?? MAX_ITEMS} times, and each time be ${it.items ? describeExpected(it.items) : "a text"}`;
    default:
      if (it.format === FILE) return "one file of a multipart form";
      return it.enum ? `one of ${it.enum.join(", ")}` : "a single text";
  }
}

type ParameterSchema = {
  readonly type: string;
  readonly format: string;
  readonly enum: readonly string[];
  readonly minimum: number;
  readonly maximum: number;
  readonly items: TSchema;
  readonly maxItems: number;
  readonly minLength: number;
};

function describeRange({ minimum, maximum }: Partial<ParameterSchema>): string {
  const least = minimum ?? -MAX_INTEGER;
  const most = maximum ?? MAX_INTEGER;
  return most === MAX_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
}

const MAX_INTEGER = Number.MAX_SAFE_INTEGER;
const MAX_ITEMS = 100;

function readValue(schema: TSchema, value: unknown): unknown {
  const { type, format } = schema as { type?: string; format?: string };
  switch (type) {
    case "string":
      if (format === FILE) return readFile(value);
      return readString(schema, value);
    case "integer":
      return readInteger(schema, value);
    case "boolean":
      return readBoolean(value);
    case "array":
      return readArray(schema, value);
    default:
      throw new Error(`Parameters of type ${type} are not supported`);
  }
}

function readString(schema: TSchema, value: unknown): unknown {
  if (typeof value !== "string" || value.includes("\0")) return REFUSED;
  if (!value.isWellFormed()) return REFUSED;
  const { enum: allowed } = schema as { enum?: readonly string[] };
  return allowed && !allowed.includes(value) ? REFUSED : value;
}

/** An empty text stands for a file that was not chosen. */
function readFile(value: unknown): unknown {
  if (value === "") return undefined;
  return value instanceof UploadedFile ? value : REFUSED;
}

/** An empty number is an absent one: forms send it for a field left blank. */
function readInteger(schema: TSchema, value: unknown): unknown {
  if (value === "") return undefined;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^-?\d{1,16}$/.test(text)) return REFUSED;
  const number = Number(text);
  const { minimum = -Infinity, maximum = MAX_INTEGER } = schema as {
    minimum?: number;
    maximum?: number;
  };
  return number < minimum || number > maximum ? REFUSED : number;
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

function readBoolean(value: unknown): unknown {
  if (value === "") return undefined;
  return BOOLEANS.get(value) ?? REFUSED;
}

function readArray(schema: TSchema, value: unknown): unknown {
  const { items, maxItems = MAX_ITEMS } = schema as unknown as {
    items: TSchema;
    maxItems?: number;
  };
  const values = Array.isArray(value) ? value : [value];
  if (values.length > maxItems) return REFUSED;
  const read = values.map((item) => readValue(items, item));
  return read.includes(REFUSED) ? REFUSED : read;
}

/** A parameter that may be absent. */
export const text = (description: string) =>
  Type.Optional(Type.String({ description }));

/** A database id, or 0 for none. */
export const uint = (description: string) =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }),
  );

const FILE = "binary";

/** The one file of a multipart form. A route has at most one such parameter. */
export const file = (description: string) =>
  Type.Optional(
    Type.Unsafe<UploadedFile>({ type: "string", format: FILE, description }),
  );

/** The name of the file that a route takes. */
export function fileNameOf(schema: TObject): string | undefined {
  return Object.entries(schema.properties as Record<string, TSchema>).find(
    ([, property]) => (property as { format?: string }).format === FILE,
  )?.[0];
}

export const flag = (description: string) =>
  Type.Optional(Type.Boolean({ description }));

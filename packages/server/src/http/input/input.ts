import type { Static, TObject, TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { KithError, type ErrorCode } from "../../lib/errors.ts";
import type { UploadedFile } from "./multipart.ts";
import {
  compileParameters,
  describeExpected,
  FILE,
  isFile,
  REFUSED,
  type ParameterSchema,
} from "./parameter.ts";
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
  return readAll(schema, parameters, []);
}

/** @param needed names that have an error of their own if they are blank */
function readAll<S extends TObject>(
  schema: S,
  parameters: Parameters,
  needed: readonly string[],
): Static<S> {
  const input: Record<string, unknown> = {};
  for (const parameter of compileParameters(schema)) {
    const { name } = parameter;
    const value = parameters[name];
    if (value === undefined || value === null) continue;
    const read = parameter.read(value);
    if (read === REFUSED) {
      if (
        needed.includes(name) &&
        isBlank(value) &&
        mustBeFilled(parameter.schema)
      )
        continue;
      throw new KithError(
        "bad_request",
        `The parameter ${name} must be ${describeExpected(parameter.schema)}.`,
      );
    }
    if (read !== undefined) input[name] = read;
  }
  return input as Static<S>;
}

/** A required parameter, or several of which one is required. */
export type Need =
  | string
  | readonly string[]
  | { readonly name: string; readonly error: ErrorCode };

export function namesOf(need: Need): readonly string[] {
  if (typeof need === "string") return [need];
  return "name" in need ? [need.name] : need;
}

/** The names that are each required. */
type NeededName<N extends readonly Need[]> = N[number] extends infer One
  ? One extends string
    ? One
    : One extends { readonly name: infer Name extends string }
      ? Name
      : never
  : never;

/** The type of the input after its needs were checked. */
export type Given<S extends TObject, N extends readonly Need[]> = {
  readonly [K in NeededName<N> & keyof Static<S>]-?: NonNullable<Static<S>[K]>;
};

/**
 * Reads the parameters of one route, and checks the required ones.
 * @throws {KithError} `empty_string` for a blank or missing text, `bad_request`
 *   for anything else, or the error of the need
 */
export function readNeeded<S extends TObject, N extends readonly Need[]>(
  schema: S,
  given: N | undefined,
  parameters: Parameters,
): Static<S> & Given<S, N> {
  const needs: readonly Need[] = given ?? [];
  const input = readAll(schema, parameters, needs.flatMap(namesOf));
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

/** A text must not be blank, unless its schema allows an empty one. */
function isFilled(schema: TSchema | undefined, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== "string") return value !== undefined;
  return !isBlank(value) || takesBlank(schema ?? {});
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function takesBlank({ minLength }: ParameterSchema): boolean {
  return minLength === 0;
}

/** A free text: a blank one is answered `empty_string`. */
function mustBeFilled(schema: ParameterSchema): boolean {
  return (
    schema.type === "string" &&
    schema.enum === undefined &&
    schema.format === undefined &&
    !takesBlank(schema)
  );
}

function missing(
  need: Need,
  names: readonly string[],
  properties: Readonly<Record<string, TSchema>>,
): KithError {
  const [name = ""] = names;
  const schema: ParameterSchema = properties[name] ?? {};
  const isText = mustBeFilled(schema);
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

/** An optional parameter. */
export const text = (description: string) =>
  Type.Optional(Type.String({ description }));

/** A database id, or 0 for none. */
export const uint = (description: string) =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }),
  );

/** The one file of a multipart form. A route has at most one such parameter. */
export const file = (description: string) =>
  Type.Optional(
    Type.Unsafe<UploadedFile>({ type: "string", format: FILE, description }),
  );

/** The name of the file that a route takes. */
export function fileNameOf(schema: TObject): string | undefined {
  return Object.entries(schema.properties as Record<string, TSchema>).find(
    ([, property]) => isFile(property),
  )?.[0];
}

export const flag = (description: string) =>
  Type.Optional(Type.Boolean({ description }));

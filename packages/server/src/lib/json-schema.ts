import type * as TypeBox from "typebox";
import type { TProperties, TSchema } from "typebox";
import { Has as isFormat } from "typebox/format";
import { Compile } from "typebox/schema";

type Builders = Pick<
  typeof TypeBox,
  | "Array"
  | "Boolean"
  | "Integer"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Ref"
  | "String"
  | "Union"
  | "Unsafe"
>;

type Options = Readonly<Record<string, unknown>>;

/** Marks what may be absent; it is not part of the schema. */
const OPTIONAL = Symbol("optional");

const typed =
  (type: string) =>
  (options: Options = {}) => ({ type, ...options });

/** @see JSON Schema 2020-12, "required" */
function objectOf(properties: TProperties, options: Options = {}) {
  const required = Object.entries(properties)
    .filter(([, schema]) => !(OPTIONAL in schema))
    .map(([name]) => name);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties,
    ...options,
  };
}

const builders = {
  String: typed("string"),
  Integer: typed("integer"),
  Number: typed("number"),
  Boolean: typed("boolean"),
  Null: typed("null"),
  Array: (items: TSchema, options: Options = {}) => ({
    type: "array",
    items,
    ...options,
  }),
  Union: (anyOf: readonly TSchema[]) => ({ anyOf }),
  Ref: ($ref: string) => ({ $ref }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
  Object: objectOf,
  Optional: (schema: TSchema) =>
    Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
};

/**
 * Writes JSON Schemas that are TypeScript types as well. The types are those of
 * TypeBox; its own builders take twice as long to load as its checks, and write
 * keywords in another order.
 */
export const Type = builders as unknown as Builders;

/** Is it a format that texts can be checked for? */
export const isKnownFormat = (name: string): boolean => isFormat(name);

/**
 * A check of values by their schema, compiled at its first use; where Node forbids
 * code that is made from strings, TypeBox interprets the schema instead.
 */
export function compileSchema(schema: TSchema): (value: unknown) => boolean {
  let validator: ReturnType<typeof Compile> | undefined;
  return (value) => (validator ??= Compile(schema)).Check(value);
}

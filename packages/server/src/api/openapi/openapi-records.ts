import type { TObject, TSchema } from "typebox";
import type { JsonSchema } from "../../http/api-document.ts";
import { RECORDS } from "../schemas/schemas.ts";

const SCHEMAS = "#/components/schemas/";

/** Records without selections. */
const WHOLE = new Set(["Error", "Empty", "IssuedToken"]);

/** Removes the properties that only the schema library needs. */
export function plain(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

/**
 * Describes each record, and its selection by `fields`: `X` and `XSelection`.
 */
export function describeRecords(
  records: Readonly<Record<string, TSchema>>,
): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(records)) {
    schemas[name] = plain(schema);
    if (!WHOLE.has(name)) schemas[`${name}Selection`] = selectionOf(schema);
  }
  return schemas;
}

/** The schema of a selection: every field is optional, on every level. */
export function selectionOf(schema: TSchema): JsonSchema {
  const { required: _, ...selection } = plain(schema) as {
    required?: unknown;
  } & JsonSchema;
  return selectWithin(selection);
}

function selectWithin(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      switch (keyword) {
        case "$ref":
          return [keyword, refToSelection(String(value))];
        case "items":
          return [keyword, selectionOf(value as TSchema)];
        case "anyOf":
          return [keyword, (value as TSchema[]).map(selectionOf)];
        case "properties":
          return [keyword, mapValues(value as Record<string, TSchema>)];
        default:
          return [keyword, value];
      }
    }),
  );
}

function mapValues(
  properties: Readonly<Record<string, TSchema>>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, it]) => [name, selectionOf(it)]),
  );
}

function refToSelection(ref: string): string {
  return WHOLE.has(ref.slice(SCHEMAS.length)) ? ref : `${ref}Selection`;
}

/** The names of the records in a response schema. */
function recordsIn(schema: TSchema): string[] {
  const refs = JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g);
  return [...refs].map(([, ref = ""]) => ref.slice(SCHEMAS.length));
}

/** Can a selection apply to this response? */
export function isSelectable(schema: TSchema): boolean {
  return recordsIn(schema).some((name) => !WHOLE.has(name));
}

export function isList(schema: TSchema): boolean {
  const { type, anyOf } = schema as { type?: string; anyOf?: TSchema[] };
  return type === "array" || (anyOf?.every(isList) ?? false);
}

/** Do the records of this list have an ID, by which it is paged? */
export function hasIds(list: TSchema): boolean {
  return recordsIn(list).every((name) => {
    const { properties = {} } = (RECORDS[name] ?? {}) as Partial<TObject>;
    return "ID" in properties;
  });
}

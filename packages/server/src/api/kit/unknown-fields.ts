import type { TSchema } from "typebox";
import type { FieldSelection } from "./fields.ts";
import { RECORDS } from "../schemas/schemas.ts";

/** Names listed in the header; a selector may contain thousands. */
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 40;

/**
 * The value of the header `Warning` for a selection with unknown fields: they
 * are ignored, and a misspelt one would go unnoticed.
 * @returns undefined if every name is known
 */
export function warningOf(
  selection: FieldSelection,
  output: TSchema,
): string | undefined {
  const unknown = unknownIn(selection, output, "");
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, MAX_NAMED).map(shorten).join(", ");
  const more = unknown.length > MAX_NAMED ? " and more" : "";
  return `299 - "Unknown in fields, and ignored: ${named}${more}"`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH
    ? `${name.slice(0, MAX_NAME_LENGTH)}...`
    : name;
}

function unknownIn(
  selection: FieldSelection,
  schema: TSchema,
  before: string,
): string[] {
  const fields = fieldsOf(schema);
  return [...selection].flatMap(([name, nested]) => {
    const field = fields.get(name);
    if (!field) return [before + name];
    return nested ? unknownIn(nested, field, `${before}${name}.`) : [];
  });
}

type Parts = {
  readonly $ref?: string;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
};

/** The fields of a record, of each record of a list, or of each alternative. */
function fieldsOf(schema: TSchema): ReadonlyMap<string, TSchema> {
  const { $ref, items, anyOf = [], properties = {} } = schema as Parts;
  const record = $ref && RECORDS[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (record) return fieldsOf(record);
  if (items) return fieldsOf(items);
  return new Map([
    ...anyOf.flatMap((one) => [...fieldsOf(one)]),
    ...Object.entries(properties),
  ]);
}

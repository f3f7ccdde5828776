import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";

/** RFC 3339 in UTC with milliseconds. */
export const time = Type.String({
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
});
export const id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});
export const guid = Type.String({ minLength: 16, maxLength: 255 });
export const count = Type.Integer({ minimum: 0 });
export const name = Type.String();
export const boolean = Type.Boolean();
export const degrees = (most: number) =>
  Type.Number({ minimum: -most, maximum: most });
/** `#RRGGBB`; missing without one. */
export const color = Type.Optional(Type.String({ pattern: "^#[0-9A-F]{6}$" }));
export const dated = { ID: id, CreatedAt: time, UpdatedAt: time };

export const orNull = (schema: TSchema): TSchema =>
  Type.Union([schema, Type.Null()]);

/** A reference to a record of the document. */
export const ref = (record: string): TSchema =>
  Type.Ref(`#/components/schemas/${record}`);

export const exactly = (properties: Record<string, TSchema>): TSchema =>
  Type.Object(properties, { additionalProperties: false });

/** The wire names of the types of posts. */
export const POST_TYPES = {
  post: "StatusMessage",
  reshare: "Reshare",
} as const;

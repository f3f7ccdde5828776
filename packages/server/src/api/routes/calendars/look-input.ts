import { Type } from "../../../lib/json-schema.ts";
import type { WireRecord } from "../../schemas/records.ts";

/** The colour of a calendar as a parameter. */
export const COLOR = Type.Optional(
  Type.String({
    minLength: 0,
    description: "Its colour, such as #1E90FF; blank for none",
  }),
);

/** The colour as part of the record of a calendar that has one. */
export function presentColor({
  color,
}: {
  readonly color: string | null;
}): WireRecord {
  return color === null ? {} : { Color: color };
}

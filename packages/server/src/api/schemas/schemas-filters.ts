import type { TSchema } from "typebox";
import {
  FILTER_ACTIONS,
  FILTER_CONTEXTS,
} from "../../features/visibility/index.ts";
import { Type } from "../../lib/json-schema.ts";
import {
  boolean,
  dated,
  exactly,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

export const CONTEXT = Type.String({ enum: [...FILTER_CONTEXTS] });
const ACTION = Type.String({ enum: [...FILTER_ACTIONS] });

/** The filters of the reader that match; left out if none does. */
export const FILTERED = Type.Optional(
  Type.Array(ref("FilterMatch"), { minItems: 1 }),
);

/** The records of words that users do not want to read. */
export const FILTER_RECORDS: Readonly<Record<string, TSchema>> = {
  Filter: exactly({
    ...dated,
    Title: name,
    Contexts: Type.Array(CONTEXT, { minItems: 1 }),
    Action: ACTION,
    Until: orNull(time),
    /** None in a filter that an app made for single posts and comments. */
    Keywords: Type.Array(ref("FilterKeyword")),
  }),
  FilterKeyword: exactly({ ID: id, Keyword: name, WholeWord: boolean }),
  FilterMatch: exactly({
    FilterID: id,
    Title: name,
    Action: ACTION,
    /** None where an app added the post or comment itself to the filter. */
    Keywords: Type.Array(name),
  }),
};

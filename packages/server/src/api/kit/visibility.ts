import { Type } from "../../lib/json-schema.ts";
import type { Visibility } from "../../features/posts/index.ts";

const VISIBILITIES: readonly Visibility[] = ["all", "public", "private"];

/** The parameter `visibility`. */
export const VISIBILITY = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2,
    description: "0 all that the user may see, 1 public, 2 not public",
  }),
);

export function readVisibility(visibility = 0): Visibility {
  return VISIBILITIES[visibility] ?? "all";
}

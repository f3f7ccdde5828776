import type { Post } from "../../features/posts/index.ts";
import { Type } from "../../lib/json-schema.ts";

export const QUOTABLE_PEOPLE = [
  "everyone",
  "followers",
  "nobody",
] as const satisfies readonly Post["quotableBy"][];

/** The parameter that says who may quote a post. */
export const quotableBy = (description: string) =>
  Type.Optional(
    Type.Unsafe<Post["quotableBy"]>({
      ...{ type: "string", enum: [...QUOTABLE_PEOPLE], description },
    }),
  );

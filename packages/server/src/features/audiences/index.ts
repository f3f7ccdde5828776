import type { Reader } from "../../db/db.ts";
import type { UserId } from "../ids.ts";
import type { DefaultAudience } from "./audience.ts";
import { checkDefault, narrowDefault } from "./check-default.ts";
import {
  resolveAudience,
  type ResolveAudience,
  type ResolveDeps,
} from "./resolve-audience.ts";

export type {
  Audience,
  DefaultAudience,
  LimitedTo,
  NamedAspect,
  ResolvedAudience,
} from "./audience.ts";
export {
  createPreviewAudience,
  type AudiencePreview,
  type PreviewAudience,
  type ReachAudience,
  type Shortfall,
} from "./preview-audience.ts";

/** Audiences: chosen by authors, resolved to people. */
export type Audiences = ReturnType<typeof createAudiences>;

export function createAudiences(deps: ResolveDeps) {
  return {
    /** Resolves an audience to the people in it now. */
    resolve: ((reader, author, audience, found) =>
      resolveAudience(
        deps,
        reader,
        author,
        audience,
        found,
      )) satisfies ResolveAudience,
    /** @throws {KithError} `not_found` for an aspect that is not the user's */
    checkDefault: (reader: Reader, userId: UserId, audience: DefaultAudience) =>
      checkDefault(deps, reader, userId, audience),
    /** @throws {KithError} `bad_request` if all aspects of it were deleted */
    narrowDefault: (
      reader: Reader,
      userId: UserId,
      audience: DefaultAudience,
    ) => narrowDefault(deps, reader, userId, audience),
  };
}

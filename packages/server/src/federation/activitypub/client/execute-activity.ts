import { KithError } from "../../../lib/errors.ts";
import { remove } from "./remove.ts";
import { update } from "./update.ts";
import type { ClientActivity } from "./client-activity.ts";
import { create } from "./create.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { follow } from "./follow.ts";
import { announce, likeObject, undo } from "./react.ts";

type ApplyActivity = (
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
) => Promise<string>;

const HANDLERS: Readonly<Partial<Record<string, ApplyActivity>>> = {
  Announce: announce,
  Create: create,
  Delete: remove,
  Follow: follow,
  Like: likeObject,
  Undo: undo,
  Update: update,
};

/**
 * Applies a client's activity, by the same use cases as every other interface
 * (ActivityPub §6).
 * @returns the id of the activity
 * @throws {KithError} `not_implemented` for other types
 */
export async function executeActivity(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const { type } = activity;
  const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
  if (!handler) throw new KithError("not_implemented", "Of another type.");
  return handler(deps, owner, activity);
}

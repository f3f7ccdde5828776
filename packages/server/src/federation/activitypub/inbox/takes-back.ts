import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";

const TAKES_BACK: ReadonlySet<string> = new Set(["Delete", "Undo"]);

/** A suspended person can still retract, and nothing else. */
export function isAcceptedFromActor(
  person: Person | undefined,
  { type }: Pick<Activity, "type">,
): person is Person {
  if (person?.state === "shut_out") return TAKES_BACK.has(type);
  return person?.state === "active";
}

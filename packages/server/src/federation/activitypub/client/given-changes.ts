import type { JsonObject, JsonValue } from "@kith/activitypub";
import { KithError } from "../../../lib/errors.ts";

/** Members of an object that a client gives with other values than it has now. */
export type GivenChanges = {
  readonly has: (...names: readonly string[]) => boolean;
  /** @throws {KithError} `not_implemented` if one of them is to change */
  readonly refuse: (...names: readonly string[]) => void;
};

/**
 * Clients give the whole object with what they changed of it, or only the latter
 * (ActivityPub §6.3.1): members that are absent, or as they were, stay.
 */
export function findGivenChanges(
  given: JsonObject,
  current: JsonObject,
): GivenChanges {
  const isChanged = (name: string): boolean =>
    Object.hasOwn(given, name) && textOf(given[name]) !== textOf(current[name]);
  return {
    has: (...names) => names.some(isChanged),
    refuse: (...names) => {
      const name = names.find(isChanged);
      if (name !== undefined)
        throw new KithError("not_implemented", `Changes of ${name}.`);
    },
  };
}

export function changesNothing(): KithError {
  return new KithError(
    "bad_request",
    "The Update changes nothing that can be changed here.",
  );
}

/** Absent, null, an empty list and false are the same. */
const textOf = (value: JsonValue | undefined): string =>
  value == null || value === false ? "" : plain(JSON.stringify(value));

const plain = (json: string): string => (json === "[]" ? "" : json);

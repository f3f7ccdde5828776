import type { Reader } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Aspects } from "../aspects/index.ts";
import type { UserId } from "../ids.ts";
import type { DefaultAudience } from "./audience.ts";

type CheckDeps = { readonly aspects: Pick<Aspects, "findAll"> };

/** @throws {KithError} `not_found` for an aspect that is not the user's */
export async function checkDefault(
  { aspects }: CheckDeps,
  reader: Reader,
  userId: UserId,
  audience: DefaultAudience,
): Promise<void> {
  if (audience.kind !== "aspects") return;
  const given = new Set(audience.aspectIds);
  const found = await aspects.findAll(reader, userId, [...given]);
  if (found.length < given.size)
    throw new KithError("not_found", "No such aspect.");
}

/**
 * Narrows a default audience to the aspects that are left of it.
 * @throws {KithError} `bad_request` if none is: nobody but the author knows a better audience
 */
export async function narrowDefault(
  { aspects }: CheckDeps,
  reader: Reader,
  userId: UserId,
  audience: DefaultAudience,
): Promise<DefaultAudience> {
  if (audience.kind !== "aspects") return audience;
  const left = await aspects.findAll(reader, userId, audience.aspectIds);
  if (left.length === 0)
    throw new KithError(
      "bad_request",
      "The aspects of your default audience are deleted: give an audience, or change your settings.",
    );
  return { kind: "aspects", aspectIds: left.map(({ id }) => id) };
}

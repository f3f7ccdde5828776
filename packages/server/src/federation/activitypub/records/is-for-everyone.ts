import { readAudience, type Activity } from "@kith/activitypub";

/**
 * May every recipient of an activity learn of it? A written object must name everyone, in the
 * object if it is included; a Like and similar types may name no one at all.
 */
export function isPublicActivity({ type, to, cc, object }: Activity): boolean {
  const inner = object?.embedded;
  const isWriting = type === "Create" || type === "Update";
  if (isWriting && inner && ("to" in inner || "cc" in inner)) {
    return isPublic(namesIn(inner["to"]), namesIn(inner["cc"]));
  }
  if (!isWriting && to.length + cc.length === 0) return true;
  return isPublic(to, cc) || (isWriting && !inner);
}

/** Is it addressed to everyone, listed or not? */
export function isPublic(
  to: readonly string[],
  cc: readonly string[],
): boolean {
  const { scope } = readAudience([...to], [...cc], undefined);
  return scope === "public" || scope === "unlisted";
}

function namesIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === "string");
}

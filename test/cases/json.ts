export type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as a list: several, one, or none. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** The value of a member, if there is any. */
export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** The text of a member, if it is one. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === "string" ? found : undefined;
}

/** The id of an object given as id or embedded. */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : textIn(value, "id");
}

export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Every nested object of a value, the outer ones first, in the order of the text. */
export function* objectsIn(value: unknown): Generator<Json> {
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (isRecord(one)) yield one;
    if (typeof one !== "object" || one === null) continue;
    const values: unknown[] = Object.values(one);
    waiting.push(...values.reverse());
  }
}

/** A value with every text in it changed, keys included. */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value))
    return value.map((one: unknown) => mapTexts(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      change(key),
      mapTexts(one, change),
    ]),
  );
}

/** Resolves a JSON pointer (RFC 6901). */
export function followPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at =
      typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  }
  return at;
}

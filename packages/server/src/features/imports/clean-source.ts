import type { Source } from "./source-format.ts";

/** Cleans all texts of the records, whatever file they come from: PostgreSQL refuses NUL. */
export function cleanSource({ items, ...others }: Source): Source {
  return {
    ...others,
    items: async function* cleanItems() {
      for await (const item of items()) yield clean(item);
    },
  };
}

/** The same value, with U+FFFD in place of NUL in its texts and the texts in it. */
function clean<Value>(value: Value): Value {
  return cleanAny(value) as Value;
}

function cleanAny(value: unknown): unknown {
  if (typeof value === "string")
    return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (Array.isArray(value)) return value.map(cleanAny);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, cleanAny(it)]),
  );
}

import type { Source } from "./source-format.ts";

/** Cleans all texts of the records, whatever file they come from: PostgreSQL refuses NUL. */
export function cleanSource({ items, ...others }: Source): Source {
  return {
    ...others,
    items: async function* cleanItems() {
      for await (const item of items()) {
        cleanWithin(item);
        yield item;
      }
    },
  };
}

/** Replaces NUL by U+FFFD in all texts of an object or a list that has just been read. */
function cleanWithin(value: object): void {
  for (const [name, it] of Object.entries<unknown>({ ...value }))
    if (typeof it === "string") {
      if (it.includes("\0"))
        Reflect.set(value, name, it.replaceAll("\0", "\uFFFD"));
    } else if (typeof it === "object" && it !== null) cleanWithin(it);
}

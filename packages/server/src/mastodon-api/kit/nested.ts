import type { Parameters } from "../../http/input/parameters.ts";

/** Deeper ones are no parameter of ours. */
const MAX_DEPTH = 4;

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const PART = /\[([^[\]]*)\]/g;

/** Without a prototype, so that a parameter named `__proto__` is only a name. */
type Nested = Record<string, unknown>;
const create = (): Nested => Object.create(null) as Nested;

/**
 * Nests parameters by the brackets in their names: `a[b]` is the member `b` of `a`, and `a[]`
 * one more item of the list `a`. `a[][b]` names the member of one item after the other. A list
 * by numbers, `a[0]`, becomes a record with these names: read as a list, it gives its
 * values in order.
 */
export function nestParameters(flat: Parameters): Nested {
  const root = create();
  for (const [name, value] of Object.entries(flat)) {
    const [, first = name, rest = ""] = NAME.exec(name) ?? [];
    const parts = [...rest.matchAll(PART)].map(([, part = ""]) => part);
    if (parts.length <= MAX_DEPTH) put(root, first, parts, value);
  }
  return root;
}

function put(
  into: Nested,
  name: string,
  [next, ...rest]: readonly string[],
  value: unknown,
): void {
  if (next === undefined) {
    into[name] = value;
    return;
  }
  if (next !== "") {
    const before = into[name];
    const inner = isRecord(before) ? before : create();
    into[name] = inner;
    return put(inner, next, rest, value);
  }
  const before = into[name];
  const list = copyOf(before);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const [member, ...deeper] = rest;
  if (member === undefined) list.push(...values);
  else
    for (const [index, one] of values.entries()) {
      const item = list[index];
      const inner = isRecord(item) ? item : create();
      list[index] = inner;
      put(inner, member, deeper, one);
    }
  into[name] = list;
}

function copyOf(list: unknown): unknown[] {
  return Array.isArray(list) ? Array.from<unknown>(list) : [];
}

export function isRecord(value: unknown): value is Nested {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

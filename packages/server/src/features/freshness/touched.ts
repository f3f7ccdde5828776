import type { Writes } from "../../db/writes/collect-writes.ts";

/**
 * The writes of a transaction, by the names under which caches keep what they show. Undefined in place of
 * it means that anything may have been.
 */
export type Touched = {
  /** Ids of posts with something new below or beside them. */
  readonly posts: ReadonlySet<number>;
  /** Guids of posts that are new or newly reshared, and addresses with another preview. */
  readonly names: ReadonlySet<string>;
  /** The authors of new posts. */
  readonly authors: ReadonlySet<number>;
  /** Tags that posts have now. */
  readonly tags: ReadonlySet<string>;
  /** Users who see something else now. */
  readonly users: ReadonlySet<number>;
};

/** The names in each column by which rows are named (`shown-tables.ts`). */
const KINDS: ReadonlyMap<string, keyof Touched> = new Map([
  ["post_id", "posts"],
  ["guid", "names"],
  ["root_guid", "names"],
  ["url", "names"],
  ["person_id", "authors"],
  ["tag", "tags"],
  ["user_id", "users"],
]);

/** @returns undefined if a write is not named */
export function touchedBy(writes: Writes): Touched | undefined {
  if (!writes) return undefined;
  const touched = {
    posts: new Set<number>(),
    names: new Set<string>(),
    authors: new Set<number>(),
    tags: new Set<string>(),
    users: new Set<number>(),
  };
  for (const { row } of writes) {
    if (!row) return undefined;
    for (const [column, value] of Object.entries(row)) {
      if (value === null) continue;
      const kind = KINDS.get(column);
      if (kind === undefined) return undefined;
      if (kind === "tags") {
        for (const tag of readTags(value)) touched.tags.add(tag);
      } else if (kind === "names") touched.names.add(String(value));
      else touched[kind].add(Number(value));
    }
  }
  return touched;
}

/** Tags are inserted as the JSON text of a list (`read-insert.ts`). */
function readTags(value: string | number): string[] {
  const text = String(value);
  const list: unknown = text.startsWith("[") ? JSON.parse(text) : [text];
  return Array.isArray(list) ? list.map(String) : [text];
}

type Packed = Record<keyof Touched, readonly (string | number)[]>;

/** As text for another process, which `unpackTouched` reads. */
export function packTouched(touched: Touched): string {
  const { posts, names, authors, tags, users } = touched;
  const packed: Packed = {
    posts: [...posts],
    names: [...names],
    authors: [...authors],
    tags: [...tags],
    users: [...users],
  };
  return JSON.stringify(packed);
}

/** @returns undefined, so anything, for the text of a version that names other things */
export function unpackTouched(text: string): Touched | undefined {
  const packed: unknown = JSON.parse(text);
  const list = (kind: keyof Touched): readonly unknown[] | undefined => {
    if (typeof packed !== "object" || packed === null) return undefined;
    const found: unknown = Object.getOwnPropertyDescriptor(packed, kind)?.value;
    return Array.isArray(found) ? found : undefined;
  };
  const [posts, names, authors] = [
    list("posts"),
    list("names"),
    list("authors"),
  ];
  const [tags, users] = [list("tags"), list("users")];
  if (!posts || !names || !authors || !tags || !users) return undefined;
  return {
    posts: new Set(posts.map(Number)),
    names: new Set(names.map(String)),
    authors: new Set(authors.map(Number)),
    tags: new Set(tags.map(String)),
    users: new Set(users.map(Number)),
  };
}

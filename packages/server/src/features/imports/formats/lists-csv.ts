import { createReadStream } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse";
import { refuse } from "../../../lib/archives/archive-entry.ts";
import { asList, asText } from "../../../lib/archives/read-json.ts";
import type { ImportItem } from "../import-item.ts";
import type { Source } from "../source-format.ts";

/** The lists that Mastodon exports, as do servers that follow it. */
export const LIST_KINDS = [
  "follows",
  "lists",
  "blocks",
  "mutes",
  "host-blocks",
  "bookmarks",
] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The names that the files have where they are exported. */
const FILE_NAMES: readonly (readonly [RegExp, ListKind])[] = [
  [/domain/i, "host-blocks"],
  [/follow/i, "follows"],
  [/mute/i, "mutes"],
  [/block/i, "blocks"],
  [/list/i, "lists"],
  [/bookmark/i, "bookmarks"],
];

const MAX_RECORD_LENGTH = 10_000;
/** Some lists have headings, and some have none. */
const HEADING = /^#?(?:account address|domain|list name|uri)$/i;

/** The kind of a list by the name of its file. @returns undefined if it says none */
export function listKindOf(fileName: string): ListKind | undefined {
  const name = path.basename(fileName);
  return FILE_NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

/** Opens a list as a CSV file. */
export function openList(file: string, kind: ListKind): Source {
  return { items: () => readList(file, kind), fileOf: () => undefined };
}

async function* readList(
  file: string,
  kind: ListKind,
): AsyncGenerator<ImportItem, void, undefined> {
  const packed = createReadStream(file);
  const rows = packed.pipe(
    parse({
      ...{ bom: true, relax_column_count: true, skip_empty_lines: true },
      ...{ trim: true, max_record_size: MAX_RECORD_LENGTH },
    }),
  );
  let isFirst = true;
  try {
    for await (const fields of rows) {
      const row = asList(fields).map(asText);
      const isHeading = isFirst && HEADING.test(row[0] ?? "");
      isFirst = false;
      if (!isHeading) yield readRow(row, kind);
    }
  } catch (error) {
    if (error instanceof Error && error.name === "KithError") throw error;
    throw refuse("is no CSV file");
  } finally {
    packed.destroy();
  }
}

function readRow(row: readonly string[], kind: ListKind): ImportItem {
  const [first = "", second = ""] = row;
  const name = first;
  const handle = handleIn(first);
  switch (kind) {
    case "follows":
      return { kind: "follow", name, handle };
    case "lists":
      return {
        kind: "follow",
        name: second,
        handle: handleIn(second),
        aspect: first,
      };
    case "blocks":
      return { kind: "block", name, handle };
    case "mutes":
      return { kind: "ignore", name, handle };
    case "host-blocks":
      return { kind: "host_block", name, host: first };
    case "bookmarks":
      return { kind: "bookmark", name, post: { uri: first } };
  }
}

const handleIn = (text: string) => text.replace(/^@/, "");

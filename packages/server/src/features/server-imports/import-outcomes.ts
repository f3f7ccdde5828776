import { plainLine } from "../../lib/lines.ts";
import type { Hindrance, RecordKind } from "./record-kinds.ts";

/** Records that are left out for one reason. */
type LeftOutRecords = {
  readonly reason: Hindrance;
  readonly count: number;
  /** The first ones, each in one line. */
  readonly examples: readonly string[];
};

/** The outcome of the records of each kind, in the order in which they were read. */
export type ServerImportReport = readonly {
  readonly kind: RecordKind;
  readonly added: number;
  /** They were here before. */
  readonly known: number;
  readonly leftOut: readonly LeftOutRecords[];
}[];

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 120;

export type RecordFate = "added" | "known" | Hindrance;

type Counted = { count: number; examples: string[] };

/** Counts what comes of the records of a server. */
export function countImported() {
  const byKind = new Map<RecordKind, Map<RecordFate, Counted>>();
  return {
    note: (kind: RecordKind, fate: RecordFate, name: string): void => {
      const counts = byKind.get(kind) ?? new Map<RecordFate, Counted>();
      byKind.set(kind, counts);
      const counted = counts.get(fate) ?? { count: 0, examples: [] };
      counts.set(fate, counted);
      counted.count += 1;
      if (counted.examples.length < MAX_EXAMPLES)
        counted.examples.push(plainLine(name, MAX_EXAMPLE_LENGTH));
    },
    report: (): ServerImportReport =>
      [...byKind].map(([kind, counts]) => ({
        kind,
        added: counts.get("added")?.count ?? 0,
        known: counts.get("known")?.count ?? 0,
        leftOut: [...counts].flatMap(([reason, counted]) =>
          reason === "added" || reason === "known"
            ? []
            : [{ reason, ...counted }],
        ),
      })),
  };
}

export type ImportOutcomes = ReturnType<typeof countImported>;

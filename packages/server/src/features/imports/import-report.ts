import { plainLine } from "../../lib/lines.ts";
import type { Fault, ItemKind } from "./import-item.ts";

/** Records that were left out for one reason. */
export type LeftOut = {
  readonly count: number;
  /** The first ones, as the archive names them, each in one line. */
  readonly examples: readonly string[];
};

/** The outcome for the records of one kind. */
export type KindOutcome = {
  readonly added: number;
  /** They were here before. */
  readonly known: number;
  readonly leftOut: Readonly<Partial<Record<Fault, LeftOut>>>;
};

export type ArchiveReport = Readonly<Partial<Record<ItemKind, KindOutcome>>>;

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 120;

type Counted = {
  added: number;
  known: number;
  leftOut: Partial<
    Record<Fault, { count: number; examples: readonly string[] }>
  >;
};

/** Counts the outcomes of an import. @param before those of its first part */
export function countOutcomes(before: ArchiveReport = {}) {
  const counts: Partial<Record<ItemKind, Counted>> = structuredClone(before);
  return {
    note: (
      kind: ItemKind,
      outcome: "added" | "known" | Fault,
      name: string,
    ): void => {
      const counted = (counts[kind] ??= { added: 0, known: 0, leftOut: {} });
      if (outcome === "added" || outcome === "known") {
        counted[outcome] += 1;
        return;
      }
      const left = (counted.leftOut[outcome] ??= { count: 0, examples: [] });
      left.count += 1;
      if (left.examples.length < MAX_EXAMPLES)
        left.examples = [...left.examples, plainLine(name, MAX_EXAMPLE_LENGTH)];
    },
    report: (): ArchiveReport => counts,
    /** How many records of these kinds there were. */
    count: (kinds: readonly ItemKind[]): number =>
      kinds.reduce((sum, kind) => sum + sumOf(counts[kind]), 0),
  };
}

function sumOf(counted: Counted | undefined): number {
  if (!counted) return 0;
  const { added, known, leftOut } = counted;
  return Object.values(leftOut).reduce(
    (sum, { count }) => sum + count,
    added + known,
  );
}

export type Outcomes = ReturnType<typeof countOutcomes>;

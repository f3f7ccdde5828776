import { codeOf } from "../../../packages/server/src/lib/errors.ts";

/** How a call ended. Of an unknown one nobody learned the answer: it may have had its effect. */
export type Ending = "done" | "refused" | "unknown";

type Act = {
  /** What the event is called from then on; undefined: it is deleted. */
  readonly summary: string | undefined;
  readonly startedAt: number;
  endedAt: number;
  ending: Ending;
};

/** Everything that was done to the events of a calendar, each by its key. */
export class CalendarRecord {
  readonly #acts = new Map<string, Act[]>();
  #count = 0;

  readonly endings: Record<Ending, number> = {
    ...{ done: 0, refused: 0, unknown: 0 },
  };

  get keys(): readonly string[] {
    return [...this.#acts.keys()];
  }

  newKey(): string {
    this.#count += 1;
    return `item${this.#count}`;
  }

  /** Another name for the event of a key, which nobody has given it before. */
  newSummary(key: string, by: string): string {
    this.#count += 1;
    return `${key} v${this.#count} by ${by}`;
  }

  /** Does something to an event, and notes how it ended. @throws if nobody answers */
  async note(
    key: string,
    summary: string | undefined,
    work: () => Promise<Ending>,
  ): Promise<Ending> {
    const startedAt = performance.now();
    const act: Act = {
      ...{ summary, startedAt, endedAt: Infinity, ending: "unknown" },
    };
    this.#acts.set(key, [...(this.#acts.get(key) ?? []), act]);
    try {
      act.ending = await work();
    } catch (error) {
      act.ending = wasSent(error) ? "unknown" : "refused";
      throw error;
    } finally {
      act.endedAt = performance.now();
      this.endings[act.ending] += 1;
    }
    return act.ending;
  }

  /** @returns what is lost, doubled, or back, in words */
  judge(summaries: readonly string[]): string[] {
    const found = Map.groupBy(summaries, keyOf);
    const unknown = [...found.keys()].filter((key) => !this.#acts.has(key));
    return [
      ...unknown.map((key) => `nobody made ${key}`),
      ...[...this.#acts].flatMap(([key, acts]) =>
        judgeOne(key, acts, found.get(key) ?? []),
      ),
    ];
  }
}

/** Nobody took the connection: the server was away. */
function wasSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) !== "ECONNREFUSED";
}

export function keyOf(summary: string): string {
  return summary.split(" ", 1)[0] ?? "";
}

function judgeOne(
  key: string,
  acts: readonly Act[],
  found: readonly string[],
): string[] {
  const effective = acts.filter(({ ending }) => ending !== "refused");
  const done = acts.filter(({ ending }) => ending === "done");
  const isDeleted = done.some(({ summary }) => summary === undefined);
  const mayBeDeleted = effective.some(({ summary }) => summary === undefined);
  const isMade = done.some(({ summary }) => summary !== undefined);
  const [summary, ...more] = found;
  if (more.length > 0) return [`${key} is there ${found.length} times`];
  if (summary === undefined)
    return isMade && !mayBeDeleted ? [`${key} is lost`] : [];
  if (isDeleted) return [`${key} is back: ${summary}`];
  const act = effective.find((it) => it.summary === summary);
  if (!act) return [`${key} says what nobody wrote: ${summary}`];
  const later = done.find(({ startedAt }) => startedAt > act.endedAt);
  return later
    ? [`${key} says “${summary}” again after “${later.summary ?? ""}”`]
    : [];
}

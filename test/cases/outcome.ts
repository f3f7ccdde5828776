/** The outcome of an assertion. */
export type Outcome = {
  readonly state: "holds" | "fails" | "cannot" | "skipped" | "manual";
  /** The evidence, or the deviation. */
  readonly evidence: string;
  /** Fields below `more` that no interface shows. */
  readonly skipped?: readonly string[];
};

export function holding(
  evidence: string,
  skipped: readonly string[] = [],
): Outcome {
  return { state: "holds", evidence, skipped };
}

export function failing(evidence: string): Outcome {
  return { state: "fails", evidence };
}

/** A value in few words. */
export function brief(value: unknown, length = 160): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** One that failed or is unsupported; else the evidence of all. */
export function allOf(outcomes: readonly Outcome[]): Outcome {
  const bad = outcomes.find(
    ({ state }) => state === "fails" || state === "cannot",
  );
  if (bad) return bad;
  const shown = outcomes.filter(({ state }) => state === "holds");
  const skipped = outcomes.flatMap((one) => one.skipped ?? []);
  const evidence = outcomes.map((one) => one.evidence).join("; ");
  if (shown.length === 0 && outcomes.length > 0)
    return { state: "skipped", evidence, skipped };
  return holding(evidence, skipped);
}

import type { Case } from "./case-file.ts";
import type { Json } from "./json.ts";
import type { Result } from "./stage.ts";

const MAX_EVIDENCE = 600;

/** A case in one line: its result, and the evidence. */
export function lineOf(theCase: Case, result: Result): string {
  const name = theCase.file.replace(/\.json$/, "");
  const notes = [
    result.skipped > 0 ? `${result.skipped} skipped` : "",
    result.manual > 0 ? `${result.manual} by hand` : "",
    result.kept === undefined ? "" : `kept in ${result.kept}`,
  ].filter((note) => note !== "");
  const tail = notes.length > 0 ? ` (${notes.join(", ")})` : "";
  const line = result.passed
    ? `passed ${name}: ${theCase.expect.outcome}: ${evidenceOf(result)}${tail}`
    : `FAILED ${name}: ${result.failure}${tail}`;
  return line.replace(/\s+/g, " ");
}

/** The number of unsupported fields, and their names. */
export function leftOpen(results: readonly Result[]): string {
  const counts = new Map<string, number>();
  let sentences = 0;
  for (const { judged, manual } of results) {
    sentences += manual;
    for (const name of judged.flatMap((one) => one.skipped ?? []))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort().map(([name, count]) => `${name} ${count}`);
  const fields = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const which = names.length > 0 ? ` (${names.join(", ")})` : "";
  return `${fields} fields skipped${which}, ${sentences} sentences to check by hand`;
}

function evidenceOf({ judged }: Result): string {
  const text = judged
    .map(({ state, assertion, evidence }) =>
      state === "holds" ? evidence : `${state} ${assertion}: ${evidence}`,
    )
    .join("; ");
  return text.length > MAX_EVIDENCE ? `${text.slice(0, MAX_EVIDENCE)}…` : text;
}

/** A case with all evidence. */
export function recordOf(theCase: Case | undefined, result: Result): Json {
  const { passed, failure, answers, judged, network, tookMs } = result;
  return {
    file: result.file,
    peer: theCase?.peer,
    expected: theCase?.expect.outcome,
    passed,
    failure: failure === "" ? null : failure,
    answers,
    assertions: judged,
    skipped: result.skipped,
    manual: result.manual,
    network,
    tookMs: Math.round(tookMs),
    ...(result.kept === undefined ? {} : { kept: result.kept }),
  };
}

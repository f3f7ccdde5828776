import { REFUSED_STATUS } from "../../packages/server/test/support/server/answer-watch.ts";
import type { Wrong } from "./parameter-values.ts";

/** A call with an invalid parameter, and its outcome. */
export type Answered = {
  readonly status: number;
  readonly text: string;
  /** The parameter; several if any one of them may be named. */
  readonly names: readonly string[];
  readonly wrong: Wrong;
  readonly isInPath: boolean;
  /** Whether anything was written. */
  readonly hasChanged: boolean;
};

/** Answers for missing or inaccessible objects give no explanation. */
const UNEXPLAINED: ReadonlySet<number> = new Set([401, 403, 404, 429]);
const NO_SUCH_PATH: ReadonlySet<number> = new Set([400, 404, 414]);

/** @returns undefined if the answer is correct */
export function findFault(answered: Answered): string | undefined {
  const { status, text, wrong, isInPath } = answered;
  if (status === 200) return wrong.isRefused ? "it is taken" : undefined;
  if (status < 400 || status >= 500 || status === REFUSED_STATUS)
    return "that is no refusal";
  if (answered.hasChanged) return "something has changed";
  const { error, detail } = JSON.parse(text) as Record<string, unknown>;
  if (typeof error !== "string") return "there is no error";
  if (isInPath && NO_SUCH_PATH.has(status)) return undefined;
  if (UNEXPLAINED.has(status))
    return wrong.isRefused ? "it is not looked at" : undefined;
  return findFaultOfDetail(answered.names, detail);
}

function findFaultOfDetail(
  names: readonly string[],
  detail: unknown,
): string | undefined {
  if (typeof detail !== "string") return "there is no detail";
  if (!names.some((name) => isNamed(name, detail)))
    return "the parameter is not named";
  return /^[A-Z].*\b(must|may)\b.*\.$/.test(detail)
    ? undefined
    : "it does not say what it may be";
}

/** Literally, or in words: `FirstName` as “first name”. */
function isNamed(name: string, detail: string): boolean {
  const letters = [...name.replaceAll("_", "")].join("[\\s_]?");
  return new RegExp(`\\b${letters}\\b`, "i").test(detail);
}

import { mergeMetrics } from "../observability/merge-metrics.ts";
import type { ChildAnswer } from "../lib/processes/run-processes.ts";
import {
  listenForOperations,
  type OperationsAddress,
  type OperationsDeps,
} from "./operations-listener.ts";

/** The answers of a process to the one that started it, by the names of the questions. */
export const operationsAnswers = ({ metrics, readiness }: OperationsDeps) => ({
  metrics: () => metrics.render(),
  readiness: async () => (await readiness()) ?? "",
});

type Question = keyof ReturnType<typeof operationsAnswers>;

type ProcessesDeps = {
  readonly askAll: (question: Question) => Promise<readonly ChildAnswer[]>;
  readonly isStopping: () => boolean;
};

/**
 * Serves metrics and health of several processes as one; it is ready if one of
 * them is.
 * @returns a function that ends it
 * @throws {OperatorError}
 */
export function listenForProcesses(
  { askAll, isStopping }: ProcessesDeps,
  address: OperationsAddress,
): Promise<() => Promise<void>> {
  const render = async () => {
    const answers = await askAll("metrics");
    const texts = answers.map(({ place, text = "" }) => [place, text] as const);
    return mergeMetrics(new Map(texts));
  };
  const readiness = async () => {
    if (isStopping()) return "stopping";
    const answers = await askAll("readiness");
    if (answers.some(({ text }) => text === "")) return undefined;
    return answers[0]?.text ?? "no process answers";
  };
  return listenForOperations({ metrics: { render }, readiness }, address);
}

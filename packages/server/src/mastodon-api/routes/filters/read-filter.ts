import type { Filter, FilterChoice } from "../../../features/filters/index.ts";
import {
  FILTER_ACTIONS,
  FILTER_CONTEXTS,
  type FilterAction,
  type FilterContext,
} from "../../../features/visibility/index.ts";
import { later, timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import type { Input } from "../../kit/input.ts";
import { invalid } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

/** The longest that a filter lasts, in seconds. */
const MAX_S = 50 * 365 * 86_400;

/** The filter that a call asks for; whatever it does not name stays. @throws {Refusal} */
export function readFilter(
  deps: Pick<MastodonDeps, "clock">,
  input: Input,
  before?: Filter,
): FilterChoice {
  const action = input.filled("filter_action");
  return {
    title: input.filled("title") ?? before?.title ?? "",
    contexts: readContexts(input) ?? before?.contexts ?? [],
    action: readAction(action) ?? before?.action ?? "warn",
    endsAt: readFilterEnd(deps, input, before?.endsAt ?? null),
    keywords: readKeywords(input, before?.keywords ?? []),
  };
}

/** @throws {Refusal} for one that there is not */
function readAction(word: string | undefined): FilterAction | undefined {
  if (word === undefined) return undefined;
  const known = FILTER_ACTIONS.find((it) => it === word);
  if (known === undefined) throw invalid("Filter action is not in the list");
  return known;
}

/** @returns undefined if none are given. @throws {Refusal} for one that there is not */
export function readContexts(input: Input): FilterContext[] | undefined {
  const given = input.texts("context");
  if (given.length === 0) return undefined;
  return given.map((word) => {
    const known = FILTER_CONTEXTS.find((it) => it === word);
    if (known === undefined) throw invalid("Context None or invalid supplied");
    return known;
  });
}

/** Blank for good; absent as it was. */
export function readFilterEnd(
  { clock }: Pick<MastodonDeps, "clock">,
  input: Input,
  before: Timestamp | null,
): Timestamp | null {
  if (!input.has("expires_in")) return before;
  const seconds = input.uint("expires_in");
  if (seconds === undefined || seconds === 0) return null;
  return timestamp(later(clock.now(), Math.min(seconds, MAX_S) * 1_000));
}

/** Keywords are added, changed by their id, or taken away. */
function readKeywords(input: Input, before: Filter["keywords"]): Keyword[] {
  const kept = new Map<number, Keyword>(before.map((it) => [it.id, it]));
  const added: Keyword[] = [];
  for (const given of input.records("keywords_attributes")) {
    const id = given.id("id");
    const known = id === undefined ? undefined : kept.get(id);
    if (id !== undefined && known && given.flag("_destroy")) kept.delete(id);
    else if (id !== undefined && known) kept.set(id, readKeyword(given, known));
    else added.push(readKeyword(given));
  }
  return [...kept.values(), ...added];
}

type Keyword = FilterChoice["keywords"][number];

export const readKeyword = (input: Input, before?: Keyword): Keyword => ({
  id: before?.id,
  keyword: input.filled("keyword") ?? before?.keyword ?? "",
  wholeWord: input.flag("whole_word") ?? before?.wholeWord ?? false,
});

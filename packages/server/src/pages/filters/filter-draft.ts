import type { Filter, FilterChoice } from "../../features/filters/index.ts";
import {
  FILTER_ACTIONS,
  FILTER_CONTEXTS,
  type FilterAction,
  type FilterContext,
} from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { storableText } from "../../lib/well-formed.ts";
import { linesOf } from "../kit/page-input.ts";
import { momentOf, toLocal } from "../languages/local-time.ts";

/** The input of the form: empty, or refused with a fault. */
export type FilterDraft = {
  readonly title: string;
  /** A line for each keyword. */
  readonly parts: string;
  /** The same for those that are found as whole words only. */
  readonly wholes: string;
  readonly contexts: readonly FilterContext[];
  readonly action: FilterAction;
  /** A local time of the reader, such as 2027-01-31T18:30; empty for good. */
  readonly until: string;
  readonly fault?: string;
};

export const FILTER_FIELDS = Type.Object({
  title: text("What the user calls it"),
  parts: text("Keywords that are found anywhere, a line for each"),
  wholes: text("Keywords that are found as whole words, a line for each"),
  context: Type.Optional(
    Type.Array(Type.String(), { description: "Where it applies" }),
  ),
  action: text("warn, hide or blur"),
  until: text("When it ends, in the user's zone"),
});

export const NEW_FILTER: FilterDraft = {
  ...{ title: "", parts: "", wholes: "", until: "", action: "warn" },
  contexts: ["home", "public", "thread"],
};

/** The form as typed, before any check. */
export function readFilterDraft(parameters: Parameters): FilterDraft {
  const input = readInput(FILTER_FIELDS, parameters);
  const given = new Set(input.context);
  return {
    title: input.title ?? "",
    parts: input.parts ?? "",
    wholes: input.wholes ?? "",
    contexts: FILTER_CONTEXTS.filter((it) => given.has(it)),
    action: FILTER_ACTIONS.find((it) => it === input.action) ?? "warn",
    until: input.until ?? "",
  };
}

/** A stored filter as its form shows it. */
export function filterDraftOf(filter: Filter): FilterDraft {
  const { title, keywords, contexts, action, endsAt } = filter;
  const linesWhere = (wanted: boolean) =>
    keywords
      .filter(({ wholeWord }) => wholeWord === wanted)
      .map(({ keyword }) => keyword)
      .join("\n");
  return {
    ...{ title, contexts, action },
    parts: linesWhere(false),
    wholes: linesWhere(true),
    until: endsAt === null ? "" : toLocal(endsAt),
  };
}

/**
 * @param readEnd of the filters
 * @throws {KithError} `invalid_datetime`, or `bad_request` for the past
 */
export function choiceOf(
  { title, parts, wholes, contexts, action, until }: FilterDraft,
  readEnd: (text?: string) => FilterChoice["endsAt"],
): FilterChoice {
  const moment = until === "" ? undefined : momentOf(until);
  if (until !== "" && moment === undefined)
    throw new KithError("invalid_datetime", "The end is no time.");
  const lines = (written: string) => linesOf(storableText(written));
  return {
    ...{ title: storableText(title), contexts, action },
    keywords: [
      ...lines(parts).map((keyword) => ({ keyword, wholeWord: false })),
      ...lines(wholes).map((keyword) => ({ keyword, wholeWord: true })),
    ],
    endsAt: readEnd(moment),
  };
}

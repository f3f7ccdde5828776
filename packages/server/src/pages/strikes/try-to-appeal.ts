import { MAX_APPEAL_LENGTH } from "../../features/strikes/index.ts";
import { text, uint } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { strikeTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { AppealForm } from "./strike-view.ts";

export const APPEALED = Type.Object({
  id: uint("The decision"),
  text: text("Why it is wrong"),
});

/** As sent by a form. */
export type TypedAppeal = { readonly id?: number; readonly text?: string };

/** @returns the reason of a refusal @throws {KithError} `not_found` */
export async function tryToAppeal(
  { strikes }: PagesContext,
  by: Parameters<PagesContext["strikes"]["appeal"]>[0],
  { id = 0, text: words = "" }: TypedAppeal,
): Promise<string | undefined> {
  try {
    await strikes.appeal(by, id, words);
    return undefined;
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    switch (error.code) {
      case "empty_string":
        return texts.blank;
      case "bad_request":
        return texts.tooLong(MAX_APPEAL_LENGTH);
      case "conflict":
        return texts.tooLate;
      default:
        throw error;
    }
  }
}

/** The field keeps what was typed. */
export const keptAppeal = ({
  id = 0,
  text: words = "",
}: TypedAppeal): AppealForm["typed"] => ({ id, text: words });

import { isGuid } from "../../lib/guids.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { streamTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { StreamDraft } from "./stream-view.ts";

/** As many people as a stream may have; saving refuses more. */
const MOST = 100;

/**
 * A stream that could never show anything. Programs may save one, and have people in it who
 * become known later; somebody at the form has forgotten or mistyped something.
 */
export async function findStreamFault(
  { people }: Pick<PagesContext, "people">,
  draft: StreamDraft,
): Promise<string | undefined> {
  const names = partsOf(draft.people);
  const tags = partsOf(draft.tags);
  if (names.length + tags.length === 0 && draft.expression.trim() === "")
    return texts.faults.noCondition;
  const noTags = tags.filter((tag) => parseTag(tag) === undefined);
  if (noTags.length > 0) return texts.faults.noTag(noTags.join(", "));
  const found = await Promise.all(
    names.slice(0, MOST).map(async (name) => {
      const key = keyOf(name);
      const person = key && (await people.find(key));
      return person?.state === "active" ? [] : [name];
    }),
  );
  const unknown = found.flat();
  return unknown.length > 0
    ? texts.faults.nobody(unknown.join(", "))
    : undefined;
}

function keyOf(name: string) {
  const handle = parseHandle(name);
  if (handle) return { handle: formatHandle(handle) };
  return isGuid(name) ? { guid: name } : undefined;
}

const partsOf = (list: string): string[] =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

import { setImmediate } from "node:timers/promises";
import type { People } from "../../../features/people/index.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import { mentionsIn } from "../../../lib/markdown/markdown.ts";
import type { LinkedPeople } from "../content.ts";

/** Finds the known people whom texts mention by their handles. */
export async function loadLinkedPeople(
  { people }: { readonly people: Pick<People, "listByHandle"> },
  texts: readonly string[],
): Promise<LinkedPeople> {
  const handles = new Set<string>();
  for (const { handle } of texts.flatMap((text) => mentionsIn(text))) {
    const parsed = parseHandle(handle);
    if (parsed) handles.add(formatHandle(parsed));
  }
  // Rendering a long text takes a while: let other work run first.
  await setImmediate();
  return handles.size === 0 ? new Map() : people.listByHandle(handles);
}

import type { Moderation } from "../features/moderation/index.ts";
import { inOneLine } from "./in-one-line.ts";
import { UsageError, type Write } from "./usage.ts";

const AT_ONCE = 500;

/** `kith reports …` @throws {UsageError} */
export async function runReportsCommand(
  moderation: Moderation,
  words: readonly string[],
  write: Write,
): Promise<void> {
  if (words.length !== 1 || words[0] !== "list")
    throw new UsageError("kith reports list");
  let after = 0;
  for (;;) {
    const page = await moderation.listReports(after, AT_ONCE);
    for (const { id, createdAt, host, handle, text, objects } of page) {
      const about = handle ?? "nobody known";
      const fields = [id, createdAt, host, about, text, objects.join(" ")];
      write(fields.map(inOneLine).join("\t"));
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

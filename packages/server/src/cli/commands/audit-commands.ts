import type { Audit } from "../../features/audit/index.ts";
import { startTable } from "../table.ts";
import { UsageError, type Write } from "../usage.ts";

const AT_ONCE = 500;

/** `kith audit …` @throws {UsageError} */
export async function runAuditCommand(
  audit: Audit,
  words: readonly string[],
  write: Write,
): Promise<void> {
  if (words.length !== 1 || words[0] !== "list")
    throw new UsageError("kith audit list");
  const row = startTable(write, ["when", "by", "what", "of", "details"]);
  let before: number | undefined;
  for (;;) {
    const page = await audit.list({ offset: 0, limit: AT_ONCE, before });
    for (const { at, byName, action, target, details } of page)
      row([at, byName, action, target, details]);
    const last = page.at(-1);
    if (!last) return;
    before = last.id;
  }
}

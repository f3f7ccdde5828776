import type { UpgradePlan } from "../../db/upgrade-plan.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

const SHOWN_TABLES = 5;

/** `kith upgrade check` @throws {UsageError} */
export async function runUpgradeCommand(
  plan: () => Promise<UpgradePlan>,
  words: readonly string[],
  { json }: CommandOptions,
  write: Write,
): Promise<void> {
  if (words[0] !== "check" || words.length > 1)
    throw new UsageError("kith upgrade check [--json]");
  const found = await plan();
  if (json) return write(JSON.stringify(found));
  const { migrations, tables, atMostSeconds } = found;
  if (migrations.length === 0) return write("The database is up to date.");
  write(`Migrations that would run: ${migrations.join(", ")}.`);
  const largest = tables
    .slice(0, SHOWN_TABLES)
    .map(({ name, rows }) => `${name} ${rows}`);
  write(`Largest tables, about so many rows: ${largest.join(", ")}.`);
  write(
    `It takes ${atMostSeconds < 60 ? "less than a minute" : `${Math.ceil(atMostSeconds / 60)} minutes at most, on a small machine`}. The server does not answer meanwhile.`,
  );
}

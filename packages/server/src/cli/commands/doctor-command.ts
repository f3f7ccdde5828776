import type { Finding } from "../../lib/finding.ts";
import { inOneLine } from "../in-one-line.ts";
import type { CommandOptions, Write } from "../usage.ts";

const MARKS: Readonly<Record<Finding["state"], string>> = {
  ok: "ok     ",
  warning: "WARNING",
  failed: "FAILED ",
  skipped: "skipped",
};

/**
 * `kith doctor`: prints the findings. @returns whether there were none but
 * warnings
 */
export function reportFindings(
  findings: readonly Finding[],
  { json }: CommandOptions,
  write: Write,
): boolean {
  const isWell = findings.every(({ state }) => state !== "failed");
  if (json) write(JSON.stringify({ ok: isWell, findings }));
  else for (const line of findings.flatMap(describe)) write(line);
  return isWell;
}

function describe({ check, state, says, advice }: Finding): string[] {
  return [
    `${MARKS[state]}  ${check}: ${inOneLine(says)}`,
    ...(advice === null ? [] : [`         ${advice}`]),
  ];
}

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { format } from "prettier";
import {
  DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import type { SpecRow } from "./rows/spec-rows.ts";

export type Results = Map<
  string,
  Partial<Record<DatabaseKind, "passes" | "fails">>
>;

const FILE = path.resolve(import.meta.dirname, "../../docs/api-conformance.md");

const HEAD = `# Conformance of the service API

Each row of [the specification](spec/service-api.md) and of
[its resolved questions](spec/service-api-resolved.md), with the result of its test of the
same name in \`test/conformance/\`. The test generates this page:
\`KITH_WRITE_REPORT=1 npm test -- test/conformance\`.
`;

/** Writes the page if KITH_WRITE_REPORT is set; otherwise checks that it is up to date. */
export async function checkReport(
  rows: readonly SpecRow[],
  results: Results,
): Promise<void> {
  const page = await render(rows, results);
  if (process.env["KITH_WRITE_REPORT"]) writeFileSync(FILE, page);
  const stale =
    "docs/api-conformance.md is stale: KITH_WRITE_REPORT=1 npm test -- test/conformance";
  assert.ok(readFileSync(FILE, "utf8") === page, stale);
}

async function render(
  rows: readonly SpecRow[],
  results: Results,
): Promise<string> {
  const lines = rows.map(({ id }) => {
    const found = DATABASE_KINDS.map((kind) => results.get(id)?.[kind]);
    return `| ${escape(id)} | ${found.join(" | ")} |`;
  });
  const passing = rows.filter(({ id }) =>
    DATABASE_KINDS.every((kind) => results.get(id)?.[kind] === "passes"),
  );
  const sum = `${passing.length} of ${rows.length} rows pass on both databases.`;
  const head = "| Row and test | SQLite | PostgreSQL |\n| --- | --- | --- |";
  const page = [HEAD, `${sum}\n`, head, ...lines].join("\n");
  return format(page, { parser: "markdown" });
}

function escape(text: string): string {
  return text.replaceAll(/[*_|\\]/g, "\\$&");
}

import { parse } from "csv-parse/sync";
import { KithError } from "../../../lib/errors.ts";
import { normalHost } from "../../../lib/host-name.ts";
import { storableText } from "../../../lib/well-formed.ts";
import type { PolicyChange } from "../host-policy-store.ts";

/** Why a line decides nothing. */
export type LineFault = "hidden" | "no_host" | "nothing" | "severity" | "twice";

/** A line of a list: a decision about a host, or the reason why it is none. */
export type ListLine = {
  /** From 1. */
  readonly line: number;
  /** As written. */
  readonly name: string;
} & (
  | { readonly host: string; readonly policy: PolicyChange }
  | { readonly fault: LineFault }
);

/** In characters. */
export const MAX_LIST_LENGTH = 1_000_000;
const MAX_LINES = 10_000;
const MAX_FIELD = 1_000;

/**
 * Reads a list of hosts: a CSV file as Mastodon exports it (`#domain`, `#severity`,
 * `#reject_media`, `#public_comment`, in any order), or names alone, which are to be blocked.
 * @throws {KithError} `bad_request` for a text that is neither, or too long
 */
export function readHostList(text: string): ListLine[] {
  if (text.length > MAX_LIST_LENGTH) throw refuse("is too long");
  const rows = parseRows(text);
  const [first = []] = rows;
  const names = first.map((it) => it.replace(/^#/, "").toLowerCase());
  const hasHeadings = names.includes("domain");
  if (rows.length > MAX_LINES + (hasHeadings ? 1 : 0))
    throw refuse(`has more than ${MAX_LINES} lines`);
  const columns = hasHeadings ? names : ["domain"];
  const seen = new Set<string>();
  return rows.slice(hasHeadings ? 1 : 0).map((row, index) => {
    const fields = new Map(columns.map((name, at) => [name, row[at] ?? ""]));
    const name = (fields.get("domain") ?? "").slice(0, MAX_FIELD);
    const line = index + (hasHeadings ? 2 : 1);
    const read = readLine(name, fields);
    if (!("host" in read)) return { line, name, ...read };
    if (seen.has(read.host)) return { line, name, fault: "twice" };
    seen.add(read.host);
    return { line, name, ...read };
  });
}

function parseRows(text: string): string[][] {
  try {
    return parse(text, {
      ...{ bom: true, relax_column_count: true, skip_empty_lines: true },
      ...{ trim: true, to: MAX_LINES + 2, max_record_size: 10 * MAX_FIELD },
    });
  } catch {
    throw refuse("is no list of hosts: neither a CSV file nor names alone");
  }
}

function readLine(
  name: string,
  fields: ReadonlyMap<string, string>,
):
  | { readonly host: string; readonly policy: PolicyChange }
  | { readonly fault: LineFault } {
  // Servers that hide whom they block write stars into the name.
  if (name.includes("*")) return { fault: "hidden" };
  const host = normalHost(name);
  if (host === undefined || !host.includes(".")) return { fault: "no_host" };
  const severity = (fields.get("severity") ?? "suspend").toLowerCase();
  const decided = SEVERITIES.get(severity === "" ? "suspend" : severity);
  if (!decided) return { fault: "severity" };
  const rejects = /^(true|t|1|yes)$/i.test(fields.get("reject_media") ?? "");
  const policy = { ...decided, ...(rejects && { mediaRejected: true }) };
  if (Object.keys(policy).length === 0) return { fault: "nothing" };
  const reason = storableText(fields.get("public_comment") ?? "");
  return { host, policy: { ...policy, reason: reason.slice(0, MAX_FIELD) } };
}

const SEVERITIES: ReadonlyMap<string, PolicyChange> = new Map([
  ["suspend", { blocked: true }],
  ["silence", { silenced: true }],
  ["limit", { silenced: true }],
  ["noop", {}],
  ["none", {}],
]);

function refuse(why: string): KithError {
  return new KithError(
    "bad_request",
    `The parameter list must be a list of hosts: it ${why}.`,
  );
}

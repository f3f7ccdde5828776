import type { HostPolicy } from "../host-policy.ts";

const HEADINGS =
  "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate";

/** Writes decisions as a CSV file that Mastodon imports; hosts that are allowed are not in it. */
export function writeHostList(policies: readonly HostPolicy[]): string {
  const rows = policies
    .filter((it) => it.blocked || it.silenced || it.mediaRejected)
    .map(({ host, blocked, silenced, mediaRejected, reason }) => {
      const severity = blocked ? "suspend" : silenced ? "silence" : "noop";
      const fields = [host, severity, String(mediaRejected), "false"];
      return [...fields, quoted(reason), "false"].join(",");
    });
  return `${[HEADINGS, ...rows].join("\n")}\n`;
}

/** A spreadsheet takes what begins with these signs for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function quoted(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

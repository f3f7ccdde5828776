import type { ArchiveReport, Fault } from "../../features/imports/index.ts";
import { html, type Html } from "../kit/html.ts";
import { tableView } from "../kit/list-view.ts";
import { importTexts as texts } from "../languages/texts.ts";

type Kind = keyof ArchiveReport;
type Outcome = NonNullable<ArchiveReport[Kind]>;

/** The outcome of an import, or of its rehearsal. */
export function importReportView(
  report: ArchiveReport,
  isRehearsal: boolean,
): Html {
  const words = texts.report;
  const kinds = Object.entries(report) as [Kind, Outcome][];
  if (kinds.length === 0) return html`<p>${words.empty}</p>`;
  const left = kinds.flatMap(leftOutOf);
  return html`${tableView(
    [
      words.kind,
      isRehearsal ? words.wouldAdd : words.added,
      words.known,
      words.leftOut,
    ],
    kinds.map(([kind, outcome]) => [
      texts.records[kind],
      outcome.added,
      outcome.known,
      sumOf(outcome),
    ]),
  )}
  ${
    left.length > 0 &&
    html`<details open>
      <summary>${words.why}</summary>
      <ul>
        ${left}
      </ul>
    </details>`
  }`;
}

const sumOf = ({ leftOut }: Outcome): number =>
  Object.values(leftOut).reduce((sum, { count }) => sum + count, 0);

function leftOutOf([kind, { leftOut }]: [Kind, Outcome]): Html[] {
  return Object.entries(leftOut).map(([fault, { count, examples }]) => {
    const shown = examples.filter((it) => it !== "");
    return html`<li>
      ${texts.records[kind]} (${count}):
      ${texts.reasons[fault as Fault]}${
        shown.length > 0 &&
        html`<br /><small
            >${texts.report.example}
            <bdi translate="no">${shown.join(", ")}</bdi></small
          >`
      }
    </li>`;
  });
}

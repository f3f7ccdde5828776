import { COMMAND_LINE, type Act } from "../../../features/audit/index.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readInput, uint } from "../../../http/input/input.ts";
import { html, type HtmlValue } from "../../kit/html.ts";
import { tableView } from "../../kit/list-view.ts";
import { adminTexts, auditTexts, pageTexts } from "../../languages/texts.ts";
import { timeView } from "../../kit/time-view.ts";
import type { AdminPage } from "../admin-page.ts";

const texts = adminTexts.audit;

const PAGE_SIZE = 100;
const WHICH = Type.Object({ before: uint("Only what was done before this") });

/** The audit log, newest first. */
export const auditPage: AdminPage = {
  path: "/admin/audit",
  get title() {
    return texts.title;
  },
  access: "admin",
  show: async ({ context: { audit, clock }, request }) => {
    const { before } = readInput(WHICH, request.parameters);
    const acts = await audit.list({ offset: 0, limit: PAGE_SIZE + 1, before });
    const shown = acts.slice(0, PAGE_SIZE);
    if (shown.length === 0) return html`<p>${texts.none}</p>`;
    const rows = shown.map((act) => [
      timeView(act.at, clock.now()),
      act.byName === COMMAND_LINE ? adminTexts.commandLine : act.byName,
      [wordsOf(act), html`<code>${act.action}</code>`],
      act.target,
      detailsOf(act),
    ]);
    const headings = [
      ...[texts.when, texts.by, texts.action, texts.target, texts.details],
    ];
    return html`${tableView(headings, rows)}
    ${
      acts.length > PAGE_SIZE &&
      html`<p class="neighbours">
        <a href="?before=${shown.at(-1)?.id}" rel="next"
          >${pageTexts.list.older}</a
        >
      </p>`
    }`;
  },
};

/** An older version may have recorded an act that has no words any longer. */
function wordsOf({ action }: Act): HtmlValue {
  const words: Readonly<Record<string, string | undefined>> = auditTexts.acts;
  const said = words[action];
  return said !== undefined && html`${said}<br />`;
}

/** Roles are recorded by their names, such as "user -> moderator". */
function detailsOf({ action, details }: Act): string {
  if (action !== "account.set_role") return details;
  const words: Readonly<Record<string, string | undefined>> =
    adminTexts.accounts.roles;
  return details
    .split(" -> ")
    .map((role) => words[role] ?? role)
    .join(" → ");
}

import type { Session } from "../features/accounts/index.ts";
import { CATEGORIES } from "../features/moderation/index.ts";
import { csrfField } from "./csrf.ts";
import { alertView } from "./form-fields.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import { english } from "./texts.ts";

const texts = english.report;

export const REPORTABLE = ["post", "comment", "person"] as const;
export type Reportable = (typeof REPORTABLE)[number];

/** What somebody is about to report: it is looked up once it does. */
export type ReportDraft = {
  readonly kind: Reportable;
  readonly guid: string;
  readonly text: string;
  readonly fault?: string;
};

/** The way to report something; for those alone who are signed in. */
export function reportLink(
  session: Session | undefined,
  kind: Reportable,
  guid: string,
): HtmlValue {
  if (!session) return undefined;
  const href = `/report?${kind}=${encodeURIComponent(guid)}`;
  return html`<a class="quiet" href="${href}" rel="nofollow"
    >${texts.links[kind]}</a
  >`;
}

export function reportView(
  session: Session,
  { kind, guid, text, fault }: ReportDraft,
): Html {
  return html`<h1>${texts.links[kind]}</h1>
    <p>${texts.whoReads}</p>
    ${alertView(fault === undefined ? [] : [fault])}
    <form method="post" action="/report" class="stacked">
      ${csrfField(session)}
      <input type="hidden" name="${kind}" value="${guid}" />
      <p>
        <label for="category">${texts.category}</label>
        <select id="category" name="category">
          ${CATEGORIES.map(
            (one) =>
              html`<option value="${one}">${texts.categories[one]}</option>`,
          )}
        </select>
      </p>
      <p>
        <label for="text">${texts.text}</label>
        <textarea id="text" name="text" rows="5">${text}</textarea>
      </p>
      <p>
        <label
          ><input type="checkbox" name="forward" value="true" />
          ${texts.forward}</label
        >
      </p>
      <p class="actions"><button>${texts.send}</button></p>
    </form>`;
}

export function reportedView(isForwarded: boolean): Html {
  return html`<h1>${texts.thanks}</h1>
    <p>${isForwarded ? texts.isForwarded : texts.isNotForwarded}</p>
    <p><a href="/stream">${texts.back}</a></p>`;
}

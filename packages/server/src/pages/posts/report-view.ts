import type { Session } from "../../features/accounts/index.ts";
import { CATEGORIES, type Category } from "../../features/moderation/index.ts";
import type { Person } from "../../features/people/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { handleView, nameView } from "../kit/person-view.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.report;

export const REPORTABLE = ["post", "comment", "person"] as const;
export type Reportable = (typeof REPORTABLE)[number];

/**
 * The reported object as the reporter sees it: its author, and its beginning.
 */
export type Reported = {
  readonly person: Person;
  readonly beginning: string;
};

/** The object of a new report, and the input so far. */
export type ReportDraft = {
  readonly kind: Reportable;
  readonly guid: string;
  readonly text: string;
  readonly category?: Category | undefined;
  readonly forward?: boolean | undefined;
  readonly fault?: string;
};

/** The link to report an object, for signed-in users only. */
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
  reported: Reported,
  draft: ReportDraft,
): Html {
  const { kind, guid, text, category, forward = false, fault } = draft;
  return html`<h1>${texts.links[kind]}</h1>
    ${reportedThing(reported)}
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
              html`<option value="${one}" ${one === category && html`selected`}>
                ${texts.categories[one]}
              </option>`,
          )}
        </select>
      </p>
      <p>
        <label for="text">${texts.text}</label>
        <textarea id="text" name="text" rows="5">${text}</textarea>
      </p>
      <p class="choice">
        <input
          type="checkbox"
          id="forward"
          name="forward"
          value="true"
          ${forward && html`checked`}
        />
        <label for="forward">${texts.forward}</label>
      </p>
      <p class="actions"><button>${texts.send}</button></p>
    </form>`;
}

function reportedThing({ person, beginning }: Reported): Html {
  return html`<figure class="reported">
    <figcaption class="quiet">
      ${nameView(person)} ${handleView(person)}
    </figcaption>
    ${
      beginning !== "" && html`<blockquote dir="auto">${beginning}</blockquote>`
    }
  </figure>`;
}

export function reportedView(isForwarded: boolean): Html {
  return html`<h1>${texts.thanks}</h1>
    <p>${isForwarded ? texts.isForwarded : texts.isNotForwarded}</p>
    <p><a href="/home">${texts.back}</a></p>`;
}

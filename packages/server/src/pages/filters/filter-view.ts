import type { Session } from "../../features/accounts/index.ts";
import type { Filter } from "../../features/filters/index.ts";
import type { FilterId } from "../../features/ids.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  actForm,
  alertView,
  choicesField,
  lineField,
  textAreaField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { dayTimeView } from "../kit/time-view.ts";
import { filterTexts as texts } from "../languages/texts.ts";
import type { FilterDraft } from "./filter-draft.ts";

export const FILTERS = "/settings/filters";

/** The page of a filter: its form. */
export function filterPath(id: FilterId): string {
  return `${FILTERS}/${id}`;
}

/** All filters of the user. */
export function filtersView(filters: readonly Filter[]): Html {
  return html`<h1>${texts.title}</h1>
    <p class="quiet">${texts.about}</p>
    ${
      filters.length === 0
        ? html`<p>${texts.none}</p>`
        : html`<ul class="filters">
            ${filters.map(filterView)}
          </ul>`
    }
    <p class="actions">
      <a class="button" href="${FILTERS}/new">${texts.create}</a>
    </p>`;
}

function filterView({ id, title, action, keywords, endsAt }: Filter): Html {
  return html`<li>
    <p>
      <a href="${filterPath(id)}"><bdi>${title}</bdi></a>
      <span class="quiet"
        >${texts.actions[action]} · ${texts.keywords(keywords.length)}
        ${endsAt !== null && html`· ${texts.ends} ${dayTimeView(endsAt)}`}</span
      >
    </p>
  </li>`;
}

/** @param id of a filter that is changed; without one the form is for a new filter */
export function filterFormView(
  session: Session,
  draft: FilterDraft,
  id: FilterId | undefined,
): Html {
  const path = id === undefined ? `${FILTERS}/new` : filterPath(id);
  return html`<h1>${id === undefined ? texts.create : texts.change}</h1>
    <form method="post" action="${path}" class="stacked">
      ${csrfField(session)}
      ${alertView(draft.fault === undefined ? [] : [draft.fault])}
      ${lineField("title", draft.title, {
        ...{ label: texts.name, hint: texts.nameHint },
        attributes: html`required maxlength="100" dir="auto"`,
      })}
      ${textAreaField("parts", draft.parts, {
        ...{
          label: texts.parts,
          hint: texts.partsHint,
          rows: 3,
          isShort: true,
        },
      })}
      ${textAreaField("wholes", draft.wholes, {
        ...{ label: texts.wholes, rows: 3, isShort: true },
        hint: texts.wholesHint,
      })}
      ${contextFields(draft)} ${actionFields(draft)}
      ${lineField("until", draft.until, {
        ...{ label: texts.until, hint: texts.untilHint },
        attributes: html`type="datetime-local"`,
      })}
      <p class="actions"><button>${texts.save}</button></p>
    </form>
    ${
      id !== undefined &&
      actForm(session, `${path}/delete`, undefined, texts.delete)
    }
    <p><a href="${FILTERS}">${texts.back}</a></p>`;
}

function contextFields({ contexts }: FilterDraft): Html {
  return choicesField({
    ...{ name: "context", legend: texts.where, several: true },
    ...{ labels: texts.contexts, chosen: contexts },
  });
}

function actionFields({ action }: FilterDraft): Html {
  return choicesField({
    ...{ name: "action", legend: texts.what },
    ...{ labels: texts.actions, chosen: [action] },
  });
}

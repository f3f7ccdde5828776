import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.write;

/** The input of the post form: empty, or refused with a fault. */
export type PostDraft = {
  readonly text: string;
  readonly audience: string;
  readonly fault?: string;
};

export const EVERYONE = "everyone";
export const EMPTY_DRAFT: PostDraft = { text: "", audience: EVERYONE };

export function streamView(
  session: Session,
  aspects: readonly Aspect[],
  draft: PostDraft,
  stream: Part<Html>,
): Html {
  return html`<h1 class="unseen">${texts.title}</h1>
    ${writeView(session, aspects, draft)}
    ${
      stream.items.length === 0
        ? html`<p class="quiet">${texts.empty}</p>`
        : stream.items
    }
    ${paginationView(stream, {
      previous: pageTexts.newerPosts,
      next: pageTexts.olderPosts,
    })}`;
}

function writeView(
  session: Session,
  aspects: readonly Aspect[],
  { text, audience, fault }: PostDraft,
): Html {
  // Browsers drop the line break after the tag, so one is added.
  return html`<form method="post" action="/stream" class="stacked write">
    ${csrfField(session)} ${alertView(fault === undefined ? [] : [fault])}
    <p>
      <label for="text">${texts.text}</label>
      <textarea
        id="text"
        name="text"
        rows="4"
        dir="auto"
        aria-describedby="text-hint"
        ${fault !== undefined && html`aria-invalid="true"`}
      >
${text}</textarea>
      <small id="text-hint">${texts.hint}</small>
    </p>
    <p class="actions">
      <label for="audience">${texts.audience}</label>
      <select id="audience" name="audience">
        ${option(EVERYONE, texts.everyone, audience)}
        ${aspects.map(({ id, name }) => option(String(id), name, audience))}
      </select>
      <button>${texts.publish}</button>
    </p>
  </form>`;
}

function option(value: string, label: string, chosen: string): Html {
  return html`<option value="${value}" ${value === chosen && html`selected`}>
    ${label}
  </option>`;
}

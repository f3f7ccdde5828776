import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  alertView,
  hiddenField,
  lineField,
  textAreaField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { pageTexts } from "../languages/texts.ts";
import { AUDIENCES, MAX_PICTURES, type PostDraft } from "./post-draft.ts";
import { PHOTOS_FIELD } from "./publish-draft.ts";

const texts = pageTexts.write;

/** The form for a new post. */
export function composeView(
  session: Session,
  aspects: readonly Aspect[],
  draft: PostDraft,
): Html {
  const { text, fault } = draft;
  return html`<form
    method="post"
    action="/stream"
    class="stacked write composer"
    id="write"
    enctype="multipart/form-data"
  >
    ${csrfField(session)} ${alertView(fault === undefined ? [] : [fault])}
    ${textAreaField("text", text, {
      ...{ label: texts.text, hint: texts.hint, rows: 4 },
      ...{ isFaulty: fault !== undefined, isFolded: true },
    })}
    ${audienceFields(aspects, draft)} ${moreFields(draft)}
    <p class="actions"><button>${texts.publish}</button></p>
  </form>`;
}

function audienceFields(
  aspects: readonly Aspect[],
  { audience, aspectIds }: PostDraft,
): Html {
  const shown = AUDIENCES.filter(
    (choice) => choice !== "aspects" || aspects.length > 0,
  );
  return html`<fieldset class="audience">
    <legend>${texts.audience}</legend>
    ${shown.map(
      (choice) =>
        html`<div class="group">
          <label class="choice">
            <input
              type="radio"
              name="audience"
              value="${choice}"
              required
              ${choice === audience && html`checked`}
            />
            <span>${texts.audiences[choice]}</span>
          </label>
          ${choice === "aspects" && aspectFields(aspects, aspectIds)}
        </div>`,
    )}
  </fieldset>`;
}

function aspectFields(
  aspects: readonly Aspect[],
  chosen: PostDraft["aspectIds"],
): Html {
  return html`<div class="aspects">
    ${aspects.map(
      ({ id, name, memberships }) =>
        html`<label class="choice">
          <input
            type="checkbox"
            name="aspect"
            value="${id}"
            ${chosen.includes(id) && html`checked`}
          />
          <span>
            <bdi>${name}</bdi>
            <small class="quiet">${texts.members(memberships.length)}</small>
          </span>
        </label>`,
    )}
  </div>`;
}

function moreFields(draft: PostDraft): Html {
  const { warning, photoIds, photoTexts, question, answers } = draft;
  const isFilled =
    photoIds.length > 0 ||
    [warning, photoTexts, question, answers].some((it) => it !== "");
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.more}</summary>
    ${photoFields(draft)}
    ${lineField("warning", warning, {
      ...{ label: texts.warning, hint: texts.warningHint },
    })}
    ${lineField("question", question, { label: texts.question })}
    ${linesField("answers", answers, texts.answers, texts.answersHint)}
    <label class="choice">
      <input
        type="checkbox"
        name="multiple"
        value="true"
        ${draft.multiple && html`checked`}
      />
      <span>${texts.multiple}</span>
    </label>
  </details>`;
}

function photoFields({ photoIds, photoTexts }: PostDraft): Html {
  return html`<p>
      <label for="photo">${texts.photos}</label>
      <input
        id="photo"
        name="${PHOTOS_FIELD}"
        type="file"
        accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
        multiple
        aria-describedby="photo-hint"
      />
      <small id="photo-hint">${texts.photosHint(MAX_PICTURES)}</small>
    </p>
    ${
      photoIds.length > 0 &&
      html`<p>
        ${photoIds.map((id) => hiddenField("photo_id", id))}
        ${texts.attached(photoIds.length)}
      </p>`
    }
    ${linesField("photo_text", photoTexts, texts.photoTexts, texts.photoTextsHint)}`;
}

/** A text with a line for each of several things. */
function linesField(
  name: string,
  value: string,
  label: string,
  hint: string,
): Html {
  return textAreaField(name, value, { label, hint, rows: 2, isShort: true });
}

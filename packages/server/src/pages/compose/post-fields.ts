import type { AspectSummary } from "../../features/aspects/index.ts";
import type { AspectId } from "../../features/ids.ts";
import { linesField } from "../kit/components/picture-fields.ts";
import { lineField, notesOf, notesView } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { pageTexts } from "../languages/texts.ts";
import { faultAt, type PostDraft } from "./post-draft.ts";

const texts = pageTexts.write;

/**
 * The choice of an audience, of posts or events.
 * @param words by choice
 */
export function audienceFields<Choice extends string>(
  choices: readonly Choice[],
  words: Readonly<Record<Choice, string>>,
  aspects: readonly AspectSummary[],
  chosen: {
    readonly audience: string;
    readonly aspectIds: readonly AspectId[];
  },
  fault?: string,
): Html {
  const shown = choices.filter(
    (choice) => choice !== "aspects" || aspects.length > 0,
  );
  return html`<fieldset class="audience" ${notesOf("audience", { fault })}>
    <legend>${texts.audience}</legend>
    ${notesView("audience", { fault })}
    ${shown.map(
      (choice) =>
        html`<div class="group">
          <label class="choice">
            <input
              type="radio"
              id="audience-${choice}"
              name="audience"
              value="${choice}"
              required
              ${choice === chosen.audience && html`checked`}
            />
            <span>${words[choice]}</span>
          </label>
          ${choice === "aspects" && aspectFields(aspects, chosen.aspectIds)}
        </div>`,
    )}
  </fieldset>`;
}

function aspectFields(
  aspects: readonly AspectSummary[],
  chosen: readonly AspectId[],
): Html {
  return html`<div class="aspects">
    ${aspects.map(
      ({ id, name, memberCount }) =>
        html`<label class="choice">
          <input
            type="checkbox"
            name="aspect"
            value="${id}"
            ${chosen.includes(id) && html`checked`}
          />
          <span>
            <bdi>${name}</bdi>
            <small class="quiet">${texts.members(memberCount)}</small>
          </span>
        </label>`,
    )}
  </div>`;
}

export function pollFields(draft: PostDraft): Html {
  const { question, answers, multiple } = draft;
  const fault = faultAt(draft, "question");
  return html`${lineField("question", question, {
      ...{ label: texts.question, fault },
    })}
    ${linesField("answers", answers, {
      ...{ label: texts.answers, hint: texts.answersHint },
      fault: faultAt(draft, "answers"),
    })}
    <label class="choice">
      <input
        type="checkbox"
        name="multiple"
        value="true"
        ${multiple && html`checked`}
      />
      <span>${texts.multiple}</span>
    </label>`;
}

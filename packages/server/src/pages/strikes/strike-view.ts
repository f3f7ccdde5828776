import {
  canAppeal,
  MAX_APPEAL_LENGTH,
  type Appeal,
  type Strike,
} from "../../features/strikes/index.ts";
import { hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { timeView } from "../kit/time-view.ts";
import { strikeTexts as texts } from "../languages/texts.ts";

/** The form of an appeal. */
export type AppealForm = {
  readonly action: string;
  /** Hidden fields: the token of a session, or the proof of a suspended account. */
  readonly proof: Html;
  /** The refused text about one of the decisions. */
  readonly typed?: { readonly id: number; readonly text: string } | undefined;
};

export function strikesView(
  strikes: readonly Strike[],
  form: AppealForm,
  now: Date,
): Html {
  if (strikes.length === 0) return html`<p>${texts.none}</p>`;
  return html`${strikes.map((strike) => strikeView(strike, form, now))}`;
}

function strikeView(strike: Strike, form: AppealForm, now: Date): Html {
  const { id, action, message, excerpt, createdAt, endedAt } = strike;
  return html`<section id="strike-${id}" aria-labelledby="action-${id}">
    <h2 id="action-${id}">
      ${(endedAt === null ? texts.actions : texts.ended)[action]}
    </h2>
    <p class="quiet">${timeView(createdAt, now)}</p>
    ${
      message === ""
        ? html`<p>${texts.noMessage}</p>`
        : html`<p>${texts.message}:</p>
            <p class="said" dir="auto">${message}</p>`
    }
    ${
      excerpt !== null &&
      html`<p>${texts.excerpt}:</p>
        <pre class="evidence" dir="auto" tabindex="0">${excerpt}</pre>`
    }
    ${endedAt !== null && html`<p>${texts.isEnded}</p>`}
    ${strike.appeal && appealView(strike.appeal)}
    ${canAppeal(strike, now) && formView(strike, form)}
  </section>`;
}

function appealView({ text, accepted }: Appeal): Html {
  return html`<h3>${texts.appeal}</h3>
    <p class="said" dir="auto">${text}</p>
    <p>${texts.states[appealState(accepted)]}</p>`;
}

export function appealState(accepted: boolean | null) {
  if (accepted === null) return "open";
  return accepted ? "accepted" : "rejected";
}

function formView({ id }: Strike, { action, proof, typed }: AppealForm): Html {
  const text: HtmlValue = typed?.id === id ? typed.text : "";
  return html`<form method="post" action="${action}" class="stacked">
    ${proof} ${hiddenField("id", id)}
    <p>
      <label for="appeal-${id}">${texts.text}</label>
      <textarea
        id="appeal-${id}"
        name="text"
        rows="4"
        required
        maxlength="${MAX_APPEAL_LENGTH}"
        aria-describedby="appeal-${id}-hint"
        dir="auto"
      >
${text}</textarea>
      <small id="appeal-${id}-hint">${texts.hint(MAX_APPEAL_LENGTH)}</small>
    </p>
    <p class="actions"><button>${texts.send}</button></p>
  </form>`;
}

import type { Session } from "../../features/accounts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  choicesField,
  fieldView,
  proofField,
  textAreaField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { accountTexts } from "../languages/texts.ts";
import {
  ACCOUNT,
  MOVING,
  saidView,
  type AccountSaid,
} from "./own-account-view.ts";

/** The forms of a move, as they were typed: never a password. */
export type MovingDraft = AccountSaid & {
  readonly aliases: string;
  readonly handle?: string;
  readonly signature?: string;
  /** The move that the user has just signed; shown once. */
  readonly signed?: {
    readonly oldHandle: string;
    readonly newHandle: string;
    readonly signature: string;
  };
};

export function movingView(session: Session, draft: MovingDraft): Html {
  const texts = accountTexts.moving;
  const { signed, handle = "", signature = "" } = draft;
  return html`<h1>${texts.title}</h1>
    ${saidView(draft)}
    <p>${texts.about}</p>
    ${
      signed &&
      html`<section aria-labelledby="signed">
        <h2 id="signed">${texts.sign.made}</h2>
        <p>${texts.sign.madeAbout(signed.oldHandle, signed.newHandle)}</p>
        <pre tabindex="0"><code>${signed.signature}</code></pre>
      </section>`
    }
    ${section(session, "aliases", [
      textAreaField("aliases", draft.aliases, {
        ...{ label: texts.aliases.title, rows: 3, isShort: true },
        hint: texts.aliases.about,
      }),
    ])}
    ${section(session, "sign", [
      handleField("sign", handle),
      choicesField({
        ...{ name: "direction", legend: texts.sign.direction },
        ...{ labels: texts.sign.directions, chosen: ["here"] },
      }),
      proofField("sign-password"),
    ])}
    ${section(session, "away", [
      handleField("away", handle),
      signatureField("away", signature, texts.signatureOptional),
      proofField("away-password"),
    ])}
    ${section(session, "here", [
      handleField("here", handle),
      signatureField("here", signature, undefined),
      proofField("here-password"),
    ])}
    <p><a href="${ACCOUNT}">${accountTexts.title}</a></p>`;
}

function section(
  session: Session,
  act: "aliases" | "sign" | "away" | "here",
  fields: readonly Html[],
): Html {
  const words = accountTexts.moving[act];
  return html`<section aria-labelledby="${act}-title">
    <h2 id="${act}-title">${words.title}</h2>
    ${act !== "aliases" && html`<p>${words.about}</p>`}
    <form method="post" action="${MOVING}/${act}" class="stacked">
      ${csrfField(session)} ${fields}
      <p class="actions"><button>${words.button}</button></p>
    </form>
  </section>`;
}

function handleField(id: string, value: string): Html {
  return fieldView("handle", {
    id: `${id}-handle`,
    label: accountTexts.moving.handle,
    hint: accountTexts.moving.handleHint,
    attributes: html`value="${value}" maxlength="300" autocapitalize="none"
    autocomplete="off" spellcheck="false"`,
  });
}

/** @param hint says that it may be left out */
function signatureField(
  act: string,
  value: string,
  hint: string | undefined,
): Html {
  const id = `${act}-signature`;
  return html`<p>
    <label for="${id}">${accountTexts.moving.signature}</label>
    <input
      id="${id}"
      name="signature"
      value="${value}"
      ${hint === undefined && html`required`}
      autocapitalize="none"
      autocomplete="off"
      spellcheck="false"
      ${hint !== undefined && html`aria-describedby="${id}-hint"`}
    />
    ${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}
  </p>`;
}

import type { Session } from "../../features/accounts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView, lineField, textAreaField } from "../kit/form-fields.ts";
import { confirmView } from "../kit/components/confirm-view.ts";
import { html, type Html } from "../kit/html.ts";
import { writingTexts as texts } from "../languages/texts.ts";
import type { Written } from "./written.ts";

/** A text as it is being edited. */
export type EditDraft = {
  readonly text: string;
  readonly warning: string;
  readonly fault?: string;
  /** The field that the fault is about, if it is about one. */
  readonly faulty?: "text" | "warning";
};

export function titleOf({ kind }: Written, act: "edit" | "delete"): string {
  if (act === "edit")
    return kind === "posts" ? texts.editPost : texts.editComment;
  return kind === "posts" ? texts.deletePost : texts.deleteComment;
}

export function editView(
  session: Session,
  written: Written,
  { text, warning, fault, faulty }: EditDraft,
): Html {
  const { kind, guid, path, isKept, audience } = written;
  return html`<h1>${titleOf(written, "edit")}</h1>
    <form
      method="post"
      action="/${kind}/${encodeURIComponent(guid)}/edit"
      class="stacked write"
    >
      ${csrfField(session)} ${alertView(fault === undefined ? [] : [fault])}
      ${textAreaField("text", text, {
        ...{ label: texts.text, hint: texts.hint, rows: 8 },
        fault: faulty === "text" ? fault : undefined,
      })}
      ${lineField("warning", warning, {
        ...{ label: texts.warning, hint: texts.warningHint },
        fault: faulty === "warning" ? fault : undefined,
      })}
      ${
        audience !== undefined &&
        html`<p class="quiet">
          ${kind === "posts" && `${texts.audience} `}${audience}
        </p>`
      }
      ${isKept && html`<p class="quiet">${texts.ignored}</p>`}
      <p class="actions">
        <button>${texts.save}</button> <a href="${path}">${texts.cancel}</a>
      </p>
    </form>`;
}

/** Asks once before a post or comment is deleted. */
export function deleteView(
  session: Session,
  written: Written,
  fault?: string,
): Html {
  const { kind, guid, path, text } = written;
  const about =
    kind === "posts" ? texts.deletePostAbout : texts.deleteCommentAbout;
  return confirmView(session, {
    ...{ title: titleOf(written, "delete"), about, fault },
    quoted: beginningOf(text),
    action: `/${kind}/${encodeURIComponent(guid)}/delete`,
    button: texts.delete,
    other: kind === "posts" ? redraftButton() : undefined,
    keep: { path, label: texts.keep },
  });
}

function redraftButton() {
  return {
    button: html`<button
      class="second"
      name="redraft"
      value="true"
      aria-describedby="redraft-hint"
    >
      ${texts.redraft}
    </button>`,
    hint: html`<small id="redraft-hint">${texts.redraftAbout}</small>`,
  };
}

const MAX_SHOWN = 300;

function beginningOf(text: string): string {
  const letters = [...text];
  return letters.length > MAX_SHOWN
    ? `${letters.slice(0, MAX_SHOWN).join("")}…`
    : text;
}

import type { Session } from "../../features/accounts/index.ts";
import type { AspectSummary } from "../../features/aspects/index.ts";
import { pictureFields } from "../kit/components/picture-fields.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  alertView,
  hiddenField,
  lineField,
  scriptedForm,
  textAreaField,
} from "../kit/form-fields.ts";
import { onceField } from "../session/write-once.ts";
import { html, type Html } from "../kit/html.ts";
import { pageTexts } from "../languages/texts.ts";
import { AUDIENCES, faultAt, type PostDraft } from "./post-draft.ts";
import { audienceFields, pollFields } from "./post-fields.ts";
import { publishButton, reachPlace } from "./reach-view.ts";

const texts = pageTexts.write;

/**
 * The form for a new post.
 * @param tab the query of the tab of the home on which it is
 */
export function composeView(
  session: Session,
  aspects: readonly AspectSummary[],
  draft: PostDraft,
  tab: string,
): Html {
  const { text, fault } = draft;
  return html`<form
    method="post"
    action="/home"
    class="stacked write composer"
    id="write"
    enctype="multipart/form-data"
    ${scriptedForm(session)}
  >
    ${csrfField(session)} ${onceField()} ${hiddenField("tab", tab)}
    ${alertView(fault === undefined ? [] : [fault])}
    ${textAreaField("text", text, {
      ...{ label: texts.text, hint: texts.hint, rows: 4 },
      ...{ fault: faultAt(draft, "text"), isFolded: true },
    })}
    ${audienceFields(
      ...([AUDIENCES, texts.audiences, aspects, draft] as const),
      faultAt(draft, "audience"),
    )}
    ${reachPlace(undefined)} ${moreFields(draft)}
    <p class="actions">
      <button
        class="second"
        type="submit"
        formaction="/write"
        formnovalidate
        name="act"
        value="check"
      >
        ${texts.toWholeForm}
      </button>
      ${publishButton(undefined, html``)}
    </p>
  </form>`;
}

function moreFields(draft: PostDraft): Html {
  const { warning, photoIds, photoTexts, question, answers, faulty } = draft;
  const isFaultAbove = faulty === "text" || faulty === "audience";
  const isFilled =
    (faulty !== undefined && !isFaultAbove) ||
    photoIds.length > 0 ||
    [warning, photoTexts, question, answers].some((it) => it !== "");
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.more}</summary>
    ${pictureFields(draft, faultAt(draft, "photo"))}
    ${lineField("warning", warning, {
      ...{ label: texts.warning, hint: texts.warningHint },
      fault: faultAt(draft, "warning"),
    })}
    ${pollFields(draft)}
    ${draft.language !== "" && hiddenField("language", draft.language)}
  </details>`;
}

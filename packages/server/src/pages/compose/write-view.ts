import type { Session } from "../../features/accounts/index.ts";
import type { AspectSummary } from "../../features/aspects/index.ts";
import type { AudiencePreview } from "../../features/audiences/index.ts";
import type { PhotoId } from "../../features/ids.ts";
import {
  attachedView,
  pictureField,
} from "../kit/components/picture-fields.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  alertView,
  hiddenField,
  lineField,
  scriptedForm,
  textAreaField,
  choiceField,
} from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { linesOf } from "../kit/page-input.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { onceField } from "../session/write-once.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import { composeTexts as texts, pageTexts } from "../languages/texts.ts";
import { AUDIENCES, faultAt, type PostDraft } from "./post-draft.ts";
import { audienceFields, pollFields } from "./post-fields.ts";
import { publishButton, reachPlace } from "./reach-view.ts";
import { WRITE } from "../session/places.ts";

export const DRAFTS = "/drafts";

/** Those that are offered; a draft may have another. */
const LANGUAGES = [
  ...["ar", "bg", "ca", "cs", "da", "de", "el", "en", "eo", "es", "et", "eu"],
  ...["fa", "fi", "fr", "ga", "gl", "he", "hi", "hr", "hu", "id", "is", "it"],
  ...["ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl"],
  ...["sr", "sv", "th", "tr", "uk", "vi", "zh"],
];

/** A picture that is uploaded already. */
type Attached = { readonly id: PhotoId; readonly src: string | undefined };

export type WritePage = {
  readonly session: Session;
  readonly aspects: readonly AspectSummary[];
  readonly draft: PostDraft;
  readonly pictures: readonly Attached[];
  /** Once its author has had it checked. */
  readonly preview: AudiencePreview | undefined;
  /** Its text as readers will see it, once it is checked. */
  readonly rendered: Html | undefined;
  readonly notice?: string | undefined;
};

/** The whole form for a post. Its first button publishes nothing. */
export function writeView(page: WritePage): Html {
  const { session, aspects, draft, preview, notice } = page;
  const { fault } = draft;
  return html`<h1>${texts.title}</h1>
    <p><a href="${DRAFTS}">${texts.drafts}</a></p>
    ${noticeView(notice)}
    <form
      method="post"
      action="${WRITE}"
      class="stacked write"
      enctype="multipart/form-data"
      ${scriptedForm(session)}
    >
      ${csrfField(session)} ${onceField()}
      ${alertView(fault === undefined ? [] : [fault])}
      ${draft.draftId !== undefined && hiddenField("draft", draft.draftId)}
      ${textAreaField("text", draft.text, {
        ...{ label: pageTexts.write.text, hint: pageTexts.write.hint, rows: 8 },
        fault: faultAt(draft, "text"),
      })}
      ${page.rendered && renderedView(page.rendered)}
      ${audienceFields(
        ...([AUDIENCES, pageTexts.write.audiences, aspects, draft] as const),
        faultAt(draft, "audience"),
      )}
      ${reachPlace(preview)} ${picturePart(page)} ${pollPart(draft)}
      ${placeFields(draft)} ${otherFields(draft)}
      <p class="actions">
        <button class="second" name="act" value="check">${texts.check}</button>
        <button class="second" name="act" value="save">${texts.save}</button>
        ${publishButton(preview, html`name="act" value="publish"`)}
      </p>
    </form>`;
}

function renderedView(rendered: Html): Html {
  return html`<section class="rendered" aria-labelledby="rendered">
    <h2 id="rendered">${texts.rendered}</h2>
    <div class="text" dir="auto">${rendered}</div>
  </section>`;
}

function picturePart({ draft, pictures }: WritePage): Html {
  const fault = faultAt(draft, "photo");
  const isOpen = pictures.length > 0 || fault !== undefined;
  // The form on Home has one field for all of them.
  const words = [...draft.described, ...linesOf(draft.photoTexts)];
  return html`<details ${isOpen && html`open`}>
    <summary>${texts.pictures}</summary>
    ${pictures.map((it, at) => describedView(it, at + 1, words[at] ?? ""))}
    ${pictureField(texts.addPictures, fault)}
  </details>`;
}

function describedView(
  { id, src }: Attached,
  number: number,
  words: string,
): Html {
  return html`<div class="described">
    ${src !== undefined && html`<img src="${src}" alt="" />`}
    <p>
      <label for="described-${id}">${texts.describe}</label>
      <input
        id="described-${id}"
        name="described"
        value="${words}"
        dir="auto"
        autocomplete="off"
        aria-describedby="described-${id}-hint"
      />
      <small id="described-${id}-hint">${texts.describeHint}</small>
    </p>
    ${attachedView(id, number)}
  </div>`;
}

function pollPart(draft: PostDraft): Html {
  const { faulty } = draft;
  const isFilled =
    draft.question !== "" ||
    draft.answers !== "" ||
    faulty === "question" ||
    faulty === "answers";
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.poll}</summary>
    ${pollFields(draft)}
  </details>`;
}

function placeFields(draft: PostDraft): Html {
  const { place } = draft;
  const isFilled = Object.values(place).some((it) => it !== "");
  const degrees = html`inputmode="decimal" maxlength="25"`;
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.place}</summary>
    ${lineField("place", place.address, {
      ...{ label: texts.placeName, hint: texts.placeHint },
      fault: faultAt(draft, "place"),
      attributes: html`maxlength="255" dir="auto"`,
    })}
    ${lineField("lat", place.lat, {
      ...{ label: texts.lat, attributes: degrees },
      fault: faultAt(draft, "lat"),
    })}
    ${lineField("lng", place.lng, { label: texts.lng, attributes: degrees })}
  </details>`;
}

function otherFields(draft: PostDraft): Html {
  const { warning, language, publishAt, quotableBy } = draft;
  const { write } = pageTexts;
  const filled = [warning, language, publishAt, quotableBy];
  const isFilled = filled.some((it) => it !== "");
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.more}</summary>
    ${lineField("warning", warning, {
      ...{ label: write.warning, hint: write.warningHint },
      fault: faultAt(draft, "warning"),
    })}
    <p>
      <label for="language">${texts.language}</label>
      <select id="language" name="language">
        <option value="">${texts.noLanguage}</option>
        ${languageOptions(language)}
      </select>
    </p>
    ${choiceField(
      "quotable_by",
      texts.quotableBy,
      { "": texts.quotableAsUsual, ...texts.quotable },
      quotableBy,
    )}
    ${lineField("publish_at", publishAt, {
      ...{ label: texts.time, hint: texts.timeHint(currentTimeZone()) },
      fault: faultAt(draft, "publish_at"),
      attributes: html`type="datetime-local"`,
    })}
  </details>`;
}

function languageOptions(chosen: string): HtmlValue {
  const names = new Intl.DisplayNames(currentLanguage(), { type: "language" });
  const tags = new Set([...LANGUAGES, ...(chosen === "" ? [] : [chosen])]);
  return [...tags]
    .map((tag) => ({ tag, name: nameOf(names, tag) }))
    .sort((one, other) => one.name.localeCompare(other.name, currentLanguage()))
    .map(
      ({ tag, name }) =>
        html`<option value="${tag}" ${tag === chosen && html`selected`}>
          ${name}
        </option>`,
    );
}

/** The typed text need not be a tag. */
function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch (error) {
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

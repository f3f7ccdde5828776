import type { Session } from "../../features/accounts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { lineField, textAreaField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { errorSummary, noticeView } from "../kit/components/notices-view.ts";
import { avatarView } from "../kit/person-view.ts";
import { pageTexts } from "../languages/texts.ts";
import type { FormDraft } from "../session/return-target.ts";
import {
  audienceName,
  DETAIL_AUDIENCES,
  DETAILS,
  lineName,
  lineText,
  MAX_LINES,
  SWITCHES,
} from "./profile-draft.ts";
import type { ProfileFaults } from "./profile-faults.ts";
import type { SettingsDraft } from "./settings-view.ts";

const texts = pageTexts.profileForm;

/** The words above the form, and beside its fields. */
export type SaidOfProfile = SettingsDraft & {
  readonly faults?: ProfileFaults;
};

export const PROFILE_SETTINGS = "/settings/profile";
export const PICTURE_FIELD = "picture";
export const HEADER_FIELD = "header";
/** Empty lines for what is added. */
const SPARE_LINES = 2;

export function profileView(
  session: Session,
  person: Person,
  draft: FormDraft,
  { fault, notice, faults = {} }: SaidOfProfile,
): Html {
  const found = Object.entries(faults);
  return html`<h1>${texts.title}</h1>
    ${noticeView(notice)}
    ${errorSummary(
      fault,
      found.map(([field, words]) => ({ field, words })),
    )}
    <form
      method="post"
      action="${PROFILE_SETTINGS}"
      class="stacked"
      enctype="multipart/form-data"
    >
      ${csrfField(session)} ${avatarView(person, 96)}
      ${pictureField(PICTURE_FIELD, texts.picture)}
      ${person.profile.imageUrl !== "" && removeField(PICTURE_FIELD, texts.removePicture)}
      ${pictureField(HEADER_FIELD, texts.header)}
      ${person.profile.headerUrl !== "" && removeField(HEADER_FIELD, texts.removeHeader)}
      ${line("first_name", draft, texts.firstName, faults)}
      ${line("last_name", draft, texts.lastName, faults)}
      ${DETAILS.map((detail) => detailFields(detail, draft, faults))}
      ${linesFields(draft, faults)}
      ${SWITCHES.map((name) => switchField(name, draft))}
      <p class="actions"><button>${texts.save}</button></p>
    </form>`;
}

function pictureField(name: string, label: string): Html {
  return html`<p>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="file"
      accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
      aria-describedby="${name}-hint"
    />
    <small id="${name}-hint">${texts.pictureHint}</small>
  </p>`;
}

/** The name of the box that removes the picture of a field. */
export const removalOf = (field: string): string => `remove_${field}`;

const removeField = (field: string, label: string): Html =>
  html`<label class="choice">
    <input type="checkbox" name="${removalOf(field)}" value="true" />
    <span>${label}</span>
  </label>`;

function detailFields(
  detail: (typeof DETAILS)[number],
  draft: FormDraft,
  faults: ProfileFaults,
): HtmlValue {
  const label = texts[detail];
  const fault = faults[detail];
  const value = draft[detail] ?? "";
  return [
    detail === "bio"
      ? textAreaField(detail, value, { label, fault, rows: 5 })
      : lineField(detail, value, {
          ...{ label, fault },
          ...(detail === "birthday" && { attributes: html`type="date"` }),
        }),
    audienceField(detail, draft, label),
  ];
}

function line(
  name: string,
  draft: FormDraft,
  label: string,
  faults: ProfileFaults,
): Html {
  return lineField(name, draft[name] ?? "", { label, fault: faults[name] });
}

function audienceField(
  detail: (typeof DETAILS)[number],
  draft: FormDraft,
  label: string,
): Html {
  const name = audienceName(detail);
  return html`<p class="detail-audience">
    <label for="${name}"
      >${texts.shownTo} <span class="unseen">(${label})</span></label
    >
    <select id="${name}" name="${name}">
      ${DETAIL_AUDIENCES.map(
        (audience) =>
          html`<option
            value="${audience}"
            ${audience === draft[name] && html`selected`}
          >
            ${texts.audiences[audience]}
          </option>`,
      )}
    </select>
  </p>`;
}

function linesFields(draft: FormDraft, faults: ProfileFaults): Html {
  const filled = Array.from({ length: MAX_LINES }, (_, at) => at).filter(
    (at) => `${draft[lineName(at)] ?? ""}${draft[lineText(at)] ?? ""}` !== "",
  );
  const shown = Math.min(MAX_LINES, (filled.at(-1) ?? -1) + 1 + SPARE_LINES);
  return html`<fieldset class="audience">
    <legend>${texts.fields}</legend>
    <p><small>${texts.fieldsHint}</small></p>
    ${Array.from({ length: shown }, (_, at) => [
      line(lineName(at), draft, texts.fieldName(at + 1), faults),
      line(lineText(at), draft, texts.fieldValue(at + 1), faults),
    ])}
  </fieldset>`;
}

function switchField(name: (typeof SWITCHES)[number], draft: FormDraft): Html {
  return html`<label class="choice">
    <input
      type="checkbox"
      name="${name}"
      value="true"
      ${draft[name] === "true" && html`checked`}
    />
    <span>${texts[name]}</span>
  </label>`;
}

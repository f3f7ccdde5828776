import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type { AspectId } from "../../features/ids.ts";
import { audienceFields } from "../compose/post-fields.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView, choiceField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import {
  composeTexts,
  pageTexts,
  privacyTexts as texts,
} from "../languages/texts.ts";
import { PRIVACY_SETTINGS } from "../session/places.ts";
import type { SettingsDraft } from "./settings-view.ts";

export const DEFAULT_AUDIENCES = [
  "everyone",
  "unlisted",
  "followers",
  "all_aspects",
  "aspects",
  "self",
] as const;

const SWITCHES = ["locked", "searchable", "indexable"] as const;

/** The choices as stored, or as typed before any check. */
export type PrivacyChoices = Readonly<
  Record<(typeof SWITCHES)[number], boolean>
> & {
  readonly audience: string;
  readonly aspectIds: readonly AspectId[];
  readonly quotableBy: string;
};

export function privacyView(
  session: Session,
  aspects: readonly Aspect[],
  choices: PrivacyChoices,
  { fault, notice }: SettingsDraft,
): Html {
  return html`<h1>${texts.title}</h1>
    ${noticeView(notice)} ${alertView(fault === undefined ? [] : [fault])}
    <form method="post" action="${PRIVACY_SETTINGS}" class="stacked">
      ${csrfField(session)}
      <section aria-labelledby="usual">
        <h2 id="usual">${texts.usual}</h2>
        <p class="quiet">${texts.usualAbout}</p>
        ${audienceFields(
          DEFAULT_AUDIENCES,
          pageTexts.write.audiences,
          aspects,
          choices,
        )}
        ${choiceField(
          "quotable_by",
          texts.quotableBy,
          composeTexts.quotable,
          choices.quotableBy,
        )}
      </section>
      <section aria-labelledby="found">
        <h2 id="found">${texts.found}</h2>
        ${SWITCHES.map((name) => switchField(name, choices[name]))}
      </section>
      <p class="actions"><button>${texts.save}</button></p>
    </form>`;
}

function switchField(name: (typeof SWITCHES)[number], isChosen: boolean): Html {
  return html`<p>
    <label class="choice">
      <input
        type="checkbox"
        name="${name}"
        value="true"
        aria-describedby="${name}-hint"
        ${isChosen && html`checked`}
      />
      <span>${texts.switches[name]}</span>
    </label>
    <small id="${name}-hint">${texts.hints[name]}</small>
  </p>`;
}

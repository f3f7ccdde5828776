import type { Session } from "../../features/accounts/index.ts";
import {
  readFollowLanguages,
  type FollowChoices,
} from "../../features/contacts/index.ts";
import { readInput } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import { csrfField } from "../kit/csrf.ts";
import { lineField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { contactTexts } from "../languages/texts.ts";

const CHOICES = Type.Object({
  reshares: Type.Optional(
    Type.Boolean({ description: "Are the person's reshares wanted?" }),
  ),
  notify: Type.Optional(
    Type.Boolean({ description: "Is each new post worth a notification?" }),
  ),
  featured: Type.Optional(
    Type.Boolean({ description: "Is the person shown on one's own profile?" }),
  ),
  languages: Type.Optional(
    Type.String({ description: "The wanted languages, by their tags" }),
  ),
});

/**
 * Reads the form of `choicesForm`, in which a box that is not checked is not sent.
 * @throws {KithError} `bad_request` for a tag that is no language
 */
export function readFollowChoices(given: Parameters): FollowChoices {
  const { reshares, notify, featured, languages } = readInput(CHOICES, given);
  return {
    reshares: reshares ?? false,
    notify: notify ?? false,
    featured: featured ?? false,
    languages: readFollowLanguages((languages ?? "").split(/[\s,;]+/)),
  };
}

/** The choices as they were typed into the form, with words for the fault. */
export function readTypedChoices(given: Parameters): ShownChoices {
  const {
    reshares = false,
    notify = false,
    featured = false,
    languages = "",
  } = readInput(CHOICES, given);
  const fault = contactTexts.choices.languagesFault;
  return { reshares, notify, featured, languages: [languages], fault };
}

/** The choices as they are, or as they were typed. */
type ShownChoices = FollowChoices & { readonly fault?: string };

/** A form for the visitor's choices about a followed person. */
export function choicesForm(
  session: Session,
  path: string,
  { reshares, notify, featured, languages, fault }: ShownChoices,
): Html {
  const { choices: texts } = contactTexts;
  const box = (name: string, isChecked: boolean, label: string): Html =>
    html`<p>
      <label class="choice">
        <input
          type="checkbox"
          name="${name}"
          value="true"
          ${isChecked && html`checked`}
        />
        ${label}
      </label>
    </p>`;
  return html`<details ${fault !== undefined && html`open`}>
    <summary>${texts.title}</summary>
    <form method="post" action="${path}/choices">
      ${csrfField(session)} ${box("reshares", reshares, texts.reshares)}
      ${box("notify", notify, texts.notify)}
      ${box("featured", featured, texts.featured)}
      ${lineField("languages", languages.join(" "), {
        ...{ label: texts.languages, hint: texts.languagesHint },
        fault,
        attributes: html`dir="ltr" autocapitalize="none" spellcheck="false"
        pattern="[A-Za-z0-9\\-\\s,;]*" maxlength="400"`,
      })}
      <p class="actions"><button>${texts.save}</button></p>
    </form>
  </details>`;
}

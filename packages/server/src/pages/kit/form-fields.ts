import type { Session } from "../../features/accounts/index.ts";
import { csrfField } from "./csrf.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import {
  pageTexts,
  scriptTexts,
  securityTexts as security,
} from "../languages/texts.ts";

type Field = {
  readonly label: string;
  readonly isFaulty?: boolean;
  /** Shown below the field, and read out with it. */
  readonly hint?: string;
};

/** A username field, without autocorrection or capitals. */
export function usernameField(value: string, field: Partial<Field>): Html {
  return fieldView("username", {
    label: pageTexts.account.username,
    ...field,
    attributes: html`value="${value}" maxlength="30" autocomplete="username"
    autocapitalize="none" spellcheck="false"`,
  });
}

/** The script fills in the time zone of the browser. */
export const zoneField = (): Html =>
  html`<input type="hidden" name="time_zone" data-zone />`;

/** @param autocomplete helps password managers */
export function passwordField(
  name: "password" | "confirm",
  autocomplete: "new-password" | "current-password",
  field: Field & { readonly minLength?: number },
): Html {
  return fieldView(name, {
    ...field,
    attributes: html`type="password" autocomplete="${autocomplete}"
    ${field.minLength !== undefined && html`minlength="${field.minLength}"`}`,
  });
}

/** A code of the second factor. @param id if a page has several of them */
export function codeField(
  id: string,
  { isFaulty = false, hint = security.codeHint } = {},
): Html {
  return fieldView("code", {
    id,
    label: security.code,
    hint,
    isFaulty,
    attributes: html`autocomplete="one-time-code" autocapitalize="none"
    spellcheck="false" maxlength="40"`,
  });
}

/**
 * The password, asked for again before a change. @param id if a page has
 * several of them
 */
export function proofField(id: string): Html {
  return fieldView("password", {
    id,
    label: security.password,
    attributes: html`type="password" autocomplete="current-password"`,
  });
}

export function fieldView(
  name: string,
  {
    id = name,
    label,
    hint,
    isFaulty = false,
    attributes,
  }: Field & { readonly id?: string; readonly attributes: Html },
): Html {
  return html`<p>
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      required
      ${attributes}
      ${hint !== undefined && html`aria-describedby="${id}-hint"`}
      ${isFaulty && html`aria-invalid="true"`}
    />
    ${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}
  </p>`;
}

/** A field for an e-mail address, named `email`. */
export function addressField(
  label: string,
  {
    value,
    hint,
    isRequired,
    isFaulty = false,
  }: {
    readonly value: string;
    readonly hint: string;
    readonly isRequired: boolean;
    readonly isFaulty?: boolean;
  },
): Html {
  const attributes = html`type="email" value="${value}" maxlength="254"
  autocomplete="email"`;
  if (isRequired)
    return fieldView("email", { label, hint, isFaulty, attributes });
  return html`<p>
    <label for="email">${label}</label>
    <input
      id="email"
      name="email"
      ${attributes}
      aria-describedby="email-hint"
      ${isFaulty && html`aria-invalid="true"`}
    />
    <small id="email-hint">${hint}</small>
  </p>`;
}

type WritingField = {
  readonly label: string;
  /** Shown below the field, and read out with it. */
  readonly hint?: string;
  /** The words for what is wrong with it, shown and read out in the same way. */
  readonly fault?: string | undefined;
};

/** A line of text, optional unless its attributes say otherwise. */
export function lineField(
  name: string,
  value: string,
  {
    label,
    attributes,
    ...notes
  }: WritingField & { readonly attributes?: Html },
): Html {
  return html`<p>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      ${attributes ?? html`dir="auto"`}
      autocomplete="off"
      ${notesOf(name, notes)}
    />
    ${notesView(name, notes)}
  </p>`;
}

/** A text of several lines. @param field.isShort for a few lines only */
export function textAreaField(
  name: string,
  value: string,
  field: WritingField & {
    readonly rows: number;
    /** Is it wrong, in a way that is shown elsewhere? */
    readonly isFaulty?: boolean;
    readonly isShort?: boolean;
    /** An empty field can be told by the style sheet. */
    readonly isFolded?: boolean;
  },
): Html {
  const { label, rows, isShort = false } = field;
  // Browsers drop the line break after the tag, so one is added.
  return html`<p>
    <label for="${name}">${label}</label>
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      dir="auto"
      ${isShort && html`class="short"`}
      ${field.isFolded && html`placeholder=" "`}
      ${notesOf(name, field)}
    >
${value}</textarea>
    ${notesView(name, field)}
  </p>`;
}

type Notes = Pick<WritingField, "hint" | "fault"> & {
  readonly isFaulty?: boolean;
};

/** The attributes that lead from a field, or a group of fields, to its notes. */
export function notesOf(
  name: string,
  { hint, fault, isFaulty = fault !== undefined }: Notes,
): Html {
  const ids = [
    ...(fault === undefined ? [] : [`${name}-fault`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(" ")}"`}
  ${isFaulty && html`aria-invalid="true"`}`;
}

/**
 * The attributes by which the script knows a form for a text: it keeps what one user has
 * typed.
 * @param place what the text is for, where it is no post
 */
export function scriptedForm({ user }: Session, place = ""): Html {
  const key = place === "" ? user.username : `${user.username} ${place}`;
  return html`data-draft="${key}" data-restored="${scriptTexts.restored}"`;
}

/** The hint and the fault of a field. */
export function notesView(name: string, { hint, fault }: Notes): HtmlValue {
  return [
    hint !== undefined && html`<small id="${name}-hint">${hint}</small>`,
    fault !== undefined &&
      html`<small class="fault" id="${name}-fault">${fault}</small>`,
  ];
}

/** The faults of a form, announced by screen readers. The page begins there. */
export function alertView(messages: readonly string[]): HtmlValue {
  if (messages.length === 0) return undefined;
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
    ${messages.map((message) => html`<p>${message}</p>`)}
  </div>`;
}

/**
 * A form with one button that works without scripts. @param action the URL of
 * one of the page's acts
 */
export function actForm(
  session: Session,
  action: string,
  content: HtmlValue,
  button: HtmlValue,
): Html {
  return html`<form method="post" action="${action}" class="act">
    ${csrfField(session)} ${content}
    <button>${button}</button>
  </form>`;
}

/** A hidden field. */
export function hiddenField(name: string, value: string | number): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

type FieldOptions = {
  readonly value?: string;
  readonly required?: boolean;
  /** The maximum of a number. */
  readonly most?: number;
};

/** A field for one line of text, or for a number from 1 on. */
export function textField(
  name: string,
  label: string,
  { value = "", required = false, most }: FieldOptions,
): Html {
  const kind =
    most === undefined
      ? html`type="text"`
      : html`type="number" min="1" max="${most}"`;
  return html`<label
    >${label}
    <input
      name="${name}"
      ${kind}
      value="${value}"
      ${required && html`required`}
      autocapitalize="none"
      autocomplete="off"
  /></label>`;
}

/** A selection; the labels by value. */
export function choiceField(
  name: string,
  label: string,
  choices: Readonly<Record<string, string>>,
  chosen?: string,
): Html {
  return html`<label
    >${label}
    <select name="${name}">
      ${Object.entries(choices).map(
        ([value, words]) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>
            ${words}
          </option>`,
      )}
    </select></label
  >`;
}

type Choices = {
  readonly name: string;
  readonly legend: string;
  /** The labels by value, in their order. */
  readonly labels: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  /** Can several be chosen? */
  readonly several?: boolean;
  readonly hint?: string;
};

/** Radio buttons, or check boxes, with their legend. */
export function choicesField({
  name,
  legend,
  labels,
  chosen,
  several = false,
  hint,
}: Choices): Html {
  const hintId = `${name}-hint`;
  return html`<fieldset ${hint && html`aria-describedby="${hintId}"`}>
    <legend>${legend}</legend>
    ${Object.entries(labels).map(
      ([value, label]) =>
        html`<label class="choice">
          <input
            type="${several ? "checkbox" : "radio"}"
            name="${name}"
            value="${value}"
            ${chosen.includes(value) && html`checked`}
          />
          <span>${label}</span>
        </label>`,
    )}
    ${hint && html`<small id="${hintId}">${hint}</small>`}
  </fieldset>`;
}

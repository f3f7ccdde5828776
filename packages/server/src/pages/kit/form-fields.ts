import type { Session } from "../../features/accounts/index.ts";
import { csrfField } from "./csrf.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import { pageTexts, securityTexts as security } from "../languages/texts.ts";

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

type WritingField = {
  readonly label: string;
  /** Shown below the field, and read out with it. */
  readonly hint?: string;
};

/** An optional line of text. */
export function lineField(
  name: string,
  value: string,
  { label, hint, attributes }: WritingField & { readonly attributes?: Html },
): Html {
  return html`<p>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      ${attributes ?? html`dir="auto"`}
      autocomplete="off"
      ${hint !== undefined && html`aria-describedby="${name}-hint"`}
    />
    ${hintView(name, hint)}
  </p>`;
}

/** A text of several lines. @param field.isShort for a few lines only */
export function textAreaField(
  name: string,
  value: string,
  field: WritingField & {
    readonly rows: number;
    readonly isFaulty?: boolean;
    readonly isShort?: boolean;
    /** An empty field can be told by the style sheet. */
    readonly isFolded?: boolean;
  },
): Html {
  const { label, hint, rows, isFaulty = false, isShort = false } = field;
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
      ${hint !== undefined && html`aria-describedby="${name}-hint"`}
      ${isFaulty && html`aria-invalid="true"`}
    >
${value}</textarea>
    ${hintView(name, hint)}
  </p>`;
}

function hintView(name: string, hint: string | undefined): HtmlValue {
  return hint !== undefined && html`<small id="${name}-hint">${hint}</small>`;
}

/** The faults of a form, announced by screen readers. */
export function alertView(messages: readonly string[]): HtmlValue {
  if (messages.length === 0) return undefined;
  return html`<div class="alert" role="alert">
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
  button: string,
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

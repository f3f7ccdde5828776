import { html, type Html, type HtmlValue } from "./html.ts";
import { security } from "./security-texts.ts";
import { englishPageTexts } from "./texts.ts";

type Field = {
  readonly label: string;
  readonly isFaulty?: boolean;
  /** Shown below the field, and read out with it. */
  readonly hint?: string;
};

/** A username field, without autocorrection or capitals. */
export function usernameField(value: string, field: Partial<Field>): Html {
  return fieldView("username", {
    label: englishPageTexts.account.username,
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

/** The faults of a form, announced by screen readers. */
export function alertView(messages: readonly string[]): HtmlValue {
  if (messages.length === 0) return undefined;
  return html`<div class="alert" role="alert">
    ${messages.map((message) => html`<p>${message}</p>`)}
  </div>`;
}

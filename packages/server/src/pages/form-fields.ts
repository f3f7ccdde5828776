import { html, type Html, type HtmlValue } from "./html.ts";
import { english } from "./texts.ts";

type Field = {
  readonly label: string;
  readonly isFaulty?: boolean;
  /** Said below the field, and read out with it. */
  readonly hint?: string;
};

/** A username as it is typed: nothing is corrected or made a capital. */
export function usernameField(value: string, field: Partial<Field>): Html {
  return fieldView("username", {
    label: english.account.username,
    ...field,
    attributes: html`value="${value}" maxlength="30" autocomplete="username"
    autocapitalize="none" spellcheck="false"`,
  });
}

/** @param autocomplete lets a password manager offer the right thing */
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

function fieldView(
  name: string,
  {
    label,
    hint,
    isFaulty = false,
    attributes,
  }: Field & { readonly attributes: Html },
): Html {
  return html`<p>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      required
      ${attributes}
      ${hint !== undefined && html`aria-describedby="${name}-hint"`}
      ${isFaulty && html`aria-invalid="true"`}
    />
    ${hint !== undefined && html`<small id="${name}-hint">${hint}</small>`}
  </p>`;
}

/** What is wrong with a form, read out at once by a screen reader. */
export function alertView(messages: readonly string[]): HtmlValue {
  if (messages.length === 0) return undefined;
  return html`<div class="alert" role="alert">
    ${messages.map((message) => html`<p>${message}</p>`)}
  </div>`;
}

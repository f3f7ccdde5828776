import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { securityTexts as texts } from "../languages/texts.ts";
import {
  returnTargetField,
  type ReturnTarget,
} from "../session/return-target.ts";

/**
 * A form that asks the browser for a passkey. The script of the page, `passkeys.js`, shows
 * it if the browser supports passkeys.
 * @param fields additional fields
 */
export function passkeyForm(
  {
    does,
    action,
    button,
    fault,
  }: {
    readonly does: "get" | "create";
    readonly action: string;
    readonly button: string;
    readonly fault: string;
  },
  fields: HtmlValue,
): Html {
  return html`<form
    method="post"
    action="${action}"
    class="stacked"
    data-passkey="${does}"
    data-options="${action}/options"
    hidden
  >
    <div class="alert" role="alert" tabindex="-1" hidden>
      <p>${fault}</p>
    </div>
    ${fields}
    <input type="hidden" name="credential" value="" />
    <p class="actions"><button class="second">${button}</button></p>
  </form>`;
}

/** No username is needed: the passkey identifies the account. */
export function passkeySignInView(back: ReturnTarget): Html {
  return passkeyForm(
    {
      does: "get",
      action: "/users/sign_in/passkey",
      button: texts.passkeys.signIn,
      fault: texts.passkeys.notUsed,
    },
    returnTargetField(back),
  );
}

import type { Session } from "../../features/accounts/index.ts";
import { assetPath } from "../kit/assets.ts";
import { csrfField } from "../kit/csrf.ts";
import { html, type Html } from "../kit/html.ts";
import { pushTexts as texts } from "../languages/texts.ts";

export const PUSH_PATH = "/settings/push";
export const PUSH_END = `${PUSH_PATH}/end`;

/** Whether the session's browser receives pushes, and the server's key for it. */
export type PushState = { readonly isOn: boolean; readonly key: string };

/** Its script shows the form if the browser receives pushes. */
export function pushView(session: Session, { isOn, key }: PushState): Html {
  return html`<section aria-labelledby="push">
    <h2 id="push">${texts.title}</h2>
    <p>${isOn ? texts.isOn : texts.about}</p>
    ${isOn ? endForm(session) : beginForm(session, key)}
  </section>`;
}

function endForm(session: Session): Html {
  return html`<form method="post" action="${PUSH_END}" class="stacked">
    ${csrfField(session)}
    <p class="actions"><button class="second">${texts.turnOff}</button></p>
  </form>`;
}

function beginForm(session: Session, key: string): Html {
  return html`<form
      method="post"
      action="${PUSH_PATH}"
      class="stacked"
      data-push-key="${key}"
      hidden
    >
      <div class="alert" role="alert" tabindex="-1" hidden>
        <p>${texts.fault}</p>
      </div>
      ${csrfField(session)}
      <input type="hidden" name="endpoint" value="" />
      <input type="hidden" name="p256dh" value="" />
      <input type="hidden" name="auth" value="" />
      <p class="actions"><button class="second">${texts.turnOn}</button></p>
    </form>
    <p class="quiet" data-push-missing>${texts.missing}</p>
    <script src="${assetPath("push.js")}" defer></script>`;
}

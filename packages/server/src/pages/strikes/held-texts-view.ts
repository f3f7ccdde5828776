import type { Session } from "../../features/accounts/index.ts";
import type { ShownHeldText } from "../../features/held-texts/index.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { timeView } from "../kit/time-view.ts";
import { heldTexts as texts } from "../languages/texts.ts";
import { STRIKES } from "../session/places.ts";

export const WITHDRAW_HELD = `${STRIKES}/withdraw`;

/** The texts of the reader that wait for a moderator; nothing if none does. */
export function heldTextsView(
  session: Session,
  waiting: readonly ShownHeldText[],
  now: Date,
): Html {
  if (waiting.length === 0) return html``;
  return html`<h2>${texts.own}</h2>
    <p class="quiet">${texts.ownAbout}</p>
    <ul>
      ${waiting.map(
        ({ id, kind, text, createdAt }) =>
          html`<li>
            ${texts.kinds[kind]}, ${timeView(createdAt, now)}
            <pre class="evidence" dir="auto">${text}</pre>
            ${actForm(session, WITHDRAW_HELD, hiddenField("id", id), texts.withdraw)}
          </li>`,
      )}
    </ul>`;
}

import type { Session } from "../../features/accounts/index.ts";
import {
  NOTIFICATION_KINDS,
  UNWANTED_PEOPLE,
  type NotificationChoices,
} from "../../features/notifications/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { choiceField, choicesField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { notificationTexts } from "../languages/texts.ts";

const texts = notificationTexts.choices;

export const NOTIFICATION_CHOICES = "/settings/notifications";

/** The form of what a user is notified of. */
export function notificationChoicesView(
  session: Session,
  { senders, dropped }: NotificationChoices,
  isSaved: boolean,
): Html {
  return html`<h1>${texts.title}</h1>
    ${isSaved && html`<p class="notice" role="status">${texts.saved}</p>`}
    <form method="post" action="${NOTIFICATION_CHOICES}" class="stacked">
      ${csrfField(session)}
      ${NOTIFICATION_KINDS.map((kind) =>
        choiceField(kind, texts.kinds[kind], texts.senders, senders[kind]),
      )}
      ${choicesField({
        name: "dropped",
        legend: texts.dropped,
        labels: Object.fromEntries(
          UNWANTED_PEOPLE.map((people) => [people, texts.people[people]]),
        ),
        chosen: dropped,
        several: true,
        hint: texts.droppedHint,
      })}
      <p class="actions"><button>${texts.save}</button></p>
    </form>`;
}

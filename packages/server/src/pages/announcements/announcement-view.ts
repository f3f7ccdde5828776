import type { Session } from "../../features/accounts/index.ts";
import type { Announcement } from "../../features/announcements/index.ts";
import { actForm } from "../kit/form-fields.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { dayTimeView } from "../kit/time-view.ts";
import { announcementTexts as texts } from "../languages/texts.ts";
import { renderPostText } from "../posts/post-text.ts";
import type { PagesContext } from "../session/visitor.ts";

export const ANNOUNCEMENTS = "/announcements";

/** As many as stand above the posts at once. */
const MOST = 3;
const NEWEST = { offset: 0, limit: 40 } as const;

/** The announcements that the user has not put away, newest first. */
export async function announcementsView(
  context: PagesContext,
  session: Session,
): Promise<Html[]> {
  const { userId } = session.user;
  const all = await context.announcements.listCurrent(userId, NEWEST);
  return all
    .filter(({ isDismissed }) => !isDismissed)
    .slice(0, MOST)
    .map(
      (it) =>
        html`<aside class="notice" aria-label="${texts.of(it.id)}">
          ${announcementTextView(context, it)}
          ${actForm(
            session,
            `${ANNOUNCEMENTS}/${it.id}/dismiss`,
            undefined,
            texts.dismiss,
          )}
        </aside>`,
    );
}

/** Announcements mention nobody. */
export function announcementTextView(
  context: PagesContext,
  { text, startsAt, endsAt }: Announcement,
): Html {
  return html`<div class="text" dir="auto">
      ${renderPostText(context, text, new Map())}
    </div>
    ${
      (startsAt ?? endsAt) !== null &&
      html`<p class="quiet">${timesView(startsAt, endsAt)}</p>`
    }`;
}

/** In the zone of the reader: what is announced takes place then. */
function timesView(
  startsAt: Timestamp | null,
  endsAt: Timestamp | null,
): HtmlValue {
  return [
    startsAt !== null && html`${texts.startsAt} ${dayTimeView(startsAt)}`,
    startsAt !== null && endsAt !== null && " · ",
    endsAt !== null && html`${texts.endsAt} ${dayTimeView(endsAt)}`,
  ];
}

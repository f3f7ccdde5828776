import type { Session } from "../../features/accounts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { avatarView, nameView, personPath } from "../kit/person-view.ts";
import { timeView } from "../kit/time-view.ts";
import { requestsLink } from "../people/request-view.ts";
import type { ShownNotification } from "./load-notices.ts";
import { notificationTexts as texts } from "../languages/texts.ts";

export const NOTIFICATIONS = "/notifications";
export const READ = `${NOTIFICATIONS}/read`;
/** Leads to what notifications are about, and marks them as read. */
export const OPEN = `${NOTIFICATIONS}/open`;
/** More people are counted. */
const MAX_NAMES = 2;

/** The value of the form that marks all of them as read. */
export const ALL = "all";

export function notificationsView(
  session: Session,
  notices: Part<ShownNotification>,
  {
    onlyUnread,
    now,
    waiting,
  }: {
    readonly onlyUnread: boolean;
    readonly now: Date;
    /** How many people ask to follow the user. */
    readonly waiting: number;
  },
): Html {
  const { items } = notices;
  const isEmpty = items.length === 0;
  return html`<h1>${texts.title}</h1>
    <nav class="choices" aria-label="${texts.filter}">
      ${choiceView(NOTIFICATIONS, texts.all, !onlyUnread)}
      ${choiceView(`${NOTIFICATIONS}?unread=true`, texts.unread, onlyUnread)}
    </nav>
    ${requestsLink(waiting)}
    ${isEmpty && html`<p class="quiet">${onlyUnread ? texts.noneUnread : texts.none}</p>`}
    ${
      items.some(({ isUnread }) => isUnread) &&
      actForm(session, READ, hiddenField("id", ALL), texts.readAll)
    }
    ${
      !isEmpty &&
      html`<ul class="notices">
        ${items.map((notice) => noticeView(session, notice, now))}
      </ul>`
    }
    ${paginationView(notices, { previous: texts.newer, next: texts.older })}`;
}

function choiceView(path: string, label: string, isChosen: boolean): Html {
  return html`<a href="${path}" ${isChosen && html`aria-current="page"`}
    >${label}</a
  >`;
}

function noticeView(
  session: Session,
  notice: ShownNotification,
  now: Date,
): Html {
  const { kind, people, isUnread, at, ids } = notice;
  const [latest] = people;
  return html`<li class="${isUnread ? "notification unread" : "notification"}">
    ${latest && avatarView(latest, 48)}
    <div>
      <p>
        ${isUnread && html`<span class="new">${texts.isNew}</span>`}
        ${namesView(people)} ${texts.said[kind](people.length)}
        <span class="quiet">${timeView(at, now)}</span>
      </p>
      ${aboutView(notice)}
      ${
        isUnread &&
        actForm(session, READ, hiddenField("id", ids.join(",")), texts.read)
      }
    </div>
  </li>`;
}

function aboutView(notice: ShownNotification): HtmlValue {
  const { path, words, isUnread, ids } = notice;
  if (path === undefined)
    return words !== "" && html`<p dir="auto">${words}</p>`;
  const query = new URLSearchParams({ id: ids.join(","), to: path });
  const href = isUnread ? `${OPEN}?${query.toString()}` : path;
  return html`<p dir="auto">
    <a href="${href}">${words === "" ? texts.show : words}</a>
  </p>`;
}

function namesView(people: readonly Person[]): HtmlValue {
  const named = people.slice(0, MAX_NAMES);
  const others = people.length - named.length;
  const [first, second] = named.map(
    (person) => html`<a href="${personPath(person)}">${nameView(person)}</a>`,
  );
  if (!second) return first;
  return others === 0
    ? html`${first} ${texts.and} ${second}`
    : html`${first}, ${second} ${texts.and} ${texts.others(others)}`;
}

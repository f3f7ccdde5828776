import type { Session } from "../../features/accounts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { emptyListView } from "../kit/components/notices-view.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { avatarView, nameView, personPath } from "../kit/person-view.ts";
import { NOTIFICATIONS, openNoticesPath, PEOPLE } from "../session/places.ts";
import { timeView } from "../kit/time-view.ts";
import { requestsLink } from "../people/request-view.ts";
import { isNameless } from "./sentence-of.ts";
import type { ShownNotification } from "./load-notices.ts";
import {
  homeTexts,
  notificationTexts as texts,
  pageTexts,
} from "../languages/texts.ts";

export const READ = `${NOTIFICATIONS}/read`;
/** More people are counted. */
const MAX_NAMES = 2;

/** The tabs that show some kinds alone. */
export const SUBJECTS = ["talk", "liked", "people", "events"] as const;
export type Subject = (typeof SUBJECTS)[number];

const TABS = ["all", "unread", ...SUBJECTS] as const;
export type NoticeTab = (typeof TABS)[number];

export function noticesPath(tab: NoticeTab): string {
  if (tab === "all") return NOTIFICATIONS;
  const query = tab === "unread" ? "unread=true" : `about=${tab}`;
  return `${NOTIFICATIONS}?${query}`;
}

/** The value of the form that marks all of them as read. */
export const ALL = "all";

export function notificationsView(
  session: Session,
  notices: Part<ShownNotification>,
  {
    tab,
    now,
    waiting,
  }: {
    readonly tab: NoticeTab;
    readonly now: Date;
    /** How many people ask to follow the user. */
    readonly waiting: number;
  },
): Html {
  const { items } = notices;
  const isEmpty = items.length === 0;
  return html`<h1>${texts.title}</h1>
    ${tabLinks(
      texts.filter,
      TABS.map((it) => ({
        path: noticesPath(it),
        label: texts.tabs[it],
        isChosen: it === tab,
      })),
    )}
    ${requestsLink(waiting)} ${isEmpty && emptyView(tab)}
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

/** An empty list leads on. */
function emptyView(tab: NoticeTab): Html {
  if (tab === "unread") return html`<p class="quiet">${texts.noneUnread}</p>`;
  return emptyListView(texts.none, [
    [PEOPLE, homeTexts.findPeople],
    ["/write", pageTexts.places.write],
  ]);
}

function noticeView(
  session: Session,
  notice: ShownNotification,
  now: Date,
): Html {
  const { kind, people, isUnread, at, ids } = notice;
  const [latest] = people;
  return html`<li class="${isUnread ? "notification unread" : "notification"}">
    ${latest && !isNameless(kind) && avatarView(latest, 48)}
    <div>
      <p>
        ${isUnread && html`<span class="new">${texts.isNew}</span>`}
        ${!isNameless(kind) && namesView(people)}
        ${texts.said[kind](people.length)}
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
  const href = isUnread ? openNoticesPath(ids, path) : path;
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

import { isAtLeast, type Session } from "../../features/accounts/index.ts";
import { currentPath, currentServerName } from "../languages/reader.ts";
import {
  contactTexts,
  homeTexts,
  messageTexts,
  pageTexts as texts,
  photoTexts,
} from "../languages/texts.ts";
import { csrfField } from "./csrf.ts";
import { html, type Html, type HtmlValue, partAttribute } from "./html.ts";
import { icon, type IconName } from "./icons.ts";

/** A session, with what the navigation shows of its user's. */
export type ShownSession = Session & {
  /** Unread notifications; at most one more than `MAX_UNREAD`. */
  readonly unread?: number;
};

/** The navigation counts no further. */
export const MAX_UNREAD = 99;

/**
 * The head of a page: the name of the server, search, and the places of
 * somebody signed in, or the ways in for others. Without a session (`null`) the
 * name alone.
 */
export function topView(session: ShownSession | undefined | null): Html {
  return html`<header class="top">
    <a class="brand" href="/">${mark()}${currentServerName()}</a>
    ${session && finder()} ${navigation(session)}
  </header>`;
}

function mark(): Html {
  return html`<svg class="icon" viewBox="0 0 28 28" aria-hidden="true">
    <circle cx="10" cy="11" r="7" />
    <circle class="second" cx="18" cy="17" r="7" />
  </svg>`;
}

/** A single field is sent with the return key. */
function finder(): Html {
  return html`<form
    class="finder"
    role="search"
    action="/search"
    aria-label="${texts.places.searchHere}"
  >
    <input
      name="q"
      type="search"
      required
      maxlength="1000"
      autocapitalize="none"
      autocomplete="off"
      placeholder="${texts.places.search}"
      aria-label="${texts.places.searchHere}"
    />
  </form>`;
}

function navigation(session: ShownSession | undefined | null): HtmlValue {
  if (session === null) return undefined;
  if (!session)
    return html`<nav class="visitor" aria-label="${texts.mainNavigation}">
      <a href="/users/sign_in">${texts.signIn}</a>
      <a href="/users/sign_up">${texts.signUp}</a>
    </nav>`;
  const { places } = texts;
  return html`<nav class="places" aria-label="${texts.mainNavigation}">
    <ul>
      <li>${placeLink("/home", "home", places.home)}</li>
      <li>${placeLink("/events", "event", places.events)}</li>
      <li class="write">${placeLink("/write", "write", places.write)}</li>
      <li>
        ${placeLink("/notifications", "bell", html`${texts.notifications} ${unreadView(session.unread ?? 0)}`)}
      </li>
      <li>
        <details>
          <summary>${icon("person")} ${places.me}</summary>
          ${ownPlaces(session)}
        </details>
      </li>
    </ul>
  </nav>`;
}

/** Everything of one's own, in a sheet that opens without script. */
function ownPlaces(session: ShownSession): Html {
  const { username, role } = session.user;
  return html`<div class="sheet">
    <ul>
      <li>${placeLink(`/u/${username}`, "person", texts.profile)}</li>
      <li>${placeLink("/messages", "letter", messageTexts.title)}</li>
      <li>${placeLink("/people", "people", texts.contacts)}</li>
      <li>${placeLink("/aspects", "circles", contactTexts.aspects)}</li>
      <li>${placeLink("/home?show=tags", "tag", homeTexts.tags)}</li>
      <li>${placeLink("/bookmarks", "bookmark", texts.bookmarks.title)}</li>
      <li>${placeLink("/photos", "picture", photoTexts.title)}</li>
      <li>${placeLink("/settings", "settings", texts.settings)}</li>
      ${
        isAtLeast(role, "moderator") &&
        html`<li>${placeLink("/admin", "shield", texts.administration)}</li>`
      }
    </ul>
    <form method="post" action="/users/sign_out">
      ${csrfField(session)}
      <button>${icon("leave")} ${texts.signOut}</button>
    </form>
  </div>`;
}

function placeLink(path: string, name: IconName, label: HtmlValue): Html {
  const here = currentPath() === path;
  return html`<a href="${path}" ${here && html`aria-current="page"`}
    >${icon(name)} ${label}</a
  >`;
}

/** The number beside the notifications; it is empty at zero. */
export function unreadView(unread: number): Html {
  const count = unread > MAX_UNREAD ? `${MAX_UNREAD}+` : String(unread);
  return html`<span ${partAttribute("/parts/unread")}
    >${
      unread > 0 &&
      html`<span class="unread-count"
        >${count}<span class="unseen"> ${texts.unread}</span></span
      >`
    }</span
  >`;
}

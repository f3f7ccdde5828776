import type { Session } from "../../features/accounts/index.ts";
import type { ListedAccess } from "../../features/oauth/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { html, type Html } from "../kit/html.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { timeView } from "../kit/time-view.ts";
import { appTexts } from "../languages/texts.ts";
import { scopesView, siteLink } from "./authorize-view.ts";

export const APPS = "/settings/apps";
/** Stands for all apps, in place of one access. */
export const ALL_APPS = "all";

const texts = appTexts.access;

/** The apps that the user has let in, and how to end that. */
export function accessView(
  session: Session,
  accesses: readonly ListedAccess[],
  now: Date,
  notice: string | undefined,
): Html {
  return html`<h1>${texts.title}</h1>
    ${noticeView(notice)}
    ${
      accesses.length === 0
        ? html`<p>${texts.none}</p>`
        : html`<p>${texts.about}</p>
            ${accesses.map((access) => oneView(session, access, now))}
            ${
              accesses.length > 1 &&
              endForm(session, ALL_APPS, texts.endAll, undefined)
            }`
    }`;
}

function oneView(session: Session, access: ListedAccess, now: Date): Html {
  const { id, name, website, scopes, createdAt, lastUsedAt } = access;
  return html`<h2 id="app-${id}"><bdi>${name}</bdi></h2>
    <p class="quiet">
      ${website !== null && html`${siteLink(website)},`} ${texts.made}
      ${timeView(createdAt, now)}, ${texts.used} ${timeView(lastUsedAt, now)}
    </p>
    ${scopesView(scopes)}
    ${endForm(session, String(id), texts.end, `app-${id}`)}`;
}

/** @param about the heading of the app, for readers who hear many equal buttons */
function endForm(
  session: Session,
  which: string,
  button: string,
  about: string | undefined,
): Html {
  return html`<form method="post" action="${APPS}" class="stacked">
    ${csrfField(session)}
    <input type="hidden" name="access" value="${which}" />
    <p class="actions">
      <button
        class="second"
        ${about !== undefined && html`aria-describedby="${about}"`}
      >
        ${button}
      </button>
    </p>
  </form>`;
}

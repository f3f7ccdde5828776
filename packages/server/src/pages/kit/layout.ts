import { isAtLeast, type Session } from "../../features/accounts/index.ts";
import { assetPath } from "./assets.ts";
import { csrfField } from "./csrf.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import { messageTexts, pageTexts as texts } from "../languages/texts.ts";

/** The metadata of a page for search engines and link previews. */
export type PageHead = {
  readonly title: string;
  readonly canonical?: string;
  /** The ActivityPub representation. */
  readonly activityPubUrl?: string | undefined;
  /** Only for public content. */
  readonly preview?: Preview | undefined;
  readonly noindex?: boolean;
};

type Preview = {
  readonly type: "website" | "article" | "profile";
  readonly title: string;
  readonly description: string;
  readonly imageUrl?: string | undefined;
};

/** A session, with what the navigation shows of its user's. */
export type ShownSession = Session & {
  /** Unread notifications; at most one more than `MAX_UNREAD`. */
  readonly unread?: number;
};

/** The navigation counts no further. */
export const MAX_UNREAD = 99;

/**
 * Renders a whole page. Without a session it links to the sign-in, with `null`
 * to neither.
 */
export function layout(
  head: PageHead,
  session: ShownSession | undefined | null,
  main: Html,
): Html {
  const title =
    head.title === texts.serverName
      ? head.title
      : `${head.title} – ${texts.serverName}`;
  return html`<!doctype html>
    <html lang="${texts.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${assetPath("kith.css")}" />
        <link
          rel="icon"
          type="image/svg+xml"
          href="${assetPath("favicon.svg")}"
        />
        ${describe(head)}
      </head>
      <body>
        <a class="skip" href="#main">${texts.skipToContent}</a>
        <header class="top">
          <div class="inside">
            <a class="mark" href="/">${texts.serverName}</a>
            ${navigation(session)}
          </div>
        </header>
        <main id="main" class="inside">${main}</main>
      </body>
    </html> `;
}

function describe({
  canonical,
  activityPubUrl,
  preview,
  noindex,
}: PageHead): HtmlValue {
  return [
    noindex && html`<meta name="robots" content="noindex" /> `,
    canonical && html`<link rel="canonical" href="${canonical}" /> `,
    activityPubUrl &&
      html`<link
        rel="alternate"
        type="application/activity+json"
        href="${activityPubUrl}"
      /> `,
    preview && describePreview(preview, canonical),
  ];
}

function describePreview(preview: Preview, url: string | undefined): Html {
  const { type, title, description, imageUrl } = preview;
  return html`
    <meta name="description" content="${description}" />
    <meta property="og:site_name" content="${texts.serverName}" />
    <meta property="og:type" content="${type}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    ${url && html`<meta property="og:url" content="${url}" />`}
    ${imageUrl && html`<meta property="og:image" content="${imageUrl}" />`}
  `;
}

function navigation(session: ShownSession | undefined | null): HtmlValue {
  if (session === null) return undefined;
  const links = session
    ? html`<a href="/stream">${texts.stream}</a>
        <a href="/notifications"
          >${texts.notifications} ${unreadView(session.unread ?? 0)}</a
        >
        <a href="/messages">${messageTexts.title}</a>
        <a href="/contacts">${texts.contacts}</a>
        <a href="/bookmarks">${texts.bookmarks.title}</a>
        <a href="/u/${session.user.username}">${texts.profile}</a>
        <a href="/settings">${texts.settings}</a>
        ${
          isAtLeast(session.user.role, "moderator") &&
          html`<a href="/admin">${texts.administration}</a>`
        }
        <form method="post" action="/users/sign_out">
          ${csrfField(session)}
          <button class="plain">${texts.signOut}</button>
        </form>`
    : html`<a href="/users/sign_in">${texts.signIn}</a>
        <a href="/users/sign_up">${texts.signUp}</a>`;
  return html`<nav aria-label="${texts.mainNavigation}">${links}</nav>`;
}

function unreadView(unread: number): HtmlValue {
  if (unread === 0) return undefined;
  const count = unread > MAX_UNREAD ? `${MAX_UNREAD}+` : String(unread);
  return html`<span class="unread-count"
    >${count}<span class="unseen"> ${texts.unread}</span></span
  >`;
}

import { assetPath } from "./assets.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import { iconSprite } from "./icons.ts";
import { topView, type ShownSession } from "./navigation.ts";
import { pageTexts as texts } from "../languages/texts.ts";

/** The metadata of a page for search engines and link previews. */
export type PageHead = {
  readonly title: string;
  readonly canonical?: string;
  /** The ActivityPub representation. */
  readonly activityPubUrl?: string | undefined;
  /** Only for public content. */
  readonly preview?: Preview | undefined;
  readonly noindex?: boolean;
  /** The page takes the whole width, for its tables. */
  readonly isWide?: boolean;
};

type Preview = {
  readonly type: "website" | "article" | "profile";
  readonly title: string;
  readonly description: string;
  readonly imageUrl?: string | undefined;
};

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
        ${iconSprite()}
        <div class="${head.isWide ? "page wide" : "page"}">
          ${topView(session)}
          <main id="main">${main}</main>
        </div>
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

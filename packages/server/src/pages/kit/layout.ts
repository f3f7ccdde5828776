import { assetPath } from "./assets.ts";
import { dataBlock, html, type Html, type HtmlValue } from "./html.ts";
import { iconSprite } from "./icons.ts";
import { topView, type ShownSession } from "./navigation.ts";
import {
  currentAppearance,
  currentServerName,
  currentStyleVersion,
} from "../languages/reader.ts";
import { pageTexts as texts } from "../languages/texts.ts";

/** The metadata of a page for search engines and link previews. */
export type PageHead = {
  readonly title: string;
  readonly canonical?: string;
  /** The ActivityPub representation. */
  readonly activityPubUrl?: string | undefined;
  /** The address of the person's page, below which there are feeds. */
  readonly feedsBelow?: string | undefined;
  /** The same as a file for calendar programs. */
  readonly calendarUrl?: string;
  /** The same in the words of schema.org. Only for public content. */
  readonly linkedData?: Readonly<Record<string, unknown>>;
  /** Of a public post here: other sites may show it in a frame. */
  readonly isEmbeddable?: boolean;
  /** The person whom previews name as the author, as `name@host`. */
  readonly creator?: string | undefined;
  /** Other pages of the person whose page it is. */
  readonly ownLinks?: readonly string[];
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
  readonly image?: PreviewImage | undefined;
  /** RFC 3339. */
  readonly publishedAt?: string;
  readonly authorUrl?: string | undefined;
  /** Of a profile. */
  readonly username?: string;
};

/** The picture of a preview. */
export type PreviewImage = {
  readonly url: string;
  readonly alt?: string;
  readonly width?: number;
  readonly height?: number;
  /** Is it what the page is about, rather than its author? */
  readonly isLarge?: boolean;
};

export type PageContent = {
  readonly main: Html;
  /** Shown beside it where there is room: nothing that is not elsewhere, too. */
  readonly side?: Html | undefined;
};

/** The script of a page. That for passkeys comes beside the one of all pages. */
export type PageScript = "kith.js" | "offline.js" | "passkeys.js";

/**
 * Renders a whole page. Without a session it links to the sign-in, with `null`
 * to neither. Browsers show a page when its end has arrived (`rel="expect"`): what
 * is half there would move, and a page is some kilobytes.
 */
export function layout(
  head: PageHead,
  session: ShownSession | undefined | null,
  { main, side }: PageContent,
  script: PageScript | null,
): Html {
  const title =
    head.title === currentServerName()
      ? head.title
      : `${head.title} – ${currentServerName()}`;
  const appearance = currentAppearance();
  const isChosen = appearance !== "system";
  const style = currentStyleVersion();
  return html`<!doctype html>
    <html lang="${texts.language}" ${isChosen && html`class="${appearance}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="color-scheme"
          content="${isChosen ? appearance : "light dark"}"
        />
        <title>${title}</title>
        <link rel="stylesheet" href="${assetPath("kith.css")}" />
        ${style && html`<link rel="stylesheet" href="${stylePath(style)}" />`}
        <link rel="expect" href="#page-end" blocking="render" />
        <link
          rel="icon"
          type="image/svg+xml"
          href="${assetPath("favicon.svg")}"
        />
        <link rel="apple-touch-icon" href="${assetPath("icon-180.png")}" />
        <link rel="manifest" href="/manifest.webmanifest" />
        ${script && scriptsOf(script).map((name) => html`<script type="module" src="${assetPath(name)}"></script>`)}
        ${describe(head)}
      </head>
      <body>
        <a class="skip" href="#main">${texts.skipToContent}</a>
        ${iconSprite()}
        <div class="${head.isWide ? "page wide" : "page"}">
          ${topView(session)}
          <main id="main">${main}</main>
          ${side && html`<aside class="side">${side}</aside>`}
        </div>
        <span id="page-end" hidden></span>
      </body>
    </html> `;
}

/** Where the server's own style sheet is. */
export const STYLE_PATH = "/about/style/";

const stylePath = (version: string): string => `${STYLE_PATH}${version}.css`;

function scriptsOf(script: PageScript): readonly PageScript[] {
  // It asks for the passkey before the other would send the form.
  return script === "passkeys.js" ? [script, "kith.js"] : [script];
}

function describe({
  canonical,
  activityPubUrl,
  calendarUrl,
  creator,
  feedsBelow,
  isEmbeddable,
  linkedData,
  ownLinks = [],
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
    calendarUrl &&
      html`<link
        rel="alternate"
        type="text/calendar"
        href="${calendarUrl}"
      /> `,
    feedsBelow !== undefined &&
      html`<link
          rel="alternate"
          type="application/atom+xml"
          title="Atom"
          href="${feedsBelow}/feed.atom"
        />
        <link
          rel="alternate"
          type="application/rss+xml"
          title="RSS"
          href="${feedsBelow}/feed.rss"
        />
        <link
          rel="alternate"
          type="application/feed+json"
          title="JSON Feed"
          href="${feedsBelow}/feed.json"
        /> `,
    isEmbeddable && canonical !== undefined && embedLinks(canonical),
    creator !== undefined &&
      html`<meta name="fediverse:creator" content="@${creator}" /> `,
    ownLinks.map((url) => html`<link rel="me" href="${url}" /> `),
    linkedData && dataBlock("application/ld+json", linkedData),
    preview && describePreview(preview, canonical),
  ];
}

/** Where other sites read how to show the page in a frame (oEmbed 1.0, section 4). */
function embedLinks(page: string): Html {
  const { origin } = new URL(page);
  const at = `${origin}/oembed?url=${encodeURIComponent(page)}`;
  return html`<link
      rel="alternate"
      type="application/json+oembed"
      href="${at}&format=json"
    />
    <link rel="alternate" type="text/xml+oembed" href="${at}&format=xml" /> `;
}

function describePreview(preview: Preview, url: string | undefined): Html {
  const { type, title, description, image } = preview;
  const { publishedAt, authorUrl, username } = preview;
  return html`
    <meta name="description" content="${description}" />
    <meta property="og:site_name" content="${currentServerName()}" />
    <meta property="og:type" content="${type}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    ${url && html`<meta property="og:url" content="${url}" />`}
    ${publishedAt && html`<meta property="article:published_time" content="${publishedAt}" />`}
    ${authorUrl && html`<meta property="article:author" content="${authorUrl}" />`}
    ${username && html`<meta property="profile:username" content="${username}" />`}
    ${image && describeImage(image)}
    <meta
      name="twitter:card"
      content="${image?.isLarge ? "summary_large_image" : "summary"}"
    />
  `;
}

function describeImage({ url, alt, width, height }: PreviewImage): Html {
  return html`<meta property="og:image" content="${url}" />
    ${width && html`<meta property="og:image:width" content="${width}" />`}
    ${height && html`<meta property="og:image:height" content="${height}" />`}
    ${alt && html`<meta property="og:image:alt" content="${alt}" />`}`;
}

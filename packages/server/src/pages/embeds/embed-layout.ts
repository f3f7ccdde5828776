import { assetPath } from "../kit/assets.ts";
import { html, type Html } from "../kit/html.ts";
import { iconSprite } from "../kit/icons.ts";
import { pageTexts } from "../languages/texts.ts";

/** A page for the frame of another site: one post, without navigation. */
export function embedLayout(title: string, page: string, post: Html): Html {
  return html`<!doctype html>
    <html lang="${pageTexts.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <base target="_blank" />
        <link rel="stylesheet" href="${assetPath("kith.css")}" />
        <link rel="canonical" href="${page}" />
      </head>
      <body class="embed">
        ${iconSprite()}
        <main>
          <h1 class="unseen">${title}</h1>
          ${post}
        </main>
      </body>
    </html> `;
}

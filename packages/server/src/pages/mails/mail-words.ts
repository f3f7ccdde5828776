import type { MailWords } from "../../features/mail/index.ts";
import { inMailLine } from "../../lib/mail/mail-text.ts";
import { html, toText, type Html } from "../kit/html.ts";
import { currentLanguage } from "../languages/reader.ts";

/** A paragraph of a mail, or a link with its words. Its texts may be of others. */
export type MailPart =
  string | { readonly words: string; readonly url: string };

/** Writes a mail as text and as HTML, which loads nothing from anywhere. */
export function mailWords(
  subject: string,
  parts: readonly MailPart[],
  footer: readonly MailPart[] = [],
): MailWords {
  const body = [...parts, ...(footer.length > 0 ? ["-- ", ...footer] : [])];
  return {
    subject: inMailLine(subject),
    text: `${body.map(textOf).join("\n\n")}\n`,
    html: `<!doctype html>\n${toText(htmlOf(subject, parts, footer))}\n`,
  };
}

/** In characters: a part is a sentence or two of ours, with names of others. */
const MAX_PART = 1_000;

function textOf(part: MailPart): string {
  // The sign before a signature ends with a blank (RFC 3676, section 4.3).
  if (part === "-- ") return part;
  if (typeof part === "string") return inMailLine(part, MAX_PART);
  return `${inMailLine(part.words, MAX_PART)}:\n${part.url}`;
}

function htmlOf(
  subject: string,
  parts: readonly MailPart[],
  footer: readonly MailPart[],
): Html {
  return html`<html lang="${currentLanguage()}">
    <head>
      <meta charset="utf-8" />
      <title>${inMailLine(subject)}</title>
    </head>
    <body>
      ${parts.map(paragraph)}
      ${
        footer.length > 0 &&
        html`<hr />
          ${footer.map(paragraph)}`
      }
    </body>
  </html>`;
}

function paragraph(part: MailPart): Html {
  if (typeof part === "string")
    return html`<p dir="auto">${inMailLine(part, MAX_PART)}</p>`;
  return html`<p>
    <a href="${part.url}">${inMailLine(part.words, MAX_PART)}</a>
  </p>`;
}

/** The words of a mail that an operator sends for a trial. */
export function trialWords(host: string, baseUrl: string): MailWords {
  return mailWords(`A trial of ${host}`, [
    "This mail was sent by kith mail test. Mails of this server arrive.",
    { words: host, url: baseUrl },
  ]);
}

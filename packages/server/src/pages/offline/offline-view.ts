import { html, type Html } from "../kit/html.ts";
import { dayTimeView } from "../kit/time-view.ts";
import { scriptTexts } from "../languages/texts.ts";
import { HOME } from "../session/places.ts";

const texts = scriptTexts.offline;

/** The page that is seen without network. */
export const OFFLINE = "/offline";

/**
 * Stands hidden on Home, with its time. The worker shows it on the copy that it keeps, and finds
 * it by how it begins.
 */
export function copyNotice(now: Date): Html {
  return html`<p hidden data-copy class="notice">
    ${texts.copy} ${dayTimeView(now.toISOString())}.
  </p>`;
}

/**
 * The page that is seen instead of one that needs the network. It is the same for all who read it in
 * this language: the script adds what the browser keeps of the reader's.
 */
export function offlineView(): Html {
  return html`<h1>${texts.title}</h1>
    <p>${texts.about}</p>
    <p class="actions">
      <a class="button" href="">${texts.again}</a>
      <a class="button second" href="${HOME}" hidden data-home>${texts.home}</a>
    </p>
    <section hidden data-drafts>
      <h2>${texts.drafts}</h2>
      <p class="quiet" hidden>${texts.draftsAbout}</p>
      <p class="quiet" hidden>${texts.noDrafts}</p>
    </section>`;
}

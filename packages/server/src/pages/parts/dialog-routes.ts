import { sendPart } from "../kit/send-page.ts";
import type { FastifyInstance } from "fastify";
import { html, type Html } from "../kit/html.ts";
import { scriptTexts as texts } from "../languages/texts.ts";
import { findSessionOf, type PagesContext } from "../session/visitor.ts";
import { readAs } from "../languages/reader.ts";

/** The dialogs that the script opens, in the language of the reader. */
export function dialogRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    "/parts/dialogs",
    { config: { access: "viewer", limit: "read" } },
    async (request, reply) => {
      const session = await findSessionOf(context, request);
      if (session) readAs(session.settings);
      return sendPart(reply, html`${viewer()} ${keysDialog()}`);
    },
  );
}

function viewer(): Html {
  return html`<dialog id="viewer" aria-label="${texts.picture}">
    <figure>
      <img alt="" />
      <figcaption dir="auto"></figcaption>
    </figure>
    <form method="dialog" class="actions">
      <button type="button" class="second" data-step="-1">
        ${texts.previous}
      </button>
      <output class="quiet"></output>
      <button type="button" class="second" data-step="1">${texts.next}</button>
      <button>${texts.close}</button>
    </form>
  </dialog>`;
}

const KEYS = [
  ...["j", "k", "l", "r", "b", "c", ".", "/", "g h", "g e", "g n", "g w"],
  "?",
] as const;

function keysDialog(): Html {
  return html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">${texts.keys}</h2>
    <dl class="facts">
      ${KEYS.map(
        (key) =>
          html`<div>
            <dt><kbd>${key}</kbd></dt>
            <dd>${texts.keyActs[key]}</dd>
          </div>`,
      )}
    </dl>
    <label class="choice"
      ><input type="checkbox" /> <span>${texts.keysOff}</span></label
    >
    <form method="dialog" class="actions">
      <button>${texts.close}</button>
    </form>
  </dialog>`;
}

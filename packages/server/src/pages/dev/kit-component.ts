import type { Acting } from "../posts/act-view.ts";
import { cleanedHtml, html, toText, type Html } from "../kit/html.ts";
import type { PagesContext } from "../session/visitor.ts";

/** A component of the pages in each of its states. */
export type KitComponent = {
  /** Names it in the address of the page, and for its test. */
  readonly id: string;
  readonly name: string;
  readonly states: Readonly<Record<string, Html | undefined>>;
};

/** The input of the samples: no data, but the time, the addresses and a visitor. */
export type KitInput = {
  readonly context: PagesContext;
  readonly now: Date;
  /** Somebody who is signed in. */
  readonly acting: Acting;
};

export function componentView({ id, name, states }: KitComponent): Html {
  return html`<section data-component="${id}" aria-labelledby="kit-${id}">
    <h2 id="kit-${id}">${name}</h2>
    ${Object.entries(states).map(
      ([state, view], at) =>
        html`<h3>${state}</h3>
          <div data-state="${state}">
            ${view && apart(view, `${id}-${at}`)}
          </div>`,
    )}
  </section>`;
}

/**
 * A page has each component once, so components have fixed ids, landmarks of fixed names and
 * headings of the first level. Here the ids of each sample get an end of their own.
 */
function apart(view: Html, name: string): Html {
  const changed = toText(view)
    .replaceAll(/\saria-labelledby="[^"]*"/g, "")
    .replaceAll(
      /(\s(?:id|for|aria-describedby)=)"([^"]*)"/g,
      (_whole, start: string, ids: string) =>
        `${start}"${ids.replaceAll(/\S+/g, (id) => `${id}-${name}`)}"`,
    )
    // But not the links to the drawings of icons.
    .replaceAll(/(<a\s[^>]*href="#[^"]+)"/g, `$1-${name}"`)
    .replaceAll(/<(\/?)h1\b/g, "<$1h4");
  return cleanedHtml(changed);
}

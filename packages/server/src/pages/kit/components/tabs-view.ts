import { html, type Html, type HtmlValue } from "../html.ts";

type Tab = {
  readonly path: string;
  readonly label: HtmlValue;
  /** Is it the one that is shown? */
  readonly isChosen: boolean;
};

/** Links to other views of the same things. @param name for screen readers */
export function tabLinks(name: string, tabs: readonly Tab[]): Html {
  return html`<nav class="choices" aria-label="${name}">
    ${tabs.map(
      ({ path, label, isChosen }) =>
        html`<a href="${path}" ${isChosen && html`aria-current="page"`}
          >${label}</a
        >`,
    )}
  </nav>`;
}

import type { Person } from "../../features/people/index.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { searchPageTexts as texts } from "../languages/texts.ts";
import { peopleView } from "../people/people-view.ts";
import { tagPath } from "../posts/post-text.ts";
import type { Kind, Results } from "./load-results.ts";

export const SEARCH = "/search";

/** Where the results before and after these are. */
type Pagination = {
  readonly previous: string | undefined;
  readonly next: string | undefined;
};

type Shown<T> = Results<T> & Pagination;

/** The results on the page of a search; a kind that was not searched is absent. */
export type SearchPage = {
  readonly query: string;
  /** The only kind that is wanted. */
  readonly kind: Kind | undefined;
  readonly fault?: string | undefined;
  readonly people?: Shown<Person>;
  readonly tags?: Shown<string>;
  readonly posts?: Shown<Html> & { readonly isCut: boolean };
};

export function searchView(page: SearchPage): Html {
  const { query, kind, fault } = page;
  return html`<h1>${texts.title}</h1>
    ${searchForm(query, kind, fault)} ${query !== "" && tabsView(query, kind)}
    ${fault === undefined && query !== "" && resultsView(page)}
    ${helpView(query === "" || fault !== undefined)}`;
}

/** The address of a search. */
export function searchPath(
  query: string,
  kind: Kind | undefined,
  from: Readonly<Record<string, number>> = {},
): string {
  const asked = new URLSearchParams({ q: query, ...(kind && { type: kind }) });
  for (const [name, value] of Object.entries(from))
    asked.set(name, String(value));
  return `${SEARCH}?${asked.toString()}`;
}

function searchForm(
  query: string,
  kind: Kind | undefined,
  fault: string | undefined,
): Html {
  return html`<form
    method="get"
    action="${SEARCH}"
    class="stacked write"
    aria-label="${texts.title}"
  >
    ${alertView(fault === undefined ? [] : [fault])}
    ${kind && html`<input type="hidden" name="type" value="${kind}" />`}
    <p>
      <label for="q">${texts.label}</label>
      <input
        id="q"
        name="q"
        type="search"
        required
        value="${query}"
        dir="auto"
        autocapitalize="none"
        autocomplete="off"
        aria-describedby="q-hint"
        ${fault !== undefined && html`aria-invalid="true"`}
      />
      <small id="q-hint">${texts.hint}</small>
    </p>
    <p class="actions"><button>${texts.search}</button></p>
  </form>`;
}

function tabsView(query: string, chosen: Kind | undefined): Html {
  const tab = (kind: Kind | undefined, label: string) => ({
    path: searchPath(query, kind),
    label,
    isChosen: kind === chosen,
  });
  return tabLinks(texts.kinds, [
    tab(undefined, texts.everything),
    tab("people", texts.people),
    tab("tags", texts.tags),
    tab("posts", texts.posts),
  ]);
}

function resultsView(page: SearchPage): HtmlValue {
  const { query, kind, people, tags, posts } = page;
  const found = [people, tags, posts].filter((it) => it !== undefined);
  if (found.every(({ items }) => items.length === 0))
    return html`<p role="status">${nothingFound(kind)}</p>
      ${posts?.isCut && html`<p class="quiet">${texts.cut}</p>`}`;
  const isAlone = kind !== undefined;
  const section = (
    one: Kind,
    shown: Shown<unknown> | undefined,
    items: HtmlValue,
  ) =>
    shown &&
    shown.items.length > 0 &&
    html`<section aria-labelledby="found-${one}">
      <h2 id="found-${one}">${texts[one]}</h2>
      ${items}
      ${
        isAlone
          ? paginationView(shown, texts.pages)
          : shown.hasNext &&
            html`<p>
              <a href="${searchPath(query, one)}">${texts.more[one]}</a>
            </p>`
      }
    </section>`;
  return html`${section("people", people, peopleView(people?.items ?? [], ""))}
  ${section("tags", tags, tagsView(tags?.items ?? []))}
  ${section("posts", posts, posts?.items)}
  ${posts?.isCut && html`<p class="quiet">${texts.cut}</p>`}`;
}

function nothingFound(kind: Kind | undefined): string {
  if (kind === undefined) return texts.nothing;
  return texts.none[kind];
}

function tagsView(tags: readonly string[]): Html {
  return html`<ul class="tags">
    ${tags.map(
      (tag) =>
        html`<li>
          <a href="${tagPath(tag)}"><bdi>#${tag}</bdi></a>
        </li>`,
    )}
  </ul>`;
}

/** The possible inputs, each with an example. */
function helpView(isOpen: boolean): Html {
  return html`<details class="help" ${isOpen && html`open`}>
    <summary>${texts.help.title}</summary>
    <p>${texts.help.about}</p>
    <dl>
      ${Object.values(texts.help.lines).map(
        ({ typed, finds }) =>
          html`<div>
            <dt><code>${typed}</code></dt>
            <dd>${finds}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}

import type { PersonId } from "../../features/ids.ts";
import type { Page } from "../../features/page.ts";
import type { Person } from "../../features/people/index.ts";
import { readInput } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView, tableView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import type { AdminVisit } from "./admin-page.ts";

const STATES = ["open", "closed"] as const;

const ASKED = Type.Object({
  state: Type.Optional(Type.String({ enum: [...STATES] })),
});

type Case = { readonly id: number; readonly personId: PersonId | null };

type CaseList<Item extends Case> = {
  /** The path of the page. */
  readonly path: string;
  /** How many stand on a page. */
  readonly size: number;
  readonly texts: Readonly<Record<"closed" | "none" | "open", string>>;
  readonly columns: readonly string[];
  readonly list: (
    state: (typeof STATES)[number],
    page: Page,
  ) => Promise<readonly Item[]>;
  readonly rowOf: (
    item: Item,
    /** Those whom the listed cases concern. */
    people: ReadonlyMap<PersonId, Person>,
  ) => readonly HtmlValue[];
};

/** The open or the closed cases, newest first, with links to both lists. */
export async function casesView<Item extends Case>(
  { context, request, parameters }: AdminVisit,
  { path, size, texts, columns, list, rowOf }: CaseList<Item>,
): Promise<Html> {
  const { state } = readInput(ASKED, parameters);
  const which = state === "closed" ? "closed" : "open";
  const form = {
    path: `?state=${which}`,
    size,
    order: "newest first",
  } as const;
  const part = await readKeyedPart(request, form, (page) => list(which, page));
  const people = await context.people.listById(
    part.items.flatMap(({ personId }) => personId ?? []),
  );
  return html`<p>
      ${STATES.map(
        (one) =>
          html`<a
            href="${path}?state=${one}"
            ${one === which && html`aria-current="page"`}
            >${texts[one]}</a
          > `,
      )}
    </p>
    ${
      part.items.length === 0
        ? html`<p>${texts.none}</p>`
        : tableView(
            columns,
            part.items.map((item) => rowOf(item, people)),
          )
    }
    ${paginationView(part)}`;
}

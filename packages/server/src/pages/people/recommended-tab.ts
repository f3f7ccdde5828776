import type { FastifyRequest } from "fastify";
import type { Person } from "../../features/people/index.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { contactTexts, photoTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { peopleView } from "./people-view.ts";
import { tabPath } from "./person-tabs.ts";

const PAGE_SIZE = 40;

/** Those whom a person here shows on its profile, among those whom it follows. */
export async function recommendedTab(
  { contacts, people }: PagesContext,
  request: FastifyRequest,
  person: Person,
): Promise<Html> {
  const { userId } = person;
  // Those of people elsewhere are not known here.
  if (userId === null) return html`<p class="quiet">${texts.noRecommended}</p>`;
  const path = tabPath(person, "recommended");
  const list = { path, size: PAGE_SIZE, order: "newest first" } as const;
  const part = await readKeyedPart(request, list, async (page) =>
    (await contacts.listWithKeys(userId, "featured", page)).map(
      ({ key, personId }) => ({ id: key, personId }),
    ),
  );
  const ids = part.items.map(({ personId }) => personId);
  const found = await people.listShown(ids);
  const shown = ids
    .flatMap((id) => found.get(id) ?? [])
    .filter(({ state }) => state === "active");
  return html`${peopleView(shown, texts.noRecommended)}
  ${paginationView(part, {
    previous: contactTexts.earlier,
    next: contactTexts.later,
  })}`;
}

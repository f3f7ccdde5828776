import type { HomePost } from "../../features/homes/index.ts";
import type { PersonId, PostId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import { html, type Html } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import { homeTexts as texts } from "../languages/texts.ts";

/** So many are named. */
const NAMED = 2;

/** Loads the lines that say who reshared the posts of a home. */
export async function loadReshared(
  people: Pick<People, "listById">,
  posts: readonly HomePost[],
): Promise<Map<PostId, Html>> {
  const ids = posts.flatMap((it) => it.resharedBy.people.slice(0, NAMED));
  const found = await people.listById(ids);
  return new Map(
    posts.flatMap(({ post, resharedBy }) => {
      const line = resharedView(found, resharedBy);
      return line ? [[post.id, line]] : [];
    }),
  );
}

export function resharedView(
  found: ReadonlyMap<PersonId, Person>,
  { people, count }: HomePost["resharedBy"],
): Html | undefined {
  const named = people.slice(0, NAMED).flatMap((id) => found.get(id) ?? []);
  if (named.length === 0) return undefined;
  const others = count - named.length;
  const names = named.map(
    (person) => html`<a href="${personPath(person)}">${nameView(person)}</a>`,
  );
  const all = [...names, ...(others > 0 ? [texts.others(others)] : [])];
  return html`<p class="why">
    ${icon("reshare")}
    <span
      >${all.map((name, at) => [
        at > 0 && (at < all.length - 1 ? ", " : ` ${texts.and} `),
        name,
      ])}
      ${texts.reshared(count)}</span
    >
  </p>`;
}

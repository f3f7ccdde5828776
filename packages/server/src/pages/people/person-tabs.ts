import type { FastifyRequest } from "fastify";
import type { Person } from "../../features/people/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { agendaItemView, loadAnswers } from "../events/event-card.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { html, webAddress, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { personPath } from "../kit/person-view.ts";
import { currentTimeZone } from "../languages/reader.ts";
import { photoTexts as texts } from "../languages/texts.ts";
import type { Acting } from "../posts/act-view.ts";
import { stillOf } from "../posts/attached/photos-view.ts";
import type { PagesContext } from "../session/visitor.ts";

const TABS = [
  ...(["posts", "replies", "pictures", "events"] as const),
  ...(["recommended", "about"] as const),
] as const;
export type PersonTab = (typeof TABS)[number];

const PICTURES = 24;
const EVENTS = 20;

const SHOWN = Type.Object({
  show: text("posts, replies, pictures, events, recommended or about"),
});

/** The tab that the query of a profile selects. */
export function readPersonTab(request: FastifyRequest): PersonTab {
  const { show } = readInput(SHOWN, request.parameters);
  return TABS.find((it) => it === show) ?? "posts";
}

export function tabPath(person: Person, tab: PersonTab): string {
  const path = personPath(person);
  return tab === "posts" ? path : `${path}?show=${tab}`;
}

/** The recommendations of people elsewhere are not known here. */
const tabsOf = ({ userId }: Person): readonly PersonTab[] =>
  TABS.filter((tab) => tab !== "recommended" || userId !== null);

export function personTabsView(person: Person, chosen: PersonTab): Html {
  return tabLinks(
    texts.tabs,
    tabsOf(person).map((tab) => ({
      path: tabPath(person, tab),
      label: texts[tab],
      isChosen: tab === chosen,
    })),
  );
}

/** The pictures of a person's posts, without those that a warning hides. */
export async function picturesTab(
  context: PagesContext,
  request: FastifyRequest,
  person: Person,
  viewer: Viewer,
): Promise<Html> {
  const { photos, posts } = context;
  const path = tabPath(person, "pictures");
  const list = { path, size: PICTURES, order: "newest first" } as const;
  const part = await readKeyedPart(request, list, (page) =>
    photos.listPosted(person.id, viewer, page),
  );
  const ids = part.items.flatMap(({ postId }) => postId ?? []);
  const found = await posts.listById(ids, viewer);
  const guids = new Map(found.map(({ id, guid }) => [id, guid]));
  if (person.profile.nsfw || part.items.length === 0)
    return html`<p class="quiet">${texts.noPictures}</p>`;
  return html`<ul class="pictures">
      ${part.items.flatMap((photo) => {
        const guid = photo.postId !== null && guids.get(photo.postId);
        const src = webAddress(stillOf(context, photo));
        if (!guid || src === undefined) return [];
        const alt = photo.text.trim() === "" ? texts.ofPost : photo.text;
        return html`<li>
          <a href="/posts/${encodeURIComponent(guid)}"
            ><img src="${src}" alt="${alt}" loading="lazy"
          /></a>
        </li>`;
      })}
    </ul>
    ${paginationView(part)}`;
}

/** The coming events of a person. */
export async function eventsTab(
  context: PagesContext,
  person: Person,
  viewer: Viewer,
  answering: Acting | undefined,
): Promise<Html> {
  const now = context.clock.now();
  const instant = timestamp(now);
  const from = { instant, date: dateIn(currentTimeZone(), instant) };
  const events = await context.events.listBy(person.id, viewer, from, {
    ...{ offset: 0, limit: EVENTS },
  });
  if (events.length === 0) return html`<p class="quiet">${texts.noEvents}</p>`;
  const ids = events.map(({ id }) => id);
  const answers = await loadAnswers(context, ids, viewer);
  return html`<ul class="plain">
    ${events.map((event) =>
      agendaItemView(event, person, { answers, answering, now }),
    )}
  </ul>`;
}

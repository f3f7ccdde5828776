import type { FeaturedTag } from "../../../features/featured-tags/index.ts";
import type { FeaturedTagId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Viewer } from "../../../features/visibility/index.ts";
import { presentTag } from "../../entities/small.ts";
import { tagUrl } from "../../entities/site.ts";
import {
  publicRoute,
  userRoute,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import { toWireId, type Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getActivePerson } from "../../loading/load-accounts.ts";

const PATH = "/v1/featured_tags";
const SUGGESTED = 10;

/** The tags on the profiles of people. */
export function featuredTagRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { featuredTags, people, site } = deps;
  return [
    publicRoute({
      method: "GET",
      path: "/v1/accounts/:id/featured_tags",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ id, viewer }) =>
        listFeaturedTagsOf(deps, await getActivePerson(deps, id()), viewer),
    }),
    userRoute({
      ...{ method: "GET", path: PATH, scope: "read:accounts", limit: "read" },
      handle: async ({ viewer }) => {
        const person = await people.find({ id: viewer.personId });
        return person ? listFeaturedTagsOf(deps, person, viewer) : [];
      },
    }),
    userRoute({
      ...{ method: "POST", path: PATH, scope: "write:accounts" },
      limit: "write",
      handle: async ({ input, viewer }) => {
        const name = input.filled("name");
        if (name === undefined) throw invalid("Hashtag can't be blank");
        const added = await featuredTags.add(viewer.userId, name);
        const person = await people.find({ id: viewer.personId });
        const [presented] = person
          ? await present(deps, person, [added], viewer)
          : [];
        return presented;
      },
    }),
    userRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      scope: "write:accounts",
      limit: "write",
      handle: async ({ id, viewer }) => {
        await featuredTags.remove(viewer.userId, id() as FeaturedTagId);
        return {};
      },
    }),
    userRoute({
      method: "GET",
      path: `${PATH}/suggestions`,
      scope: "read:accounts",
      limit: "read",
      handle: async ({ viewer }) => {
        const { personId, userId } = viewer;
        const own = await featuredTags.list(userId);
        const known = new Set(own.map(({ tag }) => tag));
        const most = SUGGESTED + own.length;
        const used = await featuredTags.listUsed(personId, viewer, most);
        return used
          .filter(({ tag }) => !known.has(tag))
          .slice(0, SUGGESTED)
          .map(({ tag }) => presentTag(site, tag, undefined));
      },
    }),
  ];
}

/** Those of people elsewhere are not known here. */
export async function listFeaturedTagsOf(
  deps: MastodonDeps,
  person: Person,
  viewer: Viewer,
): Promise<Entity[]> {
  if (person.userId === null) return [];
  const tags = await deps.featuredTags.list(person.userId);
  return present(deps, person, tags, viewer);
}

async function present(
  { featuredTags, site }: MastodonDeps,
  { id: personId }: Person,
  list: readonly FeaturedTag[],
  viewer: Viewer,
): Promise<Entity[]> {
  if (list.length === 0) return [];
  const names = list.map(({ tag }) => tag);
  const uses = await featuredTags.countUses(personId, names, viewer);
  const byTag = new Map(uses.map((use) => [use.tag, use]));
  return list.map(({ id, tag }) => {
    const use = byTag.get(tag);
    return {
      id: toWireId(id),
      name: tag,
      url: tagUrl(site, tag),
      statuses_count: String(use?.count ?? 0),
      last_status_at: use ? use.lastAt.slice(0, DAY_LENGTH) : null,
    };
  });
}

const DAY_LENGTH = "2026-01-01".length;

import type { TrendingTag, Trends } from "../../../features/trends/index.ts";
import { presentCard } from "../../entities/card.ts";
import { presentTag } from "../../entities/small.ts";
import type { Input } from "../../kit/input.ts";
import { publicRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { readLimit, readOffset } from "../../kit/paging.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadPostStatuses } from "../../loading/load-statuses.ts";

type Deps = MastodonDeps & { readonly trends: Trends };
type Call = Parameters<MastodonRoute["handle"]>[0];

/** Tags, statuses and links that many people use and like at the moment. */
export function trendRoutes(deps: Deps): MastodonRoute[] {
  const { site, trends } = deps;
  const route = (
    path: string,
    handle: (call: Call) => Promise<Entity[]>,
  ): MastodonRoute =>
    publicRoute({ method: "GET", path, scope: "any", limit: "read", handle });
  const listTags = async ({ input }: Call) =>
    partOf(input, await trends.listTags(), 10).map((it) => ({
      ...presentTag(site, it.tag, undefined),
      history: historyOf(it),
    }));
  return [
    route("/v1/trends", listTags),
    route("/v1/trends/tags", listTags),
    route("/v1/trends/statuses", ({ input, viewer }) =>
      listStatuses(deps, input, viewer),
    ),
    route("/v1/trends/links", ({ input, viewer }) =>
      listLinks(deps, input, viewer),
    ),
  ];
}

const MOST = 40;

/** A part of a short list by its offset. */
function partOf<T>(input: Input, all: readonly T[], usual: number): T[] {
  const offset = readOffset(input);
  const limit = readLimit(input, { usual, most: MOST });
  return all.slice(offset, offset + limit);
}

/** In texts, and the days in seconds. */
const historyOf = ({ days }: TrendingTag): Entity[] =>
  days.map(({ day, uses, people }) => ({
    day: String(Date.parse(`${day}T00:00:00Z`) / 1_000),
    uses: String(uses),
    accounts: String(people),
  }));

/** Those that belong in the viewer's lists. */
async function listStatuses(
  deps: Deps,
  input: Input,
  viewer: Call["viewer"],
): Promise<Entity[]> {
  const ids = await deps.trends.listPosts();
  if (ids.length === 0) return [];
  const page = { offset: 0, limit: MOST };
  const found = await deps.posts.listSelected(viewer, { ids }, page, "public");
  const byId = new Map(found.map((post) => [post.id, post]));
  const shown = ids.flatMap((id) => byId.get(id) ?? []);
  return loadPostStatuses(deps, partOf(input, shown, 20), viewer, "public");
}

/** Those whose pages could be read; a post that the viewer may see says so. */
async function listLinks(
  deps: Deps,
  input: Input,
  viewer: Call["viewer"],
): Promise<Entity[]> {
  const links = await deps.trends.listLinks();
  const ids = links.map(({ postId }) => postId);
  const visible = await deps.posts.listById(ids, viewer);
  const previews = await deps.linkPreviews.listOf(
    visible.map(({ id }) => id),
    viewer,
  );
  const cards = ids.flatMap((id) => previews.get(id) ?? []);
  return partOf(input, cards, 10).map(presentCard);
}

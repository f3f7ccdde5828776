import { fillPage } from "../../../features/fill-page.ts";
import type { HomeChoice } from "../../../features/homes/index.ts";
import { readWebUrl } from "../../../features/link-previews/index.ts";
import type { Page } from "../../../features/page.ts";
import type { Post } from "../../../features/posts/index.ts";
import { tagsIn } from "../../../lib/markdown/markdown.ts";
import { foldTag, parseTag } from "../../../lib/markdown/tags.ts";
import type { Input } from "../../kit/input.ts";
import {
  publicRoute,
  userRoute,
  type AnyCall,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { OF_STATUSES, readAskedPage } from "../../kit/paging.ts";
import { invalid, notFound } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadPostStatuses, loadStatuses } from "../../loading/load-statuses.ts";
import { getList, readRepliesPolicy } from "../lists/list-routes.ts";

/** Lists of posts. */
export function timelineRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    userRoute({
      method: "GET",
      path: "/v1/timelines/home",
      scope: "read:statuses",
      limit: "read",
      handle: async (call) =>
        listHomeStatuses(deps, call, {
          aspectIds: [],
          replies: readRepliesPolicy(call.input) ?? "none",
        }),
    }),
    userRoute({
      method: "GET",
      path: "/v1/timelines/list/:id",
      scope: "read:lists",
      limit: "read",
      handle: async (call) => {
        const { id, repliesPolicy } = await getList(deps, call);
        return listHomeStatuses(deps, call, {
          aspectIds: [id],
          areOwn: true,
          replies: repliesPolicy,
        });
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/timelines/public",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, OF_STATUSES);
        const found = await deps.posts.listPublic(
          viewer,
          {
            from: readOrigin(input),
            withPhotos: input.flag("only_media") ?? false,
            reshares: false,
          },
          page,
        );
        link(
          page,
          found.map(({ id }) => id),
        );
        return loadPostStatuses(deps, found, viewer, "public");
      },
    }),
    publicRoute({
      method: "GET",
      path: "/v1/timelines/tag/:name",
      scope: "read:statuses",
      limit: "read",
      handle: (call) => listTagged(deps, call),
    }),
    publicRoute({
      method: "GET",
      path: "/v1/timelines/link",
      scope: "read:statuses",
      limit: "read",
      handle: (call) => listLinking(deps, call),
    }),
  ];
}

function readOrigin(input: Input): "here" | "elsewhere" | undefined {
  if (input.flag("local")) return "here";
  return input.flag("remote") ? "elsewhere" : undefined;
}

/**
 * Each post is there once, as what brought it: itself, or the first reshare of it. Comments are
 * statuses, too, where the list has them.
 */
async function listHomeStatuses(
  deps: MastodonDeps,
  { input, link, viewer }: UserCall,
  chosen: Pick<HomeChoice, "areOwn" | "aspectIds" | "replies">,
): Promise<Entity[]> {
  const { homes, posts } = deps;
  const page = readAskedPage(input, OF_STATUSES);
  const isNewest = page.before === Number.MAX_SAFE_INTEGER;
  const asked = { before: isNewest ? undefined : page.before };
  const hasReplies = chosen.replies !== "none";
  const keys = await (hasReplies ? homes.findKeysAmongReplies : homes.findKeys)(
    viewer,
    { ...asked, after: page.after },
  );
  const before = isNewest ? page.before : keys.before;
  const choice = { ...chosen, reshares: true, namesResharers: false };
  const found = await homes.list(viewer, choice, { ...page, ...keys, before });
  const ids = found.map(({ broughtBy, comment }) => comment?.id ?? broughtBy);
  link(page, ids);
  const roots = new Map(found.map(({ post }) => [post.id, post]));
  const reshares = await posts.listById(
    found.flatMap(({ broughtBy }) => (roots.has(broughtBy) ? [] : broughtBy)),
    viewer,
  );
  const byId = new Map(roots);
  for (const reshare of reshares) byId.set(reshare.id, reshare);
  const writings = found.flatMap(({ broughtBy, comment = null }) => {
    const post = byId.get(broughtBy);
    return post ? [{ post, comment }] : [];
  });
  return loadStatuses(deps, writings, viewer, "home");
}

/**
 * Public posts that show a preview of a page, whether many link it or one.
 * @throws {KithError} `not_found` for what is no address of a page
 */
async function listLinking(
  deps: MastodonDeps,
  { input, link, viewer }: AnyCall,
): Promise<Entity[]> {
  const given = input.filled("url");
  if (given === undefined) throw invalid("Url can't be blank");
  const url = readWebUrl(given);
  if (url === undefined) throw notFound();
  const page = readAskedPage(input, OF_STATUSES);
  const found = await deps.posts.listSelected(
    viewer,
    { links: [url] },
    page,
    "public",
  );
  link(
    page,
    found.map(({ id }) => id),
  );
  return loadPostStatuses(deps, found, viewer, "public");
}

/** @throws {KithError} `not_found` for what is no tag */
async function listTagged(
  deps: MastodonDeps,
  { input, link, path, viewer }: AnyCall,
): Promise<Entity[]> {
  const tag = parseTag(path("name"));
  if (tag === undefined) throw notFound();
  const page = readAskedPage(input, OF_STATUSES);
  const any = input.texts("any").map(foldTag).slice(0, MAX_TAGS);
  const found = await fillPage<Post>(page, {
    order: "newest first",
    read: (part: Page) =>
      deps.posts.listSelected(viewer, { tags: [tag, ...any] }, part, "public"),
    leaveOut: (records) => leaveOutOthers(deps, input, records),
    workOf: ({ text }) => text.length,
  });
  link(
    page,
    found.map(({ id }) => id),
  );
  return loadPostStatuses(deps, found, viewer, "public");
}

const MAX_TAGS = 4;

/** Leaves out what the other parameters of a list of a tag do not mean. */
async function leaveOutOthers(
  { people, photos }: MastodonDeps,
  input: Input,
  records: readonly Post[],
): Promise<Post[]> {
  const all = input.texts("all").map(foldTag);
  const none = input.texts("none").map(foldTag);
  const origin = readOrigin(input);
  const [authors, pictures] = await Promise.all([
    origin === undefined
      ? undefined
      : people.listById(records.map(({ personId }) => personId)),
    input.flag("only_media")
      ? photos.listOf(records.map(({ id }) => id))
      : undefined,
  ]);
  return records.filter(({ id, personId, text }) => {
    if (pictures && !pictures.has(id)) return false;
    const isHere = authors?.get(personId)?.userId != null;
    if (origin !== undefined && isHere !== (origin === "here")) return false;
    if (all.length + none.length === 0) return true;
    const tags = tagsIn(text);
    return (
      all.every((tag) => tags.includes(tag)) &&
      !none.some((tag) => tags.includes(tag))
    );
  });
}

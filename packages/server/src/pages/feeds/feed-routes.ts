import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Post } from "../../features/posts/index.ts";
import {
  detailsFor,
  displayName,
  type Person,
} from "../../features/people/index.ts";
import { readInput, uint } from "../../http/input/input.ts";
import { isNotModified } from "../../http/not-modified.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { pictureAddress } from "../kit/person-view.ts";
import { excerpt, tagPath } from "../posts/post-text.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  renderAtom,
  renderJsonFeed,
  renderRss,
  tagOfFeed,
  updatedAtOf,
  type Feed,
} from "./feed.ts";
import { feedAuthor, loadFeedItems } from "./load-feed.ts";

const SIZE = 20;
const DESCRIPTION_LENGTH = 200;
const USERNAME = /^[a-z0-9_]{1,30}$/;

const KEYED = Type.Object({
  before: uint("The id of the post before which the feed goes on"),
  max_id: uint("The same, by the name that Mastodon gave it"),
});

const FORMATS = [
  ["atom", "application/atom+xml; charset=utf-8", renderAtom],
  ["rss", "application/rss+xml; charset=utf-8", renderRss],
  ["json", "application/feed+json; charset=utf-8", renderJsonFeed],
] as const;

type OfUser = { Params: { username: string } };
type Load = (before: number | undefined, feedUrl: string) => Promise<Feed>;

/** Public posts of people here and with tags, for feed readers; without reshares. */
export function feedRoutes(app: FastifyInstance, context: PagesContext): void {
  const config = { access: "anyone", limit: "read", mayBeOld: true } as const;
  for (const [name, type, render] of FORMATS) {
    const send = async (
      request: FastifyRequest,
      reply: FastifyReply,
      path: string,
      load: Load,
    ) => {
      const before = readKey(request);
      const first = context.baseUrl + path;
      const url = before === undefined ? first : `${first}?before=${before}`;
      const feed = await load(before, first);
      return sendFeed(request, reply, type, feed, render(feed, url));
    };
    const ofPerson = async (
      request: FastifyRequest<OfUser>,
      reply: FastifyReply,
    ) => {
      const { username } = request.params;
      const person = await getPerson(context, username);
      const path = `/u/${username}/feed.${name}`;
      return send(request, reply, path, (before, feedUrl) =>
        loadPersonFeed(context, person, before, feedUrl),
      );
    };
    app.get<OfUser>(`/u/:username/feed.${name}`, { config }, ofPerson);
    // The name that diaspora* gave it: feed readers have it.
    if (name === "atom")
      app.get<OfUser>("/public/:username.atom", { config }, ofPerson);
    app.get<{ Params: { tag: string } }>(
      `/tags/:tag/feed.${name}`,
      { config },
      async (request, reply) => {
        const tag = parseTag(request.params.tag);
        if (tag === undefined) throw new KithError("not_found", "No such tag.");
        const path = `${tagPath(tag)}/feed.${name}`;
        return send(request, reply, path, (before, feedUrl) =>
          loadTagFeed(context, tag, before, feedUrl),
        );
      },
    );
  }
}

/** @throws {KithError} `bad_request` */
function readKey({
  parameters,
}: Pick<FastifyRequest, "parameters">): number | undefined {
  const { before, max_id: maxId } = readInput(KEYED, parameters);
  if (before !== undefined && maxId !== undefined)
    throw new KithError(
      "bad_request",
      "The parameter max_id must not come with before, which means the same.",
    );
  return before ?? maxId;
}

function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  feed: Feed,
  rendered: string,
): FastifyReply {
  const etag = tagOfFeed(rendered);
  const updatedAt = updatedAtOf(feed);
  void reply.headers({
    ...{ etag, "cache-control": "public, max-age=300" },
    ...(updatedAt !== undefined && {
      "last-modified": new Date(updatedAt).toUTCString(),
    }),
    "access-control-allow-origin": "*",
  });
  // Without `If-Modified-Since`: the time of the newest change does not move on when a
  // post is deleted, so it would hide that. The entity tag changes.
  if (isNotModified(request.headers, etag)) return reply.code(304).send();
  return reply.type(type).send(rendered);
}

/** @throws {KithError} `not_found`, also for an account that is no longer open */
async function getPerson(
  { accounts, people, host }: PagesContext,
  username: string,
): Promise<Person> {
  const person = USERNAME.test(username)
    ? await people.find({ handle: `${username}@${host}` })
    : undefined;
  const account =
    person?.userId == null ? undefined : await accounts.findById(person.userId);
  if (person?.state !== "active" || account?.state !== "active")
    throw new KithError("not_found", "No such feed.");
  return person;
}

async function loadPersonFeed(
  context: PagesContext,
  person: Person,
  before: number | undefined,
  feedUrl: string,
): Promise<Feed> {
  const { baseUrl, posts, remoteMedia } = context;
  const found = await posts.listOf(person.id, null, pageBefore(before), {
    reshares: false,
  });
  const author = feedAuthor(context, person);
  const { profile, handle } = person;
  const picture = pictureAddress([profile.imageUrl, profile.imageUrlMedium]);
  return {
    ...{ title: displayName(person), pageUrl: author.url, author },
    description:
      excerpt(detailsFor(profile, "stranger").bio, DESCRIPTION_LENGTH) ||
      handle,
    imageUrl: picture && remoteMedia.addressOf(new URL(picture, baseUrl).href),
    items: await loadFeedItems(context, found.slice(0, SIZE)),
    nextUrl: nextOf(found, feedUrl),
    since: person.createdAt,
  };
}

async function loadTagFeed(
  context: PagesContext,
  tag: string,
  before: number | undefined,
  feedUrl: string,
): Promise<Feed> {
  const selection = { tags: [tag] };
  const found = await context.posts.listSelected(
    ...([null, selection, pageBefore(before), "public"] as const),
  );
  return {
    ...{ title: `#${tag}`, description: `#${tag}` },
    pageUrl: context.baseUrl + tagPath(tag),
    items: await loadFeedItems(context, found.slice(0, SIZE)),
    nextUrl: nextOf(found, feedUrl),
  };
}

/** One post more than is shown tells whether there are others. */
const pageBefore = (before: number | undefined) => ({
  ...{ offset: 0, limit: SIZE + 1, before },
});

function nextOf(found: readonly Post[], feedUrl: string): string | undefined {
  const last = found.length > SIZE ? found[SIZE - 1] : undefined;
  return last && `${feedUrl}?before=${last.id}`;
}

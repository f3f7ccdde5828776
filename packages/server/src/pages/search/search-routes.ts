import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { MAX_QUERY_LENGTH } from "../../features/search/index.ts";
import { readInput, text, uint } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { sendPage } from "../kit/send-page.ts";
import { searchPageTexts as texts } from "../languages/texts.ts";
import { actingOn } from "../posts/act-view.ts";
import { postViews } from "../posts/post-view.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import {
  findAddressed,
  KINDS,
  readKeys,
  loadNames,
  loadPosts,
  sizeOf,
  type Kind,
  type Results,
  type SearchInput,
} from "./load-results.ts";
import {
  SEARCH,
  searchPath,
  searchView,
  type SearchPage,
} from "./search-view.ts";

const INPUT = Type.Object({
  q: text("What to search for"),
  type: text("The only kind that is wanted: people, tags or posts"),
  offset: uint("How many people or tags to leave out"),
  before: uint("Posts older than the one with this id"),
  after: uint("Posts newer than the one with this id"),
});

/** Searches people, tags and posts. */
export function searchPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    SEARCH,
    // It may ask other servers.
    { config: { access: "session", limit: "costly" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendSearch(context, request, reply, session);
    },
  );
}

async function sendSearch(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const given = readInput(INPUT, request.parameters);
  const query = (given.q ?? "").trim();
  const kind = KINDS.find((it) => it === given.type);
  const isStart = [given.offset, given.before, given.after].every(
    (it) => it === undefined,
  );
  const addressed =
    query === "" || !isStart || kind === "tags"
      ? undefined
      : await findAddressed(context, session.user, query);
  if (addressed?.path !== undefined) return redirectTo(reply, addressed.path);
  if (addressed && kind !== "posts")
    return send(reply, session, {
      ...{ query, kind },
      people: { ...only([addressed.person]), ...linksTo(undefined, undefined) },
    });
  const keys = readKeys(given.before, given.after);
  const input = { query, offset: given.offset ?? 0, keys };
  if (query === "") return send(reply, session, { query, kind });
  try {
    return await sendFound(context, request, reply, session, input, kind);
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    const fault =
      [...query].length > MAX_QUERY_LENGTH
        ? texts.tooLong(MAX_QUERY_LENGTH)
        : texts.refused;
    return send(reply, session, { query, kind, fault }, 422);
  }
}

/** Each kind that is wanted: beside the others only a few. */
async function sendFound(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  input: SearchInput,
  kind: Kind | undefined,
): Promise<FastifyReply> {
  const { user } = session;
  const { search } = context;
  const { query, offset } = input;
  const wants = (one: Kind) => kind === undefined || kind === one;
  const size = (one: Kind) => sizeOf(one, kind === one);
  const paged = <T>(one: Kind, results: Results<T>) => ({
    ...results,
    ...linksTo(
      results.hasPrevious
        ? searchPath(query, one, { offset: Math.max(0, offset - size(one)) })
        : undefined,
      results.hasNext
        ? searchPath(query, one, { offset: offset + size(one) })
        : undefined,
    ),
  });
  // The posts first: what cannot be understood is refused before all else.
  const posts = wants("posts")
    ? await loadPosts(context, user, input, size("posts"))
    : undefined;
  const people = wants("people")
    ? await loadNames(input, size("people"), (q, page) =>
        search.people(user, q, page),
      )
    : undefined;
  const tags = wants("tags")
    ? await loadNames(input, size("tags"), (q, page) =>
        search.tags(user, q, page),
      )
    : undefined;
  const acting = actingOn(session, request, SEARCH);
  return send(reply, session, {
    ...{ query, kind },
    ...(people && { people: paged("people", people) }),
    ...(tags && { tags: paged("tags", tags) }),
    ...(posts && {
      posts: {
        ...posts,
        ...linksToPosts(query, posts),
        items: await postViews(context, posts.items, user, acting),
      },
    }),
  });
}

/** Paged by keys: nothing is shown twice while others write. */
function linksToPosts(
  query: string,
  { items, hasPrevious, hasNext }: Results<Post>,
) {
  const [first, last] = [items.at(0), items.at(-1)];
  return linksTo(
    hasPrevious && first
      ? searchPath(query, "posts", { after: first.id })
      : undefined,
    hasNext && last
      ? searchPath(query, "posts", { before: last.id })
      : undefined,
  );
}

function linksTo(previous: string | undefined, next: string | undefined) {
  return { previous, next };
}

function only<T>(items: readonly T[]): Results<T> {
  return { items, hasPrevious: false, hasNext: false };
}

function send(
  reply: FastifyReply,
  session: Session,
  page: SearchPage,
  status = 200,
): FastifyReply {
  const { query } = page;
  return sendPage(reply, {
    status,
    head: {
      title: query === "" ? texts.title : texts.titleOf(query),
      noindex: true,
    },
    session,
    main: searchView(page),
  });
}

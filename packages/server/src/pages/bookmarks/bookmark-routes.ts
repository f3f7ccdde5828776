import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { html, type Html } from "../kit/html.ts";
import { emptyListView } from "../kit/components/notices-view.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart, type Part } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts } from "../languages/texts.ts";
import { actingOn, backToPost } from "../posts/act-view.ts";
import { postViews } from "../posts/post-view.ts";
import { HOME } from "../session/places.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const texts = pageTexts.bookmarks;
const BOOKMARKS = "/bookmarks";
const LIST = { path: BOOKMARKS, size: 20, order: "newest first" } as const;
const ACT = Type.Object({ to: text("The page to which the act leads back") });

type OfGuid = { Params: { guid: string } };
type Act = (session: Session, post: Post) => Promise<unknown>;

/** The posts that the user keeps for later, and those that it pins for others. */
export function bookmarkRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { bookmarks, pins } = context;
  app.get(
    BOOKMARKS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendBookmarks(context, request, reply, session);
    },
  );
  const acts: readonly (readonly [string, Act])[] = [
    ["bookmark", ({ user }, { id }) => bookmarks.add(user, id)],
    [
      "unbookmark",
      async ({ user }, { id }) => {
        const kept = await bookmarks.listAmong(user.userId, [id]);
        // A form that is sent twice is not a fault.
        if (kept.has(id)) await bookmarks.remove(user, id);
      },
    ],
    ["pin", ({ user }, { id }) => pins.add(user, id)],
    ["unpin", ({ user }, { id }) => pins.remove(user, id)],
  ];
  for (const [name, act] of acts)
    app.post<OfGuid>(
      `/posts/:guid/${name}`,
      { config: { access: "session", limit: "write" } },
      (request, reply) => perform(context, request, reply, act),
    );
}

async function perform(
  context: PagesContext,
  request: FastifyRequest<OfGuid>,
  reply: FastifyReply,
  act: Act,
): Promise<FastifyReply> {
  const { guid } = request.params;
  if (!isGuid(guid)) throw new KithError("not_found", "No such post.");
  const to = backToPost(readInput(ACT, request.parameters).to, guid);
  const session = await findVisitor(context, request);
  if (!session) return askToSignIn(context, request, reply, { to });
  checkCsrf(session, request.parameters);
  const post = await context.posts.findVisible({ guid }, session.user);
  if (!post) throw new KithError("not_found", "No such post.");
  await act(session, post);
  return redirectTo(reply, to);
}

async function sendBookmarks(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { user } = session;
  const part = await readKeyedPart(request, LIST, async (page) =>
    (await context.bookmarks.list(user, page)).map(({ post }) => post),
  );
  const acting = actingOn(session, request, BOOKMARKS);
  const items = await postViews(context, part.items, user, acting);
  return sendPage(reply, {
    head: { title: texts.title, noindex: true },
    session,
    main: bookmarksView({ ...part, items }),
  });
}

function bookmarksView(posts: Part<Html>): Html {
  return html`<h1>${texts.title}</h1>
    <p class="quiet">${texts.about}</p>
    ${
      posts.items.length === 0
        ? emptyListView(texts.none, [[HOME, pageTexts.places.home]])
        : posts.items
    }
    ${paginationView(posts, {
      previous: pageTexts.newerPosts,
      next: pageTexts.olderPosts,
    })}`;
}

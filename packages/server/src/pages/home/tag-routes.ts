import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { actForm, alertView } from "../kit/form-fields.ts";
import { html, type Html, partAttribute } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { homeTexts, pageTexts } from "../languages/texts.ts";
import { actingOn } from "../posts/act-view.ts";
import { tagPath } from "../posts/post-text.ts";
import { postViews } from "../posts/post-view.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const texts = homeTexts.tag;
const PAGE_SIZE = 20;

type OfTag = { Params: { tag: string } };
type Act = (session: Session, tag: string) => Promise<unknown>;

/**
 * The posts with a tag: public ones, and for signed-in users those that they
 * may see. Users follow tags here.
 */
export function tagRoutes(app: FastifyInstance, context: PagesContext): void {
  const { streams } = context;
  app.get<OfTag>(
    "/tags/:tag",
    { config: { access: "viewer", limit: "read", mayBeOld: true } },
    (request, reply) => {
      void reply.header("vary", "Cookie");
      return sendTag(context, request, reply, getTag(request.params.tag));
    },
  );
  const acts: readonly (readonly [string, Act])[] = [
    ["follow", ({ user }, tag) => streams.followTag(user.userId, tag)],
    [
      "unfollow",
      async ({ user }, tag) => {
        // A form that is sent twice is not a fault.
        if (await streams.isFollowingTag(user.userId, tag))
          await streams.unfollowTag(user.userId, tag);
      },
    ],
  ];
  for (const [name, act] of acts)
    app.post<OfTag>(
      `/tags/:tag/${name}`,
      { config: { access: "session", limit: "write" } },
      (request, reply) => perform(context, request, reply, act),
    );
}

/** @throws {KithError} `not_found` */
function getTag(given: string): string {
  const tag = parseTag(given);
  if (tag === undefined) throw new KithError("not_found", "No such tag.");
  return tag;
}

async function perform(
  context: PagesContext,
  request: FastifyRequest<OfTag>,
  reply: FastifyReply,
  act: Act,
): Promise<FastifyReply> {
  const tag = getTag(request.params.tag);
  const session = await findVisitor(context, request);
  const to = tagPath(tag);
  if (!session) return askToSignIn(context, request, reply, { to });
  checkCsrf(session, request.parameters);
  try {
    await act(session, tag);
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    return sendTag(context, request, reply, tag, texts.tooMany);
  }
  return redirectTo(reply, to);
}

async function sendTag(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  fault?: string,
): Promise<FastifyReply> {
  const { posts, streams, baseUrl } = context;
  const session = await findVisitor(context, request);
  const viewer = session?.user ?? null;
  const path = tagPath(tag);
  const list = { path, size: PAGE_SIZE, order: "newest first" } as const;
  const part = await readKeyedPart(request, list, (page) =>
    posts.listSelected(viewer, { tags: [tag] }, page, "public"),
  );
  const acting = actingOn(session, request, path);
  const items = await postViews(context, part.items, viewer, acting, {
    context: "public",
  });
  const isFollowed =
    session !== undefined &&
    (await streams.isFollowingTag(session.user.userId, tag));
  return sendPage(reply, {
    status: fault === undefined ? 200 : 422,
    head: {
      ...{ title: `#${tag}`, canonical: baseUrl + path, noindex: true },
      feedsBelow: baseUrl + path,
    },
    session,
    main: html`<h1 dir="auto">#${tag}</h1>
      ${alertView(fault === undefined ? [] : [fault])}
      ${session && followView(session, tag, isFollowed)}
      ${items.length === 0 ? emptyView(session, tag) : items}
      ${paginationView(part, {
        previous: pageTexts.newerPosts,
        next: pageTexts.olderPosts,
      })}`,
  });
}

function followView(session: Session, tag: string, isFollowed: boolean): Html {
  const act = isFollowed ? "unfollow" : "follow";
  const form = actForm(
    session,
    `${tagPath(tag)}/${act}`,
    undefined,
    texts[act](tag),
  );
  return html`<div ${partAttribute(tagPath(tag))}>
    ${form} ${isFollowed && html`<p class="quiet">${texts.followed}</p>`}
  </div>`;
}

function emptyView(session: Session | undefined, tag: string): Html {
  const text = encodeURIComponent(`#${tag} `);
  return html`<section class="empty">
    <p>${texts.none}</p>
    ${
      session &&
      html`<p><a href="/write?text=${text}">${texts.writeOne}</a></p>`
    }
  </section>`;
}

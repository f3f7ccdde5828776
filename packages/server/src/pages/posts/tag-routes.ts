import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readPart } from "../kit/page-input.ts";
import { tagPath } from "./post-text.ts";
import { actingOn } from "./act-view.ts";
import { postViews } from "./post-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts as texts } from "../languages/texts.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";

const PAGE_SIZE = 20;

/**
 * The posts with a tag: public ones, and for signed-in users those that they
 * may see.
 */
export function tagRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get<{ Params: { tag: string } }>(
    "/tags/:tag",
    { config: { access: "viewer", limit: "read" } },
    async (request, reply) => {
      const tag = parseTag(request.params.tag);
      if (tag === undefined) throw new KithError("not_found", "No such tag.");
      void reply.header("vary", "Cookie");
      return sendTag(context, request, reply, tag);
    },
  );
}

async function sendTag(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  const viewer = session?.user ?? null;
  const part = await readPart(request, PAGE_SIZE, (page) =>
    context.posts.listSelected(viewer, { tags: [tag] }, page),
  );
  const acting = actingOn(session, request, tagPath(tag));
  const items = await postViews(context, part.items, viewer, acting);
  return sendPage(reply, {
    head: {
      title: `#${tag}`,
      canonical: context.baseUrl + tagPath(tag),
      noindex: true,
    },
    session,
    main: html`<h1 dir="auto">#${tag}</h1>
      ${
        items.length === 0
          ? html`<p class="quiet">${texts.person.noPosts}</p>`
          : items
      }
      ${paginationView(part, {
        previous: texts.newerPosts,
        next: texts.olderPosts,
      })}`,
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Post } from "../../features/posts/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import { readInput, text, uint } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { escapeHtml } from "../../lib/html/html-cleaner.ts";
import { html, toText } from "../kit/html.ts";
import { personPath } from "../kit/person-view.ts";
import { EMBED_POLICY } from "../kit/send-page.ts";
import { postViews } from "../posts/post-view.ts";
import { pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { embedLayout } from "./embed-layout.ts";

// oEmbed 1.0 (https://oembed.com): other sites show public posts from here in a frame.

const WIDTH = { usual: 550, most: 800 };
const HEIGHT = 400;
const CACHE_SECONDS = 86_400;

const ASKED = Type.Object({
  url: text("The address of a post on this server"),
  maxwidth: uint("The width of the frame at most, in pixels"),
  maxheight: uint("The height of the frame at most, in pixels"),
  format: text("json or xml"),
});

type Shown = { readonly post: Post; readonly author: Person };

/** The frames of public posts, and what other sites read to make them. */
export function embedRoutes(app: FastifyInstance, context: PagesContext): void {
  const config = { access: "anyone", limit: "read" } as const;
  // Apps know it below the paths of their API.
  for (const path of ["/oembed", "/api/oembed"])
    app.get(
      path,
      { config: { ...config, isForPrograms: true } },
      (request, reply) => sendDescription(context, request, reply),
    );
  app.get<{ Params: { guid: string } }>(
    "/embed/:guid",
    { config: { ...config, mayBeOld: true } },
    async (request, reply) => {
      const shown = await findShown(context, request.params.guid);
      if (!shown) throw new KithError("not_found", "No such post.");
      const [view] = await postViews(context, [shown.post], null);
      const title = pageTexts.post.titleBy(displayName(shown.author));
      const page = `${context.baseUrl}/posts/${shown.post.guid}`;
      return reply
        .type("text/html; charset=utf-8")
        .headers({
          "content-security-policy": EMBED_POLICY,
          "cache-control": "public, max-age=300",
          vary: "Accept-Language",
          "x-robots-tag": "noindex",
        })
        .send(toText(embedLayout(title, page, html`${view}`)));
    },
  );
}

async function sendDescription(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Scripts of other sites read the errors, too.
  void reply.header("access-control-allow-origin", "*");
  const {
    url = "",
    format = "json",
    ...most
  } = readInput(ASKED, request.parameters);
  const shown = await findByUrl(context, url);
  if (!shown) return refuse(reply, 404, "Record not found");
  if (format !== "json" && format !== "xml")
    return refuse(reply, 501, "The format is json or xml");
  const answer = describe(context, shown, most);
  void reply.headers({
    "cache-control": `public, max-age=${CACHE_SECONDS}`,
    vary: "Accept-Language",
  });
  return format === "xml"
    ? reply.type("text/xml; charset=utf-8").send(xmlOf(answer))
    : reply
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(answer));
}

/** The answer is the same for a post that is not public and for one that does not exist. */
function refuse(
  reply: FastifyReply,
  status: number,
  error: string,
): FastifyReply {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error }));
}

/** Only posts of people here are embedded from here. */
async function findShown(
  { posts, people }: PagesContext,
  guid: string,
): Promise<Shown | undefined> {
  const post = isGuid(guid)
    ? await posts.findVisible({ guid }, null)
    : undefined;
  if (!post?.public || post.type === "reshare") return undefined;
  const author = await people.find({ id: post.personId });
  return author?.userId == null ? undefined : { post, author };
}

function findByUrl(
  context: PagesContext,
  given: string,
): Promise<Shown | undefined> {
  const { origin } = new URL(context.baseUrl);
  const url = URL.parse(given);
  const [, guid = ""] = /^\/posts\/([^/]+)$/.exec(url?.pathname ?? "") ?? [];
  return url?.origin === origin
    ? findShown(context, guid)
    : Promise.resolve(undefined);
}

type Most = { readonly maxwidth?: number; readonly maxheight?: number };

function describe(
  { baseUrl }: PagesContext,
  { post, author }: Shown,
  { maxwidth = WIDTH.usual, maxheight = HEIGHT }: Most,
): Readonly<Record<string, string | number>> {
  const width = Math.min(maxwidth, WIDTH.most);
  const height = Math.min(maxheight, HEIGHT);
  const name = displayName(author);
  const title = pageTexts.post.titleBy(name);
  const frame = html`<iframe
    src="${baseUrl}/embed/${post.guid}"
    title="${title}"
    width="${width}"
    height="${height}"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    loading="lazy"
  ></iframe>`;
  return {
    ...{ type: "rich", version: "1.0", title, width, height },
    author_name: name,
    author_url: baseUrl + personPath(author),
    provider_name: new URL(baseUrl).host,
    provider_url: baseUrl,
    cache_age: CACHE_SECONDS,
    html: toText(frame),
  };
}

function xmlOf(answer: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(answer).map(
    ([name, value]) =>
      `<${name}>${escapeHtml(
        String(value)
          .toWellFormed()
          .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ""),
      )}</${name}>`,
  );
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${lines.join("\n")}\n</oembed>\n`;
}

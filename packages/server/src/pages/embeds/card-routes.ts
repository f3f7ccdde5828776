import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import type { Card } from "../../lib/images/cards/card.ts";
import { Type } from "../../lib/json-schema.ts";
import { eventCard } from "../calendars/event-head.ts";
import { preferLanguage } from "../languages/reader.ts";
import { postCard } from "../posts/post-head.ts";
import type { PagesContext } from "../session/visitor.ts";

const CACHE_SECONDS = 86_400;

const ASKED = Type.Object({
  lang: text("The language of the date: en or de"),
  v: text("The version of the words; it makes the address a new one"),
});

type OfGuid = { Params: { guid: string } };

/** The pictures that other sites show for links to public posts and events from here. */
export function cardRoutes(app: FastifyInstance, context: PagesContext): void {
  const config = { access: "anyone", limit: "read", mayBeOld: true } as const;
  const send = async (
    request: FastifyRequest<OfGuid>,
    reply: FastifyReply,
    find: (guid: string) => Promise<Card | undefined>,
  ): Promise<FastifyReply> => {
    const { lang } = readInput(ASKED, request.parameters);
    if (lang !== undefined) preferLanguage(lang);
    const { guid } = request.params;
    const card = isGuid(guid) ? await find(guid) : undefined;
    if (!card) throw new KithError("not_found", "No such card.");
    const png = await context.cards.paint(card);
    return reply
      .type("image/png")
      .header("cache-control", `public, max-age=${CACHE_SECONDS}`)
      .send(png);
  };
  app.get<OfGuid>("/posts/:guid/card.png", { config }, (request, reply) =>
    send(request, reply, (guid) => findPostCard(context, guid)),
  );
  app.get<OfGuid>("/events/:guid/card.png", { config }, (request, reply) =>
    send(request, reply, (guid) => findEventCard(context, guid)),
  );
}

async function findPostCard(
  { posts, people }: PagesContext,
  guid: string,
): Promise<Card | undefined> {
  const post = await posts.findVisible({ guid }, null);
  return post && postCard(post, await people.find({ id: post.personId }));
}

async function findEventCard(
  { events, people }: PagesContext,
  guid: string,
): Promise<Card | undefined> {
  const event = await events.findVisible({ guid }, null);
  return event && eventCard(event, await people.find({ id: event.personId }));
}

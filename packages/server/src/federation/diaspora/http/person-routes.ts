import {
  buildHcard,
  buildPersonStream,
  receivePublicUrl,
  type StreamPost,
} from "@kith/diaspora";
import type { FastifyInstance } from "fastify";
import {
  displayName,
  usernameOf,
  type Person,
} from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { isGuid } from "../../../lib/guids.ts";
import type { DiasporaDeps } from "../deps.ts";
import { avatarUrls } from "../render/wire-values.ts";

type PersonRoutesDeps = Pick<DiasporaDeps, "people" | "posts" | "baseUrl">;
type ByGuid = { Params: { guid: string } };

/** As many as a pod requests after a search for a person here. */
const STREAM_LENGTH = 15;
const MAX_FULL_NAME = 70;

/** Serves hCards, profiles and streams of local people. */
export function registerPersonRoutes(
  app: FastifyInstance,
  deps: PersonRoutesDeps,
): void {
  const config = { access: "anyone", limit: "read", mayBeOld: true } as const;
  app.get<ByGuid>("/hcard/users/:guid", { config }, async (request, reply) => {
    const person = await getLocal(deps, request.params.guid);
    return reply
      .type("text/html; charset=utf-8")
      .send(renderHcard(person, deps.baseUrl));
  });
  app.get<ByGuid>(
    "/people/:guid/stream",
    { config },
    async (request, reply) => {
      const { guid } = request.params;
      void reply.header("vary", "Accept");
      if (!wantsJson(request.headers.accept))
        return reply.redirect(`/people/${encodeURIComponent(guid)}`, 302);
      const person = await getLocal(deps, guid);
      return reply
        .type("application/json; charset=utf-8")
        .send(await renderStream(deps, person));
    },
  );
  app.get("/.well-known/x-social-relay", { config }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(relayDocument(deps)),
  );
}

/**
 * For social relays (protocol section 18): this server subscribes to nothing,
 * and accepts posts at this URL.
 */
function relayDocument({ baseUrl }: PersonRoutesDeps): string {
  return JSON.stringify({
    subscribe: false,
    scope: "all",
    tags: [],
    protocols: { diaspora: { receive: receivePublicUrl(baseUrl) } },
  });
}

function wantsJson(accept: string | undefined): boolean {
  return /(?:^|[\s,])application\/json\b/i.test(accept ?? "");
}

async function getLocal(
  { people }: PersonRoutesDeps,
  guid: string,
): Promise<Person> {
  const person = isGuid(guid) ? await people.find({ guid }) : undefined;
  if (person?.state !== "active" || person.userId === null)
    throw new KithError("not_found", "Nobody with that Guid.");
  return person;
}

function renderHcard(person: Person, baseUrl: string): string {
  const { firstName, lastName, searchable } = person.profile;
  const fullName = displayName(person).replaceAll(";", " ");
  return buildHcard({
    guid: person.guid,
    nickname: usernameOf(person),
    fullName: [...fullName].slice(0, MAX_FULL_NAME).join(""),
    firstName,
    lastName,
    publicKeyPem: person.publicKeyPem,
    searchable,
    ...avatarUrls(person, baseUrl),
    baseUrl,
  });
}

async function renderStream(
  { posts, baseUrl }: PersonRoutesDeps,
  person: Person,
): Promise<string> {
  const page = { offset: 0, limit: STREAM_LENGTH };
  const listed = await posts.listOf(person.id, null, page);
  return buildPersonStream(
    listed.map((post) => describePost(post, person, baseUrl)),
  );
}

function describePost(post: Post, person: Person, baseUrl: string): StreamPost {
  return {
    id: post.id,
    guid: post.guid,
    createdAt: post.createdAt,
    public: post.public,
    type: post.type === "reshare" ? "Reshare" : "StatusMessage",
    text: post.text,
    nsfw: person.profile.nsfw,
    author: {
      id: person.id,
      guid: person.guid,
      name: displayName(person),
      handle: person.handle,
      ...avatarUrls(person, baseUrl),
    },
  };
}

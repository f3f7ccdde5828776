import { actorWebfingerLinks } from "@kith/activitypub";
import { webfingerLinks } from "@kith/diaspora";
import type { FastifyInstance } from "fastify";
import type { Protocol } from "../../db/schema/remote-person.ts";
import {
  usernameOf,
  type People,
  type Person,
} from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";

export type WebfingerRoutesDeps = {
  readonly people: People;
  readonly protocols: Readonly<Record<Protocol, boolean>>;
  readonly baseUrl: string;
  readonly handleHost: string;
};

type Document = {
  readonly subject: string;
  readonly aliases: readonly string[];
  readonly links: readonly object[];
};

/** Serves WebFinger (RFC 7033) and host-meta (RFC 6415). */
export function registerWebfinger(
  app: FastifyInstance,
  deps: WebfingerRoutesDeps,
): void {
  app.get(
    "/.well-known/webfinger",
    { config: { access: "anyone", limit: "read", mayBeOld: true } },
    async (request, reply) => {
      const { resource } = request.query as { resource?: unknown };
      if (typeof resource !== "string" || resource === "")
        throw new KithError(
          "bad_request",
          "The parameter resource must be given, such as acct:name@host.",
        );
      if (NAMELESS.test(resource))
        throw new KithError(
          "bad_request",
          "The parameter resource must name somebody, such as acct:name@host.",
        );
      const document = await findDocument(deps, resource);
      if (!document) throw new KithError("not_found", "Nobody of that name.");
      return reply
        .headers({
          "content-type": "application/jrd+json; charset=utf-8",
          "cache-control": "public, max-age=180",
        })
        .send(JSON.stringify(document));
    },
  );
  app.get(
    "/.well-known/host-meta",
    { config: { access: "anyone", limit: "read" } },
    async (_request, reply) =>
      reply
        .headers({
          "content-type": "application/xrd+xml; charset=utf-8",
        })
        .send(hostMeta(deps.baseUrl)),
  );
}

function hostMeta(baseUrl: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">',
    `  <Link rel="lrdd" type="application/jrd+json" template="${baseUrl}/.well-known/webfinger?resource={uri}"/>`,
    "</XRD>",
    "",
  ].join("\n");
}

async function findDocument(
  deps: WebfingerRoutesDeps,
  resource: string,
): Promise<Document | undefined> {
  const instance = instanceDocument(deps, resource);
  if (instance) return instance;
  const person = await findPerson(deps, resource);
  return person && personDocument(deps, person);
}

/** A handle with or without `acct:`, or one of the URLs of a person. */
async function findPerson(
  { people, baseUrl, handleHost }: WebfingerRoutesDeps,
  resource: string,
): Promise<Person | undefined> {
  const path = resource.startsWith(`${baseUrl}/`)
    ? resource.slice(baseUrl.length)
    : undefined;
  const username =
    path === undefined ? undefined : (PATHS.exec(path)?.[1] ?? "");
  const handle = parseHandle(
    username === undefined ? resource : `${username}@${handleHost}`,
  );
  if (handle?.host !== handleHost) return undefined;
  const person = await people.find({ handle: formatHandle(handle) });
  return person?.state === "active" ? person : undefined;
}

/** RFC 7565 requires a name and a host. */
const NAMELESS = /^acct:@?[^@]*$/i;

const PATHS =
  /^\/(?:u\/|api\/v1\/ap\/person\/|api\/v0\/ap\/user\/)([A-Za-z0-9_]{1,30})(?:\/actor)?\/?$/;

function personDocument(
  { protocols, baseUrl }: WebfingerRoutesDeps,
  person: Person,
): Document {
  const username = usernameOf(person);
  const profileUrl = `${baseUrl}/u/${username}`;
  const actorUri = `${baseUrl}/api/v1/ap/person/${username}`;
  const links: { rel: string }[] = [];
  if (protocols.activitypub) links.push(...actorWebfingerLinks(actorUri));
  if (protocols.diaspora)
    links.push(
      ...webfingerLinks({ guid: person.guid, baseUrl, username })
        .filter(({ rel }) => rel !== PROFILE_PAGE && !UNSERVED.has(rel))
        .map((link) => ({ ...link, rel: RELATIONS.get(link.rel) ?? link.rel })),
    );
  links.push(profilePage(profileUrl), interactionPage(baseUrl));
  return {
    subject: `acct:${person.handle}`,
    aliases: protocols.activitypub ? [profileUrl, actorUri] : [profileUrl],
    links,
  };
}

const PROFILE_PAGE = "http://webfinger.net/rel/profile-page";

/**
 * Full URIs for the short names of pods: a relation is registered, or a URI
 * (RFC 7033 §4.4.4.1).
 */
const RELATIONS: ReadonlyMap<string, string> = new Map([
  ["salmon", "http://salmon-protocol.org/ns/salmon-replies"],
]);

const INTERACTION_PAGE = "http://ostatus.org/schema/1.0/subscribe";

/** Links of pods to pages that do not exist here, or have another address. */
const UNSERVED = new Set([
  "http://schemas.google.com/g/2010#updates-from",
  INTERACTION_PAGE,
]);

/** The page to which other sites lead people who follow or reply from this server. */
function interactionPage(baseUrl: string): { rel: string } {
  const template = `${baseUrl}/authorize_interaction?uri={uri}`;
  const link = { rel: INTERACTION_PAGE, template };
  return link;
}

function profilePage(href: string): { rel: string } {
  const link = { rel: PROFILE_PAGE, type: "text/html", href };
  return link;
}

/** The server's own actor is found like a person whose name is the host. */
function instanceDocument(
  { protocols, baseUrl, handleHost }: WebfingerRoutesDeps,
  resource: string,
): Document | undefined {
  if (!protocols.activitypub) return undefined;
  const actorUri = `${baseUrl}/api/v1/ap/instance`;
  const handle = `${new URL(baseUrl).hostname}@${handleHost}`;
  const asked = parseHandle(resource);
  const isAsked = asked !== undefined && formatHandle(asked) === handle;
  if (!isAsked && resource !== actorUri) return undefined;
  return {
    subject: `acct:${handle}`,
    aliases: [actorUri],
    links: actorWebfingerLinks(actorUri),
  };
}

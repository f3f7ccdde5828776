import {
  buildActor,
  buildCollection,
  buildCollectionPage,
  buildTombstone,
  CONTENT_TYPE,
  serialize,
  withContext,
  type JsonObject,
} from "@kith/activitypub";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { Accounts } from "../../features/accounts/index.ts";
import type { Contacts, Direction } from "../../features/contacts/index.ts";
import type { Page } from "../../features/page.ts";
import { usernameOf, type Person } from "../../features/people/index.ts";
import type { Posts, Viewer } from "../../features/posts/index.ts";
import { readHeaderToken } from "../../http/header-token.ts";
import { readInput } from "../../http/input.ts";
import { formatHandle } from "../../lib/handle.ts";
import { KithError } from "../../lib/errors.ts";
import { renderActivityOf } from "./render-activity.ts";
import { findByUsername } from "./receive-note.ts";
import { renderActor, type RenderDeps } from "./render-objects.ts";

export type ActorRoutesDeps = RenderDeps & {
  readonly accounts: Accounts;
  readonly contacts: Contacts;
  readonly posts: Posts;
};

const PAGE_SIZE = 20;
const PAGE_INPUT = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});

/** Sends a document with the one content type that every peer takes. */
export function sendDocument(
  reply: FastifyReply,
  document: JsonObject,
  maxAgeSeconds = 0,
): FastifyReply {
  return reply
    .headers({
      "content-type": CONTENT_TYPE,
      accept: CONTENT_TYPE,
      vary: "Accept, Signature",
      "cache-control":
        maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : "no-store",
    })
    .send(Buffer.from(serialize(withContext(document))));
}

/** Serves actors and their collections, under both versions of their addresses. */
export function registerActors(
  app: FastifyInstance,
  deps: ActorRoutesDeps,
): void {
  const anyone = { config: { access: "anyone" } } as const;
  const viewer = { config: { access: "viewer" } } as const;
  app.get("/api/v1/ap/instance", anyone, async (_request, reply) =>
    sendDocument(reply, await renderInstance(deps), 180),
  );
  const actor = async (request: FastifyRequest, reply: FastifyReply) => {
    const gone = await findLeaver(deps, request);
    if (gone) return sendDocument(reply.code(410), renderGone(deps, gone));
    const owner = await getOwner(deps, request);
    return sendDocument(reply, await renderActor(deps, owner), 180);
  };
  app.get("/api/v1/ap/person/:username", anyone, actor);
  app.get("/api/v1/ap/person/:username/actor", anyone, actor);
  app.get("/api/v0/ap/user/:username/actor", anyone, actor);
  for (const below of ["/api/v1/ap/person", "/api/v0/ap/user"]) {
    for (const direction of ["followers", "following"] as const)
      app.get(`${below}/:username/${direction}`, anyone, (request, reply) =>
        sendContacts(deps, request, reply, direction),
      );
    app.get(`${below}/:username/outbox`, viewer, (request, reply) =>
      sendOutbox(deps, request, reply),
    );
  }
}

/** Somebody who was here and has left: other servers forget only those who are surely gone. */
async function findLeaver(
  { people, handleHost }: ActorRoutesDeps,
  request: FastifyRequest,
): Promise<Person | undefined> {
  const handle = formatHandle({ name: usernameIn(request), host: handleHost });
  const person = await people.find({ handle });
  return person?.state === "closed" ? person : undefined;
}

function renderGone({ uris }: ActorRoutesDeps, person: Person): JsonObject {
  return buildTombstone({
    id: uris.actor(usernameOf(person)),
    formerType: "Person",
    deleted: person.updatedAt,
  });
}

function usernameIn(request: FastifyRequest): string {
  const { username } = request.params as { username: string };
  return username.toLowerCase();
}

async function getOwner(
  deps: ActorRoutesDeps,
  request: FastifyRequest,
): Promise<Person> {
  const owner = await findByUsername(deps, usernameIn(request));
  if (!owner) throw new KithError("not_found", "No such user");
  return owner;
}

async function renderInstance({
  accounts,
  uris,
}: ActorRoutesDeps): Promise<JsonObject> {
  const { publicPem } = await accounts.getServerKey();
  return buildActor({
    id: uris.instance,
    type: "Application",
    preferredUsername: new URL(uris.baseUrl).hostname,
    url: `${uris.baseUrl}/`,
    inbox: uris.sharedInbox,
    publicKey: { id: uris.instanceKey, pem: publicPem },
    manuallyApprovesFollowers: true,
  });
}

type ListItems = (page: Page) => Promise<(string | JsonObject)[]>;

/** A collection, or the page of it that is asked for. */
async function sendCollection(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  totalItems: number,
  list: ListItems,
): Promise<FastifyReply> {
  const { page } = readInput(PAGE_INPUT, request.parameters);
  if (page === undefined)
    return sendDocument(
      reply,
      buildCollection({
        id,
        type: "OrderedCollection",
        totalItems,
        first: `${id}?page=1`,
      }),
    );
  const items = await list({
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  });
  return sendDocument(
    reply,
    buildCollectionPage({
      id: `${id}?page=${page}`,
      partOf: id,
      items,
      totalItems,
      ...(items.length < PAGE_SIZE ? {} : { next: `${id}?page=${page + 1}` }),
      ...(page > 1 ? { prev: `${id}?page=${page - 1}` } : {}),
    }),
  );
}

async function sendContacts(
  deps: ActorRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  direction: Direction,
): Promise<FastifyReply> {
  const { contacts, people, uris } = deps;
  const owner = await getOwner(deps, request);
  if (owner.userId === null) throw new KithError("not_found", "No such user");
  const { userId } = owner;
  const id = `${uris.actor(usernameOf(owner))}/${direction}`;
  const total = await contacts.count(userId, direction);
  return sendCollection(request, reply, id, total, async (page) => {
    const ids = await contacts.list(userId, direction, page);
    const found = await people.listById(ids);
    return ids.flatMap((personId) => {
      const person = found.get(personId);
      return (person && uris.ofPerson(person)) ?? [];
    });
  });
}

/** Anonymous: the public part. With the owner's token: everything. Anybody else's token is refused. */
async function sendOutbox(
  deps: ActorRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { posts, uris } = deps;
  const owner = await getOwner(deps, request);
  const viewer = await findOutboxViewer(deps, request, owner);
  const id = `${uris.actor(usernameOf(owner))}/outbox`;
  const total = await posts.countPublicOf(owner.id);
  return sendCollection(request, reply, id, total, async (page) => {
    const found = await posts.listOf(owner.id, viewer, page);
    const activities: JsonObject[] = [];
    for (const post of found) {
      const activity = await renderActivityOf(deps, post, owner);
      if (activity) activities.push(activity);
    }
    return activities;
  });
}

async function findOutboxViewer(
  { accounts }: ActorRoutesDeps,
  request: FastifyRequest,
  owner: Person,
): Promise<Viewer> {
  const token = readHeaderToken(request);
  if (token === undefined) return null;
  const user = await accounts.authenticate(token);
  if (!user) throw new KithError("unauthorized", "No user for this token");
  if (user.personId !== owner.id)
    throw new KithError("not_owner_of_outbox", "Another user's outbox");
  return user;
}

import {
  buildActor,
  buildCollection,
  buildTombstone,
  type JsonObject,
} from "@kith/activitypub";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { Db } from "../../../db/db.ts";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Contacts, Direction } from "../../../features/contacts/index.ts";
import {
  usernameOf,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import type { Pins } from "../../../features/pins/index.ts";
import { formatHandle } from "../../../lib/handle.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import {
  loadProfile,
  type LoadProfileDeps,
} from "../../outbound/load/load-profile.ts";
import { findByUsername } from "../records/find-local.ts";
import type { Uris } from "../records/uris.ts";
import { reduceActor, renderActor } from "../render/render-actor.ts";
import {
  sendCollection,
  sendDocument,
  type Listing,
} from "../sending/send-document.ts";
import { originOf } from "../authority/origins.ts";
import { listFollowerUris } from "../sending/follower-queries.ts";
import { listFollowersOn } from "../sending/followers-on.ts";
import { contextOf } from "../documents/show-post.ts";
import {
  findViewer,
  mayReadActor,
  type ViewerDeps,
} from "../documents/viewer.ts";

type ShowActorDeps = LoadProfileDeps &
  ViewerDeps & {
    readonly clock: Clock;
    readonly handleHost: string;
    readonly people: People;
    readonly uris: Uris;
  };

export type ActorRoutesDeps = ShowActorDeps & {
  readonly db: Pick<Db, "read">;
  readonly accounts: Accounts;
  readonly contacts: Contacts;
  readonly pins: Pick<Pins, "listOf">;
};

/** The prefixes of an actor's URLs: the current one, and the older ones. */
export const ACTOR_PATHS = [
  "/api/v1/ap/person/:username",
  "/api/v0/ap/user/:username",
] as const;

/** Serves actors and their collections, under both versions of their URLs. */
export function registerActors(
  app: FastifyInstance,
  deps: ActorRoutesDeps,
): void {
  const anyone = {
    config: { access: "anyone", limit: "read", mayBeOld: true },
  } as const;
  const viewer = {
    config: { access: "viewer", limit: "read", mayBeOld: true },
  } as const;
  app.get("/api/v1/ap/instance", anyone, async (_request, reply) =>
    sendDocument(reply, await renderInstance(deps), 180),
  );
  const actor = async (request: FastifyRequest, reply: FastifyReply) => {
    const gone = await findAway(deps, request);
    // A suspended actor is served as such, with its keys.
    if (gone?.state === "shut_out")
      return sendActor(deps, request, reply, gone);
    // A moved actor still says where to.
    if (gone?.movedToId != null) return sendActor(deps, request, reply, gone);
    if (gone) return sendDocument(reply.code(410), renderGone(deps, gone));
    const owner = await getOwner(deps, request);
    return sendActor(deps, request, reply, owner);
  };
  app.get("/api/v1/ap/person/:username", anyone, actor);
  app.get(
    "/api/v1/ap/person/:username/followers_synchronization",
    // The other server forgets the followers that are missing.
    { config: { ...viewer.config, mayBeOld: false } },
    async (request, reply) => {
      const asking = await findViewer(deps, request);
      const owner = await getOwner(deps, request);
      return sendDocument(reply, await renderFollowersOf(deps, owner, asking));
    },
  );
  for (const below of ACTOR_PATHS) {
    app.get(`${below}/actor`, anyone, actor);
    app.get(`${below}/featured`, viewer, async (request, reply) => {
      const owner = await getOwner(deps, request);
      const asking = await findViewer(deps, request);
      return sendDocument(reply, await renderFeatured(deps, owner, asking));
    });
    for (const direction of ["followers", "following"] as const)
      app.get(`${below}/${direction}`, viewer, async (request, reply) =>
        sendCollection(
          request,
          reply,
          await describeContacts(deps, request, direction),
        ),
      );
  }
}

/**
 * Lists the followers on the requesting server, whichever of its actors signed: no other server
 * learns of them (FEP-8fcf).
 * @throws {KithError} `not_found` for a requester that represents no other server
 */
async function renderFollowersOf(
  { db, people, uris }: ActorRoutesDeps,
  owner: Person,
  asking: Viewer,
): Promise<JsonObject> {
  const signer =
    asking?.userId === null ? await people.find({ id: asking.personId }) : null;
  const uri = signer?.addresses.actorUri ?? null;
  if (uri === null || owner.userId === null)
    throw new KithError("not_found", "No server that asks.");
  const followers = await listFollowerUris(db.read, owner.userId);
  const items = listFollowersOn(followers, originOf(uri));
  const id = `${uris.actor(usernameOf(owner))}/followers_synchronization`;
  return {
    ...buildCollection({
      id,
      type: "OrderedCollection",
      totalItems: items.length,
    }),
    orderedItems: items,
  };
}

/** Sends an actor, as far as the requester may see it. */
export async function sendActor(
  deps: ShowActorDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person,
): Promise<FastifyReply> {
  const content = await loadProfile(deps, person);
  const actor = renderActor(contextOf(deps), person, content);
  const isWhole = await mayReadActor(deps, request);
  return sendDocument(reply, isWhole ? actor : reduceActor(actor), 180);
}

/** Lists the pinned posts that are public; limited ones are pinned here alone. */
async function renderFeatured(
  { pins, uris }: ActorRoutesDeps,
  owner: Person,
  asking: Viewer,
): Promise<JsonObject> {
  const pinned = await pins.listOf(owner.id, asking);
  const items = pinned
    .filter((post) => post.public)
    .map(({ guid }) => uris.object(guid));
  return {
    ...buildCollection({
      id: uris.featured(usernameOf(owner)),
      type: "OrderedCollection",
      totalItems: items.length,
    }),
    orderedItems: items,
  };
}

/**
 * A former or suspended local person: other servers delete or hide only accounts that certainly
 * existed.
 */
async function findAway(
  { people, handleHost }: ActorRoutesDeps,
  request: FastifyRequest,
): Promise<Person | undefined> {
  const handle = formatHandle({ name: usernameIn(request), host: handleHost });
  const person = await people.find({ handle });
  return person && person.state !== "active" ? person : undefined;
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

/** The local person of a path. @throws {KithError} `not_found` */
export async function getOwner(
  deps: Pick<ShowActorDeps, "people" | "handleHost">,
  request: FastifyRequest,
): Promise<Person> {
  const owner = await findByUsername(deps, usernameIn(request));
  if (!owner) throw new KithError("not_found", "No such user.");
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

/** Contacts are private: others get the number only. */
async function describeContacts(
  deps: ActorRoutesDeps,
  request: FastifyRequest,
  direction: Direction,
): Promise<Listing> {
  const { contacts, people, uris } = deps;
  const owner = await getOwner(deps, request);
  if (owner.userId === null) throw new KithError("not_found", "No such user.");
  const { userId } = owner;
  const viewer = await findViewer(deps, request);
  const id = `${uris.actor(usernameOf(owner))}/${direction}`;
  const totalItems = await contacts.count(userId, direction);
  if (viewer?.personId !== owner.id) return { id, totalItems };
  const list: Listing["list"] = async (page) => {
    const ids = await contacts.list(userId, direction, page);
    const found = await people.listById(ids);
    return ids.flatMap((personId) => {
      const person = found.get(personId);
      // People on diaspora* alone have no id here, but are counted.
      return (person && uris.ofPerson(person)) ?? [];
    });
  };
  return { id, totalItems, list };
}

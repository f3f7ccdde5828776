import type { FastifyInstance } from "fastify";
import type { Federation } from "../federation.ts";
import { registerActors } from "../../federation/activitypub/http/actor-routes.ts";
import { registerObjectCollections } from "../../federation/activitypub/http/collection-routes.ts";
import { registerInboxReading } from "../../federation/activitypub/http/inbox-read-routes.ts";
import { registerInboxes } from "../../federation/activitypub/http/inbox-routes.ts";
import {
  createPageNegotiation,
  registerObjects,
} from "../../federation/activitypub/http/object-routes.ts";
import { registerOutboxes } from "../../federation/activitypub/http/outbox-routes.ts";
import { registerDiasporaRoutes } from "../../federation/diaspora/http/receive-routes.ts";
import { registerNodeInfo } from "../../federation/discovery/nodeinfo-routes.ts";
import { registerWebfinger } from "../../federation/discovery/webfinger-routes.ts";

/** Registers the routes of the enabled protocols. */
export function registerFederation(
  app: FastifyInstance,
  federation: Federation,
): void {
  const { config, shared, version, activityPub, diaspora } = federation;
  const { protocols } = config;
  registerWebfinger(app, { ...shared, protocols });
  registerNodeInfo(app, {
    ...shared,
    version,
    protocols,
    serverProfile: shared.serverProfile,
  });
  if (protocols.activitypub) {
    registerActors(app, activityPub);
    registerInboxes(app, activityPub);
    registerInboxReading(app, activityPub);
    registerOutboxes(app, activityPub);
    registerObjects(app, activityPub);
    registerObjectCollections(app, activityPub);
  }
  if (protocols.diaspora) registerDiasporaRoutes(app, diaspora);
}

/** How pages answer clients that ask for the object itself. */
export function negotiationOf({ config, activityPub }: Federation) {
  return config.protocols.activitypub
    ? { activityPub: createPageNegotiation(activityPub) }
    : {};
}

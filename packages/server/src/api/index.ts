import type { FastifyInstance } from "fastify";
import type { Accounts } from "../features/accounts/index.ts";
import { aspectsRoutes, type AspectsRoutesDeps } from "./aspects-routes.ts";
import { commentsRoutes } from "./comments-routes.ts";
import { likesRoutes } from "./likes-routes.ts";
import {
  notificationsRoutes,
  type NotificationsRoutesDeps,
} from "./notifications-routes.ts";
import { peopleRoutes, type PeopleRoutesDeps } from "./people-routes.ts";
import { postsRoutes } from "./posts-routes.ts";
import type { ApiDocument } from "../http/api-document.ts";
import { describeApi, DOCUMENT_ROUTE } from "./openapi.ts";
import { registerApiRoutes, type DescribedRoute } from "./route.ts";
import {
  registerTokenCreation,
  TOKEN_CREATION,
  tokensRoutes,
} from "./tokens-routes.ts";

export type ApiDeps = PeopleRoutesDeps &
  AspectsRoutesDeps &
  NotificationsRoutesDeps & {
    readonly accounts: Accounts;
    /** Such as `v0`. */
    readonly version: string;
  };

/** Routes that read their request or write their answer themselves. */
const ROUTES_OF_THEIR_OWN: readonly (DescribedRoute & {
  readonly access: "anyone" | "token";
})[] = [
  { ...TOKEN_CREATION, access: "anyone" },
  { ...DOCUMENT_ROUTE, access: "anyone" },
];

/**
 * Serves the service API below `/api/<version>`.
 * @returns what it says of itself
 */
export function registerApi(app: FastifyInstance, deps: ApiDeps): ApiDocument {
  const { version, baseUrl } = deps;
  const prefix = `/api/${version}`;
  const routes = [
    ...tokensRoutes(deps.accounts),
    ...peopleRoutes(deps),
    ...aspectsRoutes(deps),
    ...postsRoutes(deps),
    ...commentsRoutes(deps),
    ...likesRoutes(deps),
    ...notificationsRoutes(deps),
  ];
  registerTokenCreation(app, prefix, deps.accounts);
  registerApiRoutes(app, prefix, deps.accounts.authenticate, routes);
  const others = ROUTES_OF_THEIR_OWN;
  const document = describeApi({ baseUrl, version, routes, others });
  serveDocument(app, prefix, document);
  return document;
}

function serveDocument(
  app: FastifyInstance,
  prefix: string,
  document: ApiDocument,
): void {
  const text = JSON.stringify(document);
  app.get(
    prefix + DOCUMENT_ROUTE.path,
    { config: { access: "anyone" } },
    async (_request, reply) =>
      reply.type("application/json; charset=utf-8").send(text),
  );
}

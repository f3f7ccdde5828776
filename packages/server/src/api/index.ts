import type { FastifyInstance } from "fastify";
import { aspectsRoutes, type AspectsRoutesDeps } from "./aspects-routes.ts";
import { blocksRoutes, type BlocksRoutesDeps } from "./blocks-routes.ts";
import { commentsRoutes } from "./comments-routes.ts";
import { registerExport, type ExportRouteDeps } from "./export-route.ts";
import { likesRoutes } from "./likes-routes.ts";
import {
  notificationsRoutes,
  type NotificationsRoutesDeps,
} from "./notifications-routes.ts";
import { peopleRoutes, type PeopleRoutesDeps } from "./people-routes.ts";
import { postsRoutes } from "./posts-routes.ts";
import { registerApiRoutes } from "./route.ts";
import { usersRoutes, type UsersRoutesDeps } from "./users-routes.ts";
import { registerTokenCreation, tokensRoutes } from "./tokens-routes.ts";

export type ApiDeps = PeopleRoutesDeps &
  AspectsRoutesDeps &
  BlocksRoutesDeps &
  NotificationsRoutesDeps &
  ExportRouteDeps &
  UsersRoutesDeps & {
    /** Such as `v0`. */
    readonly version: string;
  };

/** Serves the service API below `/api/<version>`. */
export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  const prefix = `/api/${deps.version}`;
  registerTokenCreation(app, prefix, deps.accounts);
  registerExport(app, prefix, deps.accounts.authenticate, deps);
  registerApiRoutes(app, prefix, deps.accounts.authenticate, [
    ...tokensRoutes(deps.accounts),
    ...peopleRoutes(deps),
    ...aspectsRoutes(deps),
    ...blocksRoutes(deps),
    ...postsRoutes(deps),
    ...commentsRoutes(deps),
    ...likesRoutes(deps),
    ...notificationsRoutes(deps),
    ...usersRoutes(deps),
  ]);
}

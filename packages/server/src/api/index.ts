import type { FastifyInstance } from "fastify";
import { aspectsRoutes, type AspectsRoutesDeps } from "./aspects-routes.ts";
import { blocksRoutes, type BlocksRoutesDeps } from "./blocks-routes.ts";
import {
  calendarsRoutes,
  type CalendarsRoutesDeps,
} from "./calendars-routes.ts";
import { commentsRoutes } from "./comments-routes.ts";
import { eventsRoutes, type EventsRoutesDeps } from "./events-routes.ts";
import { registerExport, type ExportRouteDeps } from "./export-route.ts";
import { likesRoutes } from "./likes-routes.ts";
import {
  notificationsRoutes,
  type NotificationsRoutesDeps,
} from "./notifications-routes.ts";
import { photosRoutes } from "./photos-routes.ts";
import { peopleRoutes, type PeopleRoutesDeps } from "./people-routes.ts";
import { pollsRoutes } from "./polls-routes.ts";
import { postsRoutes } from "./posts-routes.ts";
import { registerApiRoutes } from "./route.ts";
import { settingsRoutes } from "./settings-routes.ts";
import {
  streamsRoutes,
  tagsRoutes,
  type StreamsRoutesDeps,
} from "./streams-routes.ts";
import { usersRoutes, type UsersRoutesDeps } from "./users-routes.ts";
import { registerTokenCreation, tokensRoutes } from "./tokens-routes.ts";

export type ApiDeps = PeopleRoutesDeps &
  AspectsRoutesDeps &
  BlocksRoutesDeps &
  CalendarsRoutesDeps &
  EventsRoutesDeps &
  StreamsRoutesDeps &
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
    ...pollsRoutes(deps),
    ...streamsRoutes(deps),
    ...tagsRoutes(deps),
    ...photosRoutes(deps.photos),
    ...commentsRoutes(deps),
    ...likesRoutes(deps),
    ...calendarsRoutes(deps),
    ...eventsRoutes(deps),
    ...notificationsRoutes(deps),
    ...settingsRoutes(deps),
    ...usersRoutes(deps),
  ]);
}

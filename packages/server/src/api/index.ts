import type { FastifyInstance } from "fastify";
import type { Accounts } from "../features/accounts/index.ts";
import { aspectsRoutes, type AspectsRoutesDeps } from "./aspects-routes.ts";
import {
  calendarsRoutes,
  type CalendarsRoutesDeps,
} from "./calendars-routes.ts";
import { commentsRoutes } from "./comments-routes.ts";
import { eventsRoutes, type EventsRoutesDeps } from "./events-routes.ts";
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
import { registerTokenCreation, tokensRoutes } from "./tokens-routes.ts";

export type ApiDeps = PeopleRoutesDeps &
  AspectsRoutesDeps &
  CalendarsRoutesDeps &
  EventsRoutesDeps &
  StreamsRoutesDeps &
  NotificationsRoutesDeps & {
    readonly accounts: Accounts;
    /** Such as `v0`. */
    readonly version: string;
  };

/** Serves the service API below `/api/<version>`. */
export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  const prefix = `/api/${deps.version}`;
  registerTokenCreation(app, prefix, deps.accounts);
  registerApiRoutes(app, prefix, deps.accounts.authenticate, [
    ...tokensRoutes(deps.accounts),
    ...peopleRoutes(deps),
    ...aspectsRoutes(deps),
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
  ]);
}

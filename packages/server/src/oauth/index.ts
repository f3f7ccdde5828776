import type { FastifyInstance } from "fastify";
import { answerOauthErrors } from "./answer-errors.ts";
import { appRoutes, type AppRoutesDeps } from "./app-routes.ts";
import { metadataRoute } from "./metadata-route.ts";
import { tokenRoutes } from "./token-routes.ts";
import { userinfoRoutes, type UserinfoDeps } from "./userinfo-routes.ts";

/** Serves the part of OAuth that programs call; people answer it on pages. */
export function registerOauth(
  app: FastifyInstance,
  deps: AppRoutesDeps & UserinfoDeps,
): void {
  void app.register(async (scope) => {
    answerOauthErrors(scope);
    tokenRoutes(scope, deps);
    appRoutes(scope, deps);
    userinfoRoutes(scope, deps);
  });
  metadataRoute(app, deps);
}

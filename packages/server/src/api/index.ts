import type { FastifyInstance } from "fastify";
import {
  adminAccountsRoutes,
  type AdminAccountsDeps,
} from "./routes/admin/admin-accounts-routes.ts";
import { hostListsRoutes } from "./routes/admin/host-lists-routes.ts";
import { bansRoutes, type BansRoutesDeps } from "./routes/admin/bans-routes.ts";
import {
  heldTextsRoutes,
  type HeldTextsRoutesDeps,
} from "./routes/admin/held-texts-routes.ts";
import { spamRoutes, type SpamRoutesDeps } from "./routes/admin/spam-routes.ts";
import {
  adminHostsRoutes,
  type AdminHostsDeps,
} from "./routes/admin/admin-hosts-routes.ts";
import {
  adminOverviewRoutes,
  type AdminOverviewDeps,
} from "./routes/admin/admin-overview-routes.ts";
import {
  adminPeopleRoutes,
  type AdminPeopleRoutesDeps,
} from "./routes/admin/admin-people-routes.ts";
import {
  adminReportsRoutes,
  type AdminReportsRoutesDeps,
} from "./routes/admin/admin-reports-routes.ts";
import {
  appealsRoutes,
  type AppealsRoutesDeps,
} from "./routes/admin/appeals-routes.ts";
import {
  strikesRoutes,
  type StrikesRoutesDeps,
} from "./routes/account/strikes-routes.ts";
import {
  reportsRoutes,
  type ReportsRoutesDeps,
} from "./routes/posts/reports-routes.ts";
import {
  adminQueueRoutes,
  type AdminQueueDeps,
} from "./routes/admin/admin-queue-routes.ts";
import { appPasswordsRoutes } from "./routes/account/app-passwords-routes.ts";
import {
  aspectsRoutes,
  type AspectsRoutesDeps,
} from "./routes/people/aspects-routes.ts";
import {
  blocksRoutes,
  type BlocksRoutesDeps,
} from "./routes/people/blocks-routes.ts";
import {
  followChoicesRoutes,
  type FollowChoicesRoutesDeps,
} from "./routes/people/follow-choices-routes.ts";
import {
  followRequestsRoutes,
  type FollowRequestsRoutesDeps,
} from "./routes/people/follow-requests-routes.ts";
import {
  addressesRoutes,
  type AddressesRoutesDeps,
} from "./routes/calendars/addresses-routes.ts";
import {
  calendarsRoutes,
  type CalendarsRoutesDeps,
} from "./routes/calendars/calendars-routes.ts";
import {
  remindersRoutes,
  type RemindersRoutesDeps,
} from "./routes/calendars/reminders-routes.ts";
import {
  subscribedCalendarsRoutes,
  type SubscribedCalendarsRoutesDeps,
} from "./routes/calendars/subscribed-calendars-routes.ts";
import { sharesRoutes } from "./routes/calendars/shares-routes.ts";
import { guestsRoutes } from "./routes/calendars/guests-routes.ts";
import { importRoute } from "./routes/calendars/import-route.ts";
import {
  conversationsRoutes,
  type ConversationsRoutesDeps,
} from "./routes/conversations/conversations-routes.ts";
import {
  filtersRoutes,
  type FiltersRoutesDeps,
} from "./routes/account/filters-routes.ts";
import {
  draftsRoutes,
  type DraftsRoutesDeps,
} from "./routes/posts/drafts-routes.ts";
import {
  hostBlocksRoutes,
  type HostBlocksRoutesDeps,
} from "./routes/people/host-blocks-routes.ts";
import {
  serverRoutes,
  type ServerRoutesDeps,
} from "./routes/admin/server-routes.ts";
import { bookmarksRoutes } from "./routes/posts/bookmarks-routes.ts";
import {
  pinsRoutes,
  type PinsRoutesDeps,
} from "./routes/people/pins-routes.ts";
import { commentsRoutes } from "./routes/posts/comments-routes.ts";
import {
  deliveriesRoutes,
  type DeliveriesRoutesDeps,
} from "./routes/posts/deliveries-routes.ts";
import {
  editsRoutes,
  type EditsRoutesDeps,
} from "./routes/posts/edits-routes.ts";
import {
  eventsRoutes,
  type EventsRoutesDeps,
} from "./routes/calendars/events-routes.ts";
import {
  EXPORT_ROUTE,
  registerExport,
  type ExportRouteDeps,
} from "./routes/account/export-route.ts";
import {
  importsRoutes,
  registerImportUpload,
  UPLOAD_ROUTE,
  type ImportsRoutesDeps,
} from "./routes/account/imports-routes.ts";
import {
  historyRoutes,
  type HistoryRoutesDeps,
} from "./routes/posts/history-routes.ts";
import {
  CHANGES_ROUTE,
  registerChanges,
  type ChangesRouteDeps,
} from "./routes/changes/changes-route.ts";
import type { WriteWatch } from "../features/freshness/index.ts";
import { createResponseCache } from "./kit/response-cache.ts";
import {
  announcementsRoutes,
  type AnnouncementsRoutesDeps,
} from "./routes/account/announcements-routes.ts";
import {
  invitationsRoutes,
  type InvitationsRoutesDeps,
} from "./routes/account/invitations-routes.ts";
import { homeRoutes, type HomeRoutesDeps } from "./routes/posts/home-routes.ts";
import { likesRoutes, reactionsRoutes } from "./routes/posts/likes-routes.ts";
import {
  movingRoutes,
  type MovingRoutesDeps,
} from "./routes/account/moving-routes.ts";
import {
  notificationsRoutes,
  type NotificationsRoutesDeps,
} from "./routes/people/notifications-routes.ts";
import { notificationGroupsRoutes } from "./routes/people/notification-groups-routes.ts";
import { photosRoutes } from "./routes/posts/photos-routes.ts";
import {
  peopleRoutes,
  type PeopleRoutesDeps,
} from "./routes/people/people-routes.ts";
import { pollsRoutes } from "./routes/posts/polls-routes.ts";
import {
  audienceRoutes,
  type AudienceRoutesDeps,
} from "./routes/posts/audience-routes.ts";
import { postsRoutes } from "./routes/posts/posts-routes.ts";
import type { ApiDocument } from "../http/api-document.ts";
import { once } from "../lib/once.ts";
import { compileParameters } from "../http/input/parameter.ts";
import type { Oauth } from "../features/oauth/index.ts";
import { describeApi, DOCUMENT_ROUTE } from "./openapi/openapi.ts";
import { registerApiRoutes, type DescribedRoute } from "./kit/route.ts";
import {
  registerTokenCreation,
  TOKEN_CREATION,
  tokensRoutes,
  type TokenCreationDeps,
} from "./routes/account/tokens-routes.ts";
import {
  settingsRoutes,
  type SettingsRoutesDeps,
} from "./routes/account/settings-routes.ts";
import {
  searchRoutes,
  type SearchRoutesDeps,
} from "./routes/people/search-routes.ts";
import {
  streamsRoutes,
  tagsRoutes,
  type StreamsRoutesDeps,
} from "./routes/posts/streams-routes.ts";
import { threadsRoutes } from "./routes/posts/threads-routes.ts";
import {
  usersRoutes,
  type UsersRoutesDeps,
} from "./routes/account/users-routes.ts";

export type ApiDeps = PeopleRoutesDeps &
  AspectsRoutesDeps &
  BlocksRoutesDeps &
  HostBlocksRoutesDeps &
  FollowRequestsRoutesDeps &
  FollowChoicesRoutesDeps &
  ServerRoutesDeps &
  CalendarsRoutesDeps &
  AddressesRoutesDeps &
  DraftsRoutesDeps &
  FiltersRoutesDeps &
  EventsRoutesDeps &
  SearchRoutesDeps &
  StreamsRoutesDeps &
  HomeRoutesDeps &
  PinsRoutesDeps &
  NotificationsRoutesDeps &
  ConversationsRoutesDeps &
  ExportRouteDeps &
  ImportsRoutesDeps &
  ChangesRouteDeps &
  DeliveriesRoutesDeps &
  EditsRoutesDeps &
  HistoryRoutesDeps &
  UsersRoutesDeps &
  AnnouncementsRoutesDeps &
  RemindersRoutesDeps &
  SubscribedCalendarsRoutesDeps &
  InvitationsRoutesDeps &
  AdminOverviewDeps &
  AdminAccountsDeps &
  AdminHostsDeps &
  BansRoutesDeps &
  SpamRoutesDeps &
  HeldTextsRoutesDeps &
  AdminQueueDeps &
  AdminPeopleRoutesDeps &
  AdminReportsRoutesDeps &
  AppealsRoutesDeps &
  StrikesRoutesDeps &
  ReportsRoutesDeps &
  MovingRoutesDeps &
  AudienceRoutesDeps &
  TokenCreationDeps &
  SettingsRoutesDeps & {
    readonly writeWatch: WriteWatch;
    readonly oauth: Pick<Oauth, "authenticate">;
    /** Such as `v0`. */
    readonly version: string;
  };

/** Routes that read the request or write the response themselves. */
const ROUTES_OF_THEIR_OWN: readonly (DescribedRoute & {
  readonly access: "anyone" | "token";
})[] = [
  { ...TOKEN_CREATION, access: "anyone" },
  { ...DOCUMENT_ROUTE, access: "anyone" },
  { ...EXPORT_ROUTE, access: "token" },
  { ...UPLOAD_ROUTE, access: "token" },
  { ...CHANGES_ROUTE, access: "token" },
];

/**
 * Serves the service API below `/api/<version>`.
 * @returns a function that gives its OpenAPI document
 */
export function registerApi(
  app: FastifyInstance,
  deps: ApiDeps,
): () => ApiDocument {
  const { version, baseUrl } = deps;
  const prefix = `/api/${version}`;
  const routes = [
    ...tokensRoutes(deps.accounts),
    ...appPasswordsRoutes(deps.accounts),
    ...peopleRoutes(deps),
    ...searchRoutes(deps),
    ...aspectsRoutes(deps),
    ...blocksRoutes(deps),
    ...hostBlocksRoutes(deps),
    ...followRequestsRoutes(deps),
    ...followChoicesRoutes(deps),
    ...serverRoutes(deps),
    ...postsRoutes(deps),
    ...audienceRoutes(deps),
    ...bookmarksRoutes(deps),
    ...pinsRoutes(deps),
    ...draftsRoutes(deps),
    ...filtersRoutes(deps),
    ...pollsRoutes(deps),
    ...homeRoutes(deps),
    ...streamsRoutes(deps),
    ...tagsRoutes(deps),
    ...photosRoutes(deps.photos),
    ...commentsRoutes(deps),
    ...editsRoutes(deps),
    ...threadsRoutes(deps),
    ...historyRoutes(deps),
    ...deliveriesRoutes(deps),
    ...likesRoutes(deps),
    ...reactionsRoutes(deps),
    ...calendarsRoutes(deps),
    ...addressesRoutes(deps),
    ...sharesRoutes(deps),
    ...remindersRoutes(deps),
    ...subscribedCalendarsRoutes(deps),
    importRoute(deps.events),
    ...eventsRoutes(deps),
    ...guestsRoutes(deps),
    ...notificationGroupsRoutes(deps),
    ...notificationsRoutes(deps),
    ...conversationsRoutes(deps),
    ...settingsRoutes(deps),
    ...usersRoutes(deps),
    ...movingRoutes(deps),
    ...importsRoutes(deps),
    ...reportsRoutes(deps),
    ...strikesRoutes(deps),
    ...announcementsRoutes(deps),
    ...invitationsRoutes(deps),
    ...adminOverviewRoutes(deps),
    ...adminAccountsRoutes(deps),
    ...adminHostsRoutes(deps),
    ...bansRoutes(deps),
    ...spamRoutes(deps),
    ...heldTextsRoutes(deps),
    ...hostListsRoutes(deps),
    ...adminQueueRoutes(deps),
    ...adminPeopleRoutes(deps),
    ...adminReportsRoutes(deps),
    ...appealsRoutes(deps),
  ];
  registerTokenCreation(app, prefix, deps);
  const { authenticate } = deps.oauth;
  registerExport(app, prefix, authenticate, deps);
  registerImportUpload(app, prefix, authenticate, deps);
  registerChanges(app, prefix, authenticate, deps);
  registerApiRoutes(
    app,
    prefix,
    authenticate,
    routes,
    createResponseCache(deps.writeWatch),
  );
  const others = ROUTES_OF_THEIR_OWN;
  // The document promises only enforced keywords: otherwise the server does not start.
  for (const { input } of [...routes, ...others]) compileParameters(input);
  // A start need not wait for it.
  const document = once(() =>
    describeApi({ baseUrl, version, routes, others }),
  );
  serveDocument(app, prefix, document);
  return document;
}

function serveDocument(
  app: FastifyInstance,
  prefix: string,
  document: () => ApiDocument,
): void {
  const text = once(() => JSON.stringify(document()));
  app.get(
    prefix + DOCUMENT_ROUTE.path,
    { config: { access: "anyone", limit: DOCUMENT_ROUTE.limit } },
    async (_request, reply) =>
      reply
        .header("cache-control", "public, max-age=300")
        .type("application/json; charset=utf-8")
        .send(text()),
  );
}

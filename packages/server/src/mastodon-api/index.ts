import type { FastifyInstance } from "fastify";
import type { SiteAddresses } from "./entities/site.ts";
import {
  registerMastodonRoutes,
  type CallerDeps,
  type MastodonRoute,
} from "./kit/mastodon-route.ts";
import { createCountAccounts } from "./loading/count-accounts.ts";
import type { MastodonFeatures } from "./loading/deps.ts";
import { accountReadingRoutes } from "./routes/accounts/account-routes.ts";
import {
  instanceRoutes,
  type InstanceDeps,
} from "./routes/instance/instance-routes.ts";
import { announcementRoutes } from "./routes/instance/announcement-routes.ts";
import { endorsementRoutes } from "./routes/accounts/endorsement-routes.ts";
import { featuredTagRoutes } from "./routes/accounts/featured-tag-routes.ts";
import { credentialRoutes } from "./routes/accounts/credential-routes.ts";
import {
  signUpRoutes,
  type SignUpRouteDeps,
} from "./routes/accounts/sign-up-route.ts";
import { ownProfileRoutes } from "./routes/accounts/profile-routes.ts";
import { relationRoutes } from "./routes/accounts/relation-routes.ts";
import { filterStatusRoutes } from "./routes/filters/filter-status-routes.ts";
import { filterRoutes } from "./routes/filters/filter-routes.ts";
import { oldFilterRoutes } from "./routes/filters/old-filter-routes.ts";
import { listRoutes } from "./routes/lists/list-routes.ts";
import { mediaUploadRoutes } from "./routes/media/media-routes.ts";
import { groupedRoutes } from "./routes/notifications/grouped-routes.ts";
import { policyRoutes } from "./routes/notifications/policy-routes.ts";
import { markerRoutes } from "./routes/notifications/marker-routes.ts";
import { notificationListRoutes } from "./routes/notifications/notification-routes.ts";
import { conversationRoutes } from "./routes/people/conversation-routes.ts";
import { directoryRoutes } from "./routes/people/directory-routes.ts";
import { avoidingRoutes } from "./routes/people/distance-routes.ts";
import { reportingRoutes } from "./routes/people/report-routes.ts";
import { searchingRoutes } from "./routes/search/search-routes.ts";
import { adminAccountRoutes } from "./admin/admin-account-routes.ts";
import type { AdminDeps } from "./admin/load-admin-accounts.ts";
import { adminBanRoutes, type AdminBanDeps } from "./admin/admin-ban-routes.ts";
import { adminReportRoutes } from "./admin/admin-report-routes.ts";
import { trendRoutes } from "./routes/trends/trend-routes.ts";
import { tagActRoutes } from "./routes/search/tag-routes.ts";
import { keepingRoutes } from "./routes/statuses/keeping-routes.ts";
import { pollRoutes } from "./routes/statuses/poll-routes.ts";
import { statusActRoutes } from "./routes/statuses/act-routes.ts";
import { quoteRoutes } from "./routes/statuses/quote-routes.ts";
import { statusReadingRoutes } from "./routes/statuses/reading-routes.ts";
import { scheduledRoutes } from "./routes/statuses/schedule-status.ts";
import { statusWritingRoutes } from "./routes/statuses/writing-routes.ts";
import { pushRoutes } from "./push/push-routes.ts";
import type { LiveDeps } from "./streaming/open-live.ts";
import { createRenderPublic } from "./streaming/public-events.ts";
import { registerStreaming } from "./streaming/register-streaming.ts";
import { timelineRoutes } from "./routes/timelines/timeline-routes.ts";

export type MastodonApiDeps = MastodonFeatures &
  Pick<LiveDeps, "changes"> &
  Pick<Parameters<typeof trendRoutes>[0], "trends"> &
  Pick<Parameters<typeof directoryRoutes>[0], "directory"> &
  Pick<Parameters<typeof announcementRoutes>[0], "announcements"> &
  Pick<LiveDeps, "announcements"> &
  Pick<AdminDeps, "administration" | "suspensions"> &
  AdminBanDeps &
  SignUpRouteDeps &
  CallerDeps &
  Pick<InstanceDeps, "hostPolicies" | "statistics"> &
  Omit<SiteAddresses, "baseUrl"> & {
    readonly instance: InstanceDeps["instance"];
    readonly serverProfile: InstanceDeps["serverProfile"];
  };

/**
 * Serves the client API of Mastodon below `/api/v1` and `/api/v2`.
 * @returns its routes
 */
export function registerMastodonApi(
  app: FastifyInstance,
  given: MastodonApiDeps,
): readonly Pick<MastodonRoute, "method" | "path" | "scope">[] {
  const { instance, proxyUrlOf, uris } = given;
  const { baseUrl, host } = instance;
  const deps = {
    ...given,
    ...{ host, baseUrl },
    site: { baseUrl, proxyUrlOf, uris },
    countAccounts: createCountAccounts(given),
  };
  const routes = [
    ...instanceRoutes(deps),
    ...announcementRoutes(deps),
    ...accountReadingRoutes(deps),
    ...statusReadingRoutes(deps),
    ...statusWritingRoutes(deps),
    ...statusActRoutes(deps),
    ...quoteRoutes(deps),
    ...scheduledRoutes(deps),
    ...timelineRoutes(deps),
    ...relationRoutes(deps),
    ...credentialRoutes(deps),
    ...signUpRoutes(deps),
    ...ownProfileRoutes(deps),
    ...featuredTagRoutes(deps),
    ...endorsementRoutes(deps),
    ...avoidingRoutes(deps),
    ...conversationRoutes(deps),
    ...reportingRoutes(deps),
    ...listRoutes(deps),
    ...mediaUploadRoutes(deps),
    ...pollRoutes(deps),
    ...keepingRoutes(deps),
    ...notificationListRoutes(deps),
    ...policyRoutes(deps),
    ...groupedRoutes(deps),
    ...markerRoutes(deps),
    ...pushRoutes(deps),
    ...searchingRoutes(deps),
    ...tagActRoutes(deps),
    ...trendRoutes(deps),
    ...directoryRoutes(deps),
    ...adminAccountRoutes(deps),
    ...adminReportRoutes(deps),
    ...adminBanRoutes(deps),
    ...filterRoutes(deps),
    ...filterStatusRoutes(deps),
    ...oldFilterRoutes(deps),
  ];
  registerMastodonRoutes(app, deps, routes);
  const renderPublic = createRenderPublic(deps);
  registerStreaming(app, { ...deps, renderPublic });
  return routes;
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../lib/errors.ts";
import { adminRoutes } from "./admin/admin-routes.ts";
import { announcementPageRoutes } from "./announcements/announcement-routes.ts";
import { answerRoutes } from "./answers/answer-routes.ts";
import { apiDocsRoutes } from "./api-docs/api-docs-routes.ts";
import { accessRoutes } from "./apps/access-routes.ts";
import { authorizeRoutes } from "./apps/authorize-routes.ts";
import { accountRoutes } from "./sign-in/account-routes.ts";
import { agendaRoutes } from "./calendars/agenda-routes.ts";
import { monthRoutes } from "./calendars/month-routes.ts";
import { eventFormRoutes } from "./calendars/event-form-routes.ts";
import { eventRoutes } from "./calendars/event-routes.ts";
import { guestRoutes } from "./events/guest-routes.ts";
import { reminderRoutes } from "./events/reminder-routes.ts";
import { calendarFileRoutes } from "./calendars/calendar-file-routes.ts";
import { assetRoutes } from "./kit/assets.ts";
import type { PagesDeps } from "./kit/deps.ts";
import { sendError } from "./error-page.ts";
import { bookmarkRoutes } from "./bookmarks/bookmark-routes.ts";
import { distanceRoutes } from "./people/distance-routes.ts";
import { feedRoutes } from "./feeds/feed-routes.ts";
import { cardRoutes } from "./embeds/card-routes.ts";
import { embedRoutes } from "./embeds/embed-routes.ts";
import { shareRoutes } from "./feeds/share-routes.ts";
import { filterPageRoutes } from "./filters/filter-routes.ts";
import { hostBlockRoutes } from "./people/host-block-routes.ts";
import { invitationRoutes } from "./invitations/invitation-routes.ts";
import { knowReader, knowReaders } from "./languages/reader.ts";
import { privacyRoutes } from "./settings/privacy-routes.ts";
import { profileRoutes } from "./settings/profile-routes.ts";
import { ownSettingsRoutes } from "./settings/settings-routes.ts";
import { landingRoutes } from "./landing-routes.ts";
import { interactionRoutes } from "./search/interaction-routes.ts";
import { linkRoutes } from "./links/link-routes.ts";
import { mediaRoutes } from "./media/media-routes.ts";
import { allowMediaHosts } from "./media/allow-media-hosts.ts";
import { proxyPicturesOfPages } from "./media/proxied-pictures.ts";
import { proxyRoutes } from "./media/proxy-routes.ts";
import { mailLinkRoutes } from "./mails/mail-link-routes.ts";
import { mailSettingsRoutes } from "./mails/mail-settings-routes.ts";
import { resetRoutes } from "./mails/reset-routes.ts";
import { messageRoutes } from "./messages/message-routes.ts";
import { notificationChoicesRoutes } from "./notifications/choices-routes.ts";
import { notificationRoutes } from "./notifications/notification-routes.ts";
import { aspectRoutes } from "./aspects/aspect-routes.ts";
import { peoplePageRoutes } from "./people/people-routes.ts";
import { contactRoutes } from "./people/contact-routes.ts";
import { movingPageRoutes } from "./own-account/moving-routes.ts";
import { ownAccountRoutes } from "./own-account/own-account-routes.ts";
import { subscribedEventRoutes } from "./own-calendars/subscribed-event-routes.ts";
import { ownCalendarRoutes } from "./own-calendars/calendar-routes.ts";
import { personRoutes } from "./people/person-routes.ts";
import { requestRoutes } from "./people/request-routes.ts";
import { postRoutes } from "./posts/post-routes.ts";
import { reportRoutes } from "./posts/report-routes.ts";
import { isFromElsewhere } from "./session/same-site.ts";
import { wellKnownRoutes } from "./about/well-known-routes.ts";
import { lookRoutes } from "./about/look-routes.ts";
import { aboutRoutes } from "./about/about-routes.ts";
import { offlineRoutes } from "./offline/offline-routes.ts";
import { ownPhotoRoutes } from "./photos/own-photo-routes.ts";
import { setupRoutes } from "./setup/setup-routes.ts";
import { welcomeRoutes } from "./setup/welcome-routes.ts";
import { searchPageRoutes } from "./search/search-routes.ts";
import { secondStepRoutes } from "./sign-in/second-step-routes.ts";
import { securityRoutes } from "./security/security-routes.ts";
import { PAGE_POLICY } from "./kit/send-page.ts";
import { pendingCookie, sessionCookie } from "./session/session-cookie.ts";
import { homePageRoutes } from "./home/home-routes.ts";
import { tagRoutes } from "./home/tag-routes.ts";
import { historyPageRoutes } from "./details/history-routes.ts";
import { receptionRoutes } from "./details/reception-routes.ts";
import { dialogRoutes } from "./parts/dialog-routes.ts";
import { liveRoute } from "./parts/live-route.ts";
import { partRoutes } from "./parts/part-routes.ts";
import { writingParts } from "./parts/writing-parts.ts";
import { sitemapRoutes } from "./sitemap/sitemap-routes.ts";
import { resume } from "./resume.ts";
import { importPageRoutes } from "./imports/import-routes.ts";
import { strikeRoutes } from "./settings/strike-routes.ts";
import { suspendedRoutes } from "./strikes/suspended-routes.ts";
import { streamPageRoutes } from "./streams/stream-routes.ts";
import { draftPageRoutes } from "./writing/draft-routes.ts";
import { writeRoutes } from "./compose/write-routes.ts";
import { writingRoutes } from "./writing/writing-routes.ts";
import type { PagesContext } from "./session/visitor.ts";

/**
 * Serves the web interface: server-side HTML, complete without script, one module that makes
 * it quicker, and small scripts for passkeys, pushes and reading without network.
 */
export function registerPages(app: FastifyInstance, deps: PagesDeps): void {
  const context: PagesContext = {
    ...deps,
    cookie: sessionCookie(deps.baseUrl),
    pendingCookie: pendingCookie(deps.baseUrl),
    resume,
  };
  assetRoutes(app);
  mediaRoutes(app, context);
  lookRoutes(app, context);
  proxyRoutes(app, context);
  calendarFileRoutes(app, context);
  void app.register(async (scope) => {
    knowReaders(scope, () => deps.serverProfile.get());
    answerErrorsAsPages(scope, context);
    proxyPicturesOfPages(scope, context);
    allowMediaHosts(scope, context.mediaOrigins);
    refuseOtherSites(scope, deps.baseUrl);
    partRoutes(scope, context);
    writingParts(scope, context);
    dialogRoutes(scope, context);
    liveRoute(scope, context);
    landingRoutes(scope, context);
    aboutRoutes(scope, context);
    wellKnownRoutes(scope, context);
    setupRoutes(scope, context);
    welcomeRoutes(scope, context);
    accountRoutes(scope, context);
    secondStepRoutes(scope, context);
    securityRoutes(scope, context);
    authorizeRoutes(scope, context);
    accessRoutes(scope, context);
    ownSettingsRoutes(scope, context);
    ownAccountRoutes(scope, context);
    movingPageRoutes(scope, context);
    importPageRoutes(scope, context);
    profileRoutes(scope, context);
    privacyRoutes(scope, context);
    strikeRoutes(scope, context);
    suspendedRoutes(scope, context);
    mailSettingsRoutes(scope, context);
    mailLinkRoutes(scope, context);
    resetRoutes(scope, context);
    homePageRoutes(scope, context);
    offlineRoutes(scope, context);
    announcementPageRoutes(scope, context);
    personRoutes(scope, context);
    contactRoutes(scope, context);
    peoplePageRoutes(scope, context);
    aspectRoutes(scope, context);
    requestRoutes(scope, context);
    postRoutes(scope, context);
    answerRoutes(scope, context);
    historyPageRoutes(scope, context);
    receptionRoutes(scope, context);
    agendaRoutes(scope, context);
    monthRoutes(scope, context);
    eventFormRoutes(scope, context);
    eventRoutes(scope, context);
    guestRoutes(scope, context);
    reminderRoutes(scope, context);
    ownCalendarRoutes(scope, context);
    subscribedEventRoutes(scope, context);
    bookmarkRoutes(scope, context);
    ownPhotoRoutes(scope, context);
    distanceRoutes(scope, context);
    hostBlockRoutes(scope, context);
    filterPageRoutes(scope, context);
    notificationRoutes(scope, context);
    notificationChoicesRoutes(scope, context);
    messageRoutes(scope, context);
    reportRoutes(scope, context);
    writingRoutes(scope, context);
    writeRoutes(scope, context);
    draftPageRoutes(scope, context);
    tagRoutes(scope, context);
    streamPageRoutes(scope, context);
    feedRoutes(scope, context);
    shareRoutes(scope, context);
    embedRoutes(scope, context);
    cardRoutes(scope, context);
    sitemapRoutes(scope, context);
    searchPageRoutes(scope, context);
    linkRoutes(scope, context);
    interactionRoutes(scope);
    apiDocsRoutes(scope, context);
    invitationRoutes(scope, context);
    adminRoutes(scope, context);
    // Its samples are loaded for those who work on the pages alone.
    if (deps.hasKitPage)
      void scope.register(async (kit) => {
        const { kitRoutes } = await import("./dev/kit-routes.ts");
        kitRoutes(kit, context);
      });
  });
}

/**
 * Answers unknown paths: with a page for people, the error object for programs.
 */
export function createNotFoundPage({
  accounts,
  notifications,
  serverProfile,
  baseUrl,
}: Pick<
  PagesDeps,
  "accounts" | "notifications" | "serverProfile" | "baseUrl"
>) {
  const cookie = sessionCookie(baseUrl);
  const context = { accounts, notifications, cookie };
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown = new KithError("not_found", "There is no such route."),
  ) => {
    // As on all pages: a missing page must not differ from a hidden one.
    knowReader(request, await serverProfile.get());
    return sendError(context, error, request, reply);
  };
}

function answerErrorsAsPages(
  scope: FastifyInstance,
  context: PagesContext,
): void {
  scope.setErrorHandler((error, request, reply) =>
    sendError(context, error, request, reply),
  );
  scope.addHook("onRequest", async (_request, reply) => {
    void reply.header("content-security-policy", PAGE_POLICY);
  });
}

/** Before the body is read: forms of other sites are refused. */
function refuseOtherSites(scope: FastifyInstance, baseUrl: string): void {
  scope.addHook("onRequest", async (request) => {
    if (request.method === "POST" && isFromElsewhere(request.headers, baseUrl))
      throw new KithError("forbidden", "The form is on another site.");
  });
}

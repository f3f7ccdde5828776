import type { ComposeInput } from "../compose-input.ts";
import type { Federation } from "../federation.ts";
import { negotiationOf, registerFederation } from "./federation-routes.ts";
import { visitsOf } from "./visits.ts";
import { registerApi } from "../../api/index.ts";
import { registerCalDav } from "../../caldav/index.ts";
import type { OperatedQueue } from "../../features/queue/index.ts";
import type { RemoteMedia } from "../../features/remote-media/index.ts";
import type { ReadElsewhere } from "../../features/subscribed-calendars/index.ts";
import { createUris } from "../../federation/activitypub/records/uris.ts";
import { createIgnoredEdits } from "../../federation/outbound/ignored-edits.ts";
import { listHomePages } from "../../federation/remote-people/proven-origins.ts";
import { createApp } from "../../http/app.ts";
import { registerHealth } from "../../http/health-routes.ts";
import type { Readiness } from "../../http/readiness.ts";
import type { CardPainter } from "../../lib/images/cards/card-painter.ts";
import type { Limits } from "../../lib/limits/limits.ts";
import { registerMastodonApi } from "../../mastodon-api/index.ts";
import { createIsAtMediaHost, serveOnlyMedia } from "../../http/media-host.ts";
import { MEDIA_PATH } from "../../features/photos/index.ts";
import { isMastodonPath } from "../../mastodon-api/kit/unsupported.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { registerOauth } from "../../oauth/index.ts";
import { createNotFoundPage, registerPages } from "../../pages/index.ts";

type ServerAppInput = ComposeInput & {
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly queue: OperatedQueue;
  readonly readCalendar: ReadElsewhere;
  readonly remoteMedia: RemoteMedia;
  readonly cards: CardPainter;
};

/** The HTTP application with all routes, ready to listen. */
export function createServerApp(
  input: ServerAppInput,
  federation: Federation,
  readiness: Readiness,
) {
  const { config, db, clock, log, metrics, limits, queue } = input;
  const { readCalendar, remoteMedia, cards } = input;
  const { features } = federation;
  const visits = visitsOf(federation);
  const { baseUrl, baseHost: host, isOfThisMachine } = config;
  const app = createApp({
    log,
    metrics,
    tracing: input.tracing,
    limits,
    accessLog: config.accessLog,
    requestFactor: config.requestFactor,
    maxFileBytes: config.recordings.maxBytes,
    trustedProxies: config.trustedProxies,
    answerFromReplica: db.replica?.answer,
    isShutOut: features.bans.isShutOut,
    isKnownPath: isMastodonPath,
    notFound: createNotFoundPage({ ...features, baseUrl }),
  });
  const isAtMediaHost = createIsAtMediaHost(config.media.host);
  serveOnlyMedia(app, isAtMediaHost, [MEDIA_PATH]);
  registerHealth(app, readiness);
  const relays = config.protocols.activitypub ? features.relays : undefined;
  const ignoredEdits = createIgnoredEdits({
    ...features,
    protocols: config.protocols,
  });
  const apiDocument = registerApi(app, {
    ...features,
    db,
    relays,
    baseUrl,
    clock,
    version: config.apiVersion,
    passwordGrant: config.passwordGrant,
    find: visits.find,
    queue,
    moving: federation.moving,
    previewAudience: federation.previewAudience,
    ignoredEdits,
    readCalendar,
  });
  registerOauth(app, { ...features, baseUrl });
  registerMastodonApi(app, {
    ...features,
    db,
    clock,
    find: visits.find,
    findAccess: features.oauth.findAccess,
    proxyUrlOf: features.proxyAddresses.addressOf,
    uris: createUris(baseUrl),
    instance: {
      ...{ baseUrl, host, version: input.version },
      maxRecordingBytes: config.recordings.maxBytes,
    },
  });
  registerCalDav(app, { ...features, baseUrl, clock });
  registerFederation(app, federation);
  registerPages(app, {
    ...features,
    moving: federation.moving,
    previewAudience: federation.previewAudience,
    ignoredEdits,
    relays,
    ...negotiationOf(federation),
    ...visits,
    listHomePages,
    mediaHost: config.media.host,
    isAtMediaHost,
    mediaOrigins: config.media.origins,
    baseUrl,
    host,
    isOfThisMachine,
    clock,
    apiDocument,
    queue,
    readCalendar,
    remoteMedia,
    cards,
    hasKitPage: input.hasKitPage === true,
  });
  return app;
}

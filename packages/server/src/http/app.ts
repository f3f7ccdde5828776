import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { MAX_IMAGE_BYTES } from "../lib/images/image.ts";
import { KithError } from "../lib/errors.ts";
import { NO_LIMITS, type Limits } from "../lib/limits/limits.ts";
import type { Log } from "../observability/log.ts";
import { withLogContext } from "../observability/log-context.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Tracing } from "../observability/tracing.ts";
import { answerError, answerUnparsed } from "./error-response.ts";
import { answerHead, routeHeadAsGet } from "./answer-head.ts";
import { allowCrossOrigin } from "./cross-origin.ts";
import { closeWhenLeaving } from "./listen.ts";
import {
  answerFromReplica,
  type AnswerFromReplica,
} from "./load/answer-from-replica.ts";
import { batchRequestsPerTick } from "./load/batch-requests.ts";
import { preventSharedCaching } from "./prevent-shared-caching.ts";
import {
  isLimitClass,
  limitRequests,
  type LimitClass,
} from "./load/limit-requests.ts";
import { limitBodyTime, STREAM_TIMEOUT_MS } from "./load/limit-body-time.ts";
import { logOutages } from "./load/log-outages.ts";
import { logRequests } from "./load/log-requests.ts";
import { refuseNetworks } from "./load/refuse-networks.ts";
import { measureRequests } from "./load/measure-requests.ts";
import { traceRequests } from "./load/trace-requests.ts";
import { parseForm, type Parameters } from "./input/parameters.ts";
import { isApiPath, pathOf } from "./input/request-path.ts";
import {
  DEFAULT_BODY_LIMIT,
  FIELDS_BYTES,
  parseBodies,
} from "./input/parse-bodies.ts";
import { warnOfProxy } from "./warn-of-proxy.ts";
import { shedLoad, type LoadLimits } from "./load/shed-load.ts";

/**
 * The callers who may use a route. A route must declare it, or the server does not start.
 */
type Access =
  /** Everyone; the response is public, or filtered by the viewer. */
  | "anyone"
  /** The holder of an access token. */
  | "token"
  /**
   * Anonymous, a token, or a signed request: the response depends on the
   * viewer.
   */
  | "viewer"
  /** Any sender that the message itself authenticates. */
  | "message"
  /** Anyone who has the URL, a part of which is secret. */
  | "address"
  /** A signed-in web session. */
  | "session"
  /** A program that sends a name and a password with each request. */
  | "program"
  /** A token or a session of a moderator or an admin. */
  | "moderator"
  /** A token or a session of an admin. */
  | "admin";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
    /** The rate limit of the route. */
    limit?: LimitClass;
    /**
     * `raw` keeps the bytes, for verifying signatures; `stream` leaves a
     * multipart form to the route, which reads it as it comes (`receiveForm`);
     * otherwise the body is parsed as parameters.
     */
    body?: "raw" | "stream" | "parameters";
    /** The field of the multipart form that holds the file. */
    file?: string | undefined;
    /** How many files that field takes; one by default. */
    maxFiles?: number;
    /** Other fields of which each takes one file. */
    otherFiles?: readonly string[];
    /**
     * Are the texts of a form read that is too large with its files? The route refuses
     * it (`isTooLarge`), and shows what was typed.
     */
    keepsTexts?: boolean;
    /** Fields whose files are read and left: the parameter is blank. */
    leftFiles?: readonly string[];
    /** May strangers get an answer that is some seconds old (`Replica` of the database)? */
    mayBeOld?: boolean;
    /** A health check of a supervisor: answered under any load. */
    isProbe?: boolean;
    /** Only programs call it: its errors are never a page. */
    isForPrograms?: boolean;
  }
  interface FastifyInstance {
    /** Bytes of a multipart form with the largest file. */
    uploadBytes: number;
  }
  interface FastifyRequest {
    /** Is the sender already known to be allowed to upload? */
    mayUpload: boolean;
    /** Was the form too large? Then only its texts are known. */
    isTooLarge: boolean;
    /** Parameters of query and body together; the body wins. */
    parameters: Parameters;
  }
}

export type AppOptions = {
  readonly log: Log;
  readonly metrics?: Pick<Metrics, "histogram">;
  readonly tracing?: Tracing | undefined;
  /** Is each request logged? */
  readonly accessLog?: boolean;
  readonly trustedProxies: readonly string[];
  readonly loadLimits?: LoadLimits;
  /** How long a body may take. */
  readonly bodyTimeoutMs?: number;
  /** Absent where the database has no replica. */
  readonly answerFromReplica?: AnswerFromReplica | undefined;
  /** None by default. */
  readonly limits?: Limits;
  /** Multiplies the default limits of requests. */
  readonly requestFactor?: number;
  /** Bytes of the largest file that is uploaded; those of a picture by default. */
  readonly maxFileBytes?: number;
  /** Is a network kept from all access? None is by default. */
  readonly isShutOut?: (network: string) => boolean | Promise<boolean>;
  /**
   * Paths of an API that are known, but not served, and answer 404; other unknown ones answer
   * 501.
   */
  readonly isKnownPath?: (path: string) => boolean;
  /** Answers unknown paths outside of the API. */
  readonly notFound: (
    request: FastifyRequest,
    reply: FastifyReply,
    error?: unknown,
  ) => Promise<unknown>;
};

/**
 * Routes read and write JSON by themselves. Without these Fastify loads its compilers for JSON
 * Schema, a thirtieth of all modules.
 */
const NO_COMPILERS = {
  buildValidator: refuseSchemas,
  buildSerializer: refuseSchemas,
};

function refuseSchemas(): never {
  throw new Error("Routes have no schemas of Fastify");
}

/** Creates the HTTP application, without any route. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.log,
    // Requests are measured elsewhere; failures are logged where they are
    // answered.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Log lines carry the request id by themselves: a child logger per request
    // would be wasted.
    childLoggerFactory: (logger) => logger,
    schemaController: { compilersFactory: NO_COMPILERS },
    exposeHeadRoutes: false,
    rewriteUrl: routeHeadAsGet,
    bodyLimit: DEFAULT_BODY_LIMIT,
    // Shorter for most bodies, by a limit of our own.
    requestTimeout: STREAM_TIMEOUT_MS,
    forceCloseConnections: "idle",
    clientErrorHandler: (error, socket) =>
      answerUnparsed(error, socket, options.log),
    // Requests on open connections are answered as usual during a stop.
    return503OnClosing: false,
    trustProxy:
      options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: {
      // The URL of a remote picture has up to 2,048 characters, in base64url a
      // third more. Guids have up to 255, each up to three bytes long.
      maxParamLength: 2732,
      // Friendica appends a slash to the URLs that it posts to.
      ignoreTrailingSlash: true,
      // Clients join a base URL and a path that both have a slash.
      ignoreDuplicateSlashes: true,
      querystringParser: parseQuery,
    },
    frameworkErrors: (error, request, reply) =>
      void answerUnreadable(error, request, reply as FastifyReply, options),
  }) as unknown as FastifyInstance;
  app.decorateRequest("parameters", null as unknown as Parameters);
  app.decorateRequest("mayUpload", false);
  app.decorateRequest("isTooLarge", false);
  const fileBytes = Math.max(MAX_IMAGE_BYTES, options.maxFileBytes ?? 0);
  app.decorate("uploadBytes", fileBytes + FIELDS_BYTES);
  answerHead(app);
  closeWhenLeaving(app);
  app.addHook("onRequest", (request, _reply, done) =>
    withLogContext({ requestId: request.id }, done),
  );
  if (options.tracing) traceRequests(app, options.tracing);
  if (options.metrics) measureRequests(app, options.metrics);
  if (options.accessLog) logRequests(app, options.log);
  logOutages(app, options.log);
  warnOfProxy(app, options.log);
  limitBodyTime(app, options.bodyTimeoutMs);
  limitRequests(app, options.limits ?? NO_LIMITS, options.requestFactor);
  if (options.isShutOut) refuseNetworks(app, options.isShutOut, options.log);
  allowCrossOrigin(app);
  parseBodies(app, shedLoad(app, options.loadLimits));
  refuseUndeclaredRoutes(app);
  if (options.answerFromReplica)
    answerFromReplica(app, options.answerFromReplica);
  setSecurityHeaders(app);
  preventSharedCaching(app);
  batchRequestsPerTick(app);
  app.addHook("preValidation", (request, _reply, done) => {
    request.parameters = mergeParameters(request);
    refuseZeroBytes(request.params);
    done();
  });
  app.setErrorHandler((error, _request, reply) => answerError(error, reply));
  answerUnserved(app, options);
  return app;
}

/**
 * Runs before the body is parsed: its faults do not matter on an unknown route.
 */
function answerUnserved(
  app: FastifyInstance,
  { isKnownPath, notFound }: Pick<AppOptions, "isKnownPath" | "notFound">,
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isKnownPath?.(pathOf(request.url)))
      throw new KithError("not_found", "This part of the API is not served.");
    if (isApiPath(request.url))
      throw new KithError("not_implemented", "No such route.");
    return notFound(request, reply);
  };
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) answer(request, reply).catch(done);
    else done();
  });
  app.setNotFoundHandler(answer);
}

/** No name contains a zero byte, and PostgreSQL refuses to look for one. */
function refuseZeroBytes(pathParts: unknown): void {
  for (const part of Object.values(pathParts ?? {}))
    if (String(part).includes("\0"))
      throw new KithError("not_found", "No name has a zero byte.");
}

const BROKEN_QUERY = "\0broken query";

/**
 * The router calls this outside of its error handling, so a fault is recorded
 * and thrown later.
 */
function parseQuery(text: string): Record<string, unknown> {
  try {
    return parseForm(text);
  } catch (error) {
    return { [BROKEN_QUERY]: error };
  }
}

function mergeParameters(request: FastifyRequest): Parameters {
  const query = request.query as Parameters;
  const broken = query[BROKEN_QUERY];
  if (broken instanceof Error) throw broken;
  const { body } = request;
  if (body === undefined || body === null || Buffer.isBuffer(body))
    return query;
  if (body instanceof Readable) return query;
  return { ...query, ...(body as Parameters) };
}

function refuseUndeclaredRoutes(app: FastifyInstance): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    const route = `The route ${String(method)} ${url}`;
    if (config?.access === undefined)
      throw new Error(
        `${route} does not declare who may use it (config.access)`,
      );
    if (!isLimitClass(config.limit))
      throw new Error(
        `${route} does not declare how often it may be asked for (config.limit)`,
      );
  });
}

function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    void reply.header("x-content-type-options", "nosniff");
    if (!reply.hasHeader("referrer-policy"))
      void reply.header("referrer-policy", "same-origin");
    if (!reply.hasHeader("content-security-policy"))
      void reply.header(
        "content-security-policy",
        "default-src 'none'; frame-ancestors 'none'",
      );
    done();
  });
}

/** An address that cannot be decoded belongs to no route; a browser gets a page all the same. */
function answerUnreadable(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { notFound }: Pick<AppOptions, "notFound">,
): Promise<unknown> {
  const isBrowser = /\btext\/html\b/i.test(request.headers.accept ?? "");
  return isBrowser && !isApiPath(request.url)
    ? notFound(request, reply, error)
    : answerError(error, reply);
}

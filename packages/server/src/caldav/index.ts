import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  answerFor,
  logAnswered,
  retryAfterOf,
  SERVER_ERROR,
} from "../http/error-response.ts";
import { WorkBudget, WorkBudgetError } from "../lib/limits/work-budget.ts";
import type { CalDavDeps, DavCall } from "./context.ts";
import { DavError } from "./dav-error.ts";
import { copy } from "./methods/copy.ts";
import { deleteMethod } from "./methods/delete.ts";
import { getMethod } from "./methods/get.ts";
import { makeCalendar } from "./methods/make-calendar.ts";
import { move } from "./methods/move.ts";
import { propfind } from "./methods/propfind.ts";
import { proppatch } from "./methods/proppatch.ts";
import { put } from "./methods/put.ts";
import { sendEmpty, sendXml } from "./methods/send.ts";
import { report } from "./reports/report.ts";
import { readTarget, ROOT } from "./resources/paths.ts";
import { DAV } from "./xml/write-xml.ts";
import { CHALLENGE, signInProgram } from "./sign-in.ts";

type Method = (call: DavCall) => Promise<FastifyReply>;

const READING: Readonly<Record<string, Method>> = {
  GET: getMethod,
  PROPFIND: propfind,
  REPORT: report,
};

const WRITING: Readonly<Record<string, Method>> = {
  COPY: copy,
  DELETE: deleteMethod,
  MKCALENDAR: makeCalendar,
  MKCOL: makeCalendar,
  MOVE: move,
  PROPPATCH: proppatch,
  PUT: put,
};

/** Methods that the router does not know by itself. */
const OWN = [
  ...["COPY", "MKCALENDAR", "MKCOL", "MOVE"],
  ...["PROPFIND", "PROPPATCH", "REPORT"],
];

/** Methods of WebDAV that nothing here takes: to a program, a resource that is not found would be gone. */
const NOT_TAKEN = ["ACL", "LOCK", "UNLOCK"];

const BODY_LIMIT = 1024 * 1024;
/** Of one request: rules of many series that nobody can compute in time. */
const MAX_WORK_MS = 1000;

const CAPABILITIES = {
  dav: "1, 3, access-control, calendar-access, extended-mkcol",
  allow: [
    ...["OPTIONS", "HEAD", ...Object.keys(READING), ...Object.keys(WRITING)],
  ].join(", "),
};

/**
 * Serves the calendars of users to calendar programs.
 * @see RFC 4918 (WebDAV, class 1), RFC 4791 (CalDAV), RFC 6578 (sync), RFC 6764 (discovery)
 */
export function registerCalDav(app: FastifyInstance, deps: CalDavDeps): void {
  for (const method of [...OWN, ...NOT_TAKEN])
    app.addHttpMethod(method, { hasBody: true });
  void app.register(async (scope) => {
    answerErrors(scope);
    discoveryRoutes(scope);
    scope.addHook("onSend", (request, reply, _payload, done) => {
      if (request.method !== "PROPFIND" || request.url.startsWith(ROOT))
        void reply.headers(CAPABILITIES);
      done();
    });
    for (const [limit, methods] of [
      ["read", READING],
      ["write", WRITING],
    ] as const)
      for (const [method, answer] of Object.entries(methods))
        for (const url of method === "PROPFIND" ? ["/", ...PATHS] : PATHS)
          scope.route({
            ...{ method, url, bodyLimit: BODY_LIMIT },
            config: { access: "program", limit, body: "raw" },
            handler: async (request, reply) => {
              const user = await signInProgram(deps, request);
              const target = readTarget(request.raw.url ?? "");
              const budget = new WorkBudget(MAX_WORK_MS);
              return answer({ deps, user, target, request, reply, budget });
            },
          });
    for (const url of PATHS)
      scope.route({
        ...{ method: ["PATCH", "POST", ...NOT_TAKEN], url },
        ...{ bodyLimit: BODY_LIMIT },
        config: { access: "anyone", limit: "read", body: "raw" },
        handler: async () => {
          throw new DavError(405);
        },
      });
    for (const url of PATHS)
      scope.route({
        ...{ method: "OPTIONS", url },
        config: { access: "anyone", limit: "read" },
        handler: async (_request, reply) => sendEmpty(reply, 200),
      });
  });
}

/** The router takes the slash at the end for nothing. */
const PATHS = [ROOT.slice(0, -1), `${ROOT}*`];

/** Programs look here first, without a password (RFC 6764, section 5). */
function discoveryRoutes(scope: FastifyInstance): void {
  scope.route({
    method: ["GET", "PROPFIND"],
    url: "/.well-known/caldav",
    config: { access: "anyone", limit: "read", body: "raw" },
    handler: async (_request, reply) =>
      reply.code(301).header("location", ROOT).send(),
  });
}

const TOO_MUCH = new DavError(403, [DAV, "number-of-matches-within-limits"]);

function answerErrors(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const refused = error instanceof WorkBudgetError ? TOO_MUCH : error;
    if (refused instanceof DavError)
      return refused.body === ""
        ? sendEmpty(reply, refused.status)
        : sendXml(reply, refused.status, refused.body);
    return answerOther(refused, request, reply);
  });
}

function answerOther(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answer = answerFor(error) ?? SERVER_ERROR;
  logAnswered(error, answer, request);
  const retryAfterS = retryAfterOf(error, answer);
  if (retryAfterS !== undefined) void reply.header("retry-after", retryAfterS);
  if (answer.status === 401) void reply.header("www-authenticate", CHALLENGE);
  return reply
    .code(answer.status)
    .header("cache-control", "private, no-store")
    .type("text/plain; charset=utf-8")
    .send(`${answer.message}\n`);
}

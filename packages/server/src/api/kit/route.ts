import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { isAtLeast, type SignedIn } from "../../features/accounts/index.ts";
import type { NeededScope } from "../../features/oauth/index.ts";
import type { Page } from "../../features/page.ts";
import { readHeaderToken } from "../../http/input/header-token.ts";
import {
  fileNameOf,
  readInput,
  readNeeded,
  text,
  uint,
  type Given,
  type Need,
} from "../../http/input/input.ts";
import type { LimitClass } from "../../http/load/limit-requests.ts";
import { createUploadGate } from "../../http/load/upload-gate.ts";
import { KithError } from "../../lib/errors.ts";
import { readPath } from "./path-parts.ts";
import { parseFields, selectFields, type FieldSelection } from "./fields.ts";
import { CollectedScope, type AnswerScope } from "./answer-scope.ts";
import type { ResponseCache } from "./response-cache.ts";
import { warningOf } from "./unknown-fields.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One call of a route, with its input parsed and checked. */
type ApiCall<S extends TObject, N extends readonly Need[]> = {
  readonly user: SignedIn;
  /** The token of the call. */
  readonly token: string;
  /** The client's network, for the limits of guessing passwords. */
  readonly from: string;
  readonly input: Static<S> & Given<S, N>;
  /** A path parameter, by its name. */
  readonly path: (name: string) => string;
  readonly page: Page;
  /** Warns the caller in a header: the body stays as specified. */
  readonly warn: (sentence: string) => void;
  /** The things that the response shows, for one that is kept. */
  readonly scope: AnswerScope;
};

/** The role that a route requires. */
export type ForRole = "moderator" | "admin";

/** The description of a route for the OpenAPI document. */
export type DescribedRoute = {
  /** Such as `createPost`: its method name in generated clients. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** The required role; any account by default. */
  readonly forRole?: ForRole;
  /** The rate limit. */
  readonly limit: LimitClass;
  /** The scope that the token of an app needs; null if no token is needed. */
  readonly scope: NeededScope | null;
  readonly summary: string;
  /** Details that do not fit into the summary. */
  readonly description?: string;
  readonly input: TObject;
  /** Parameters that are required and must not be blank. */
  readonly needs?: readonly Need[];
  /** Parameters for the example, if the required ones make none. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The schema of a 200 without `fields`. */
  readonly output: TSchema;
  /** Error statuses beside those that follow from the input. */
  readonly errors?: readonly number[];
  /**
   * May its response be kept until a write touches what it shows? It depends only on the
   * user, the URL and the database, and its handler names in the scope what it shows.
   */
  readonly isKept?: boolean;
  /** Set if a 200 is not JSON. */
  readonly contentType?: string;
};

/** One route of the service API. */
export type ApiRoute = DescribedRoute & {
  readonly scope: NeededScope;
  readonly handle: (call: ApiCall<TObject, readonly []>) => Promise<unknown>;
};

/**
 * Declares a route; its handler gets typed input, with the required parameters
 * present.
 */
export function apiRoute<
  S extends TObject,
  const N extends readonly Need[] = readonly [],
>(
  route: Omit<DescribedRoute, "input" | "needs" | "scope"> & {
    scope: NeededScope;
    input: S;
    needs?: N;
    handle: (call: ApiCall<S, N>) => Promise<unknown>;
  },
): ApiRoute {
  return route;
}

export const NO_INPUT = Type.Object({});

/** The parameters that every ordinary route takes. */
export const COMMON = Type.Object({
  access_token: text("The access token, where no header carries it"),
  fields: text("Which fields are wanted, such as ID,Person(ID:Guid)"),
  offset: uint("How many records of a list to leave out"),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: "How many records of a list to give, 10 where not said",
    }),
  ),
  before: uint("Only records on the older side of the one with this ID"),
  after: uint(
    "Only records on the newer side of this one; without before, those next to it",
  ),
});

const PAGE_SIZE = 10;

/**
 * Finds the user of a token.
 * @throws {KithError} `forbidden` if it lacks the scope
 */
export type Authenticate = (
  token: string,
  needed: NeededScope,
) => Promise<SignedIn | undefined>;

/** Registers the routes below `prefix`; all require a token. */
export function registerApiRoutes(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate,
  routes: readonly ApiRoute[],
  answers: ResponseCache,
): void {
  const admit = createUploadGate();
  for (const route of routes) {
    const file = fileNameOf(route.input);
    app.route({
      method: route.method,
      url: prefix + route.path,
      config: { access: route.forRole ?? "token", limit: route.limit, file },
      onRequest: async (request, reply) => {
        // Before the body is read: only authenticated clients may upload.
        if (file === undefined || readHeaderToken(request) === undefined)
          return;
        const caller = await getCaller(request, authenticate, route);
        refuseOthers(route, caller);
        admit(request, reply);
      },
      handler: async (request, reply) => {
        const caller = await getCaller(request, authenticate, route);
        refuseOthers(route, caller);
        const common = readCommon(request);
        warnOfFields(reply, route, common.selection);
        const warn = (sentence: string) =>
          addWarning(reply, `299 - "${sentence}"`);
        const call = (scope: AnswerScope) =>
          callRoute(route, request, caller, { ...common, scope, warn });
        const key = keyOf(route, request, caller);
        const { userId } = caller.user;
        const answer = await (key === undefined
          ? call(new CollectedScope(userId))
          : answers.get({ key, userId }, call));
        return reply.type("application/json; charset=utf-8").send(answer);
      },
    });
  }
}

/** @returns undefined if the response cannot be cached */
function keyOf(
  { isKept }: ApiRoute,
  { method, url, body }: FastifyRequest,
  { user }: Caller,
): string | undefined {
  return isKept && method === "GET" && body === undefined
    ? `${user.userId} ${url}`
    : undefined;
}

async function callRoute(
  route: ApiRoute,
  request: FastifyRequest,
  caller: Caller,
  {
    selection,
    page,
    scope,
    warn,
  }: Common & Pick<ApiCall<TObject, readonly []>, "scope" | "warn">,
): Promise<string> {
  const value = await route.handle({
    ...caller,
    scope,
    warn,
    from: request.network,
    ...readSent(route, request),
    page,
  });
  return JSON.stringify(selection ? selectFields(value, selection) : value);
}

/**
 * Reads what was sent by the schema that the document shows: what that forbids
 * reaches no handler.
 * @throws {KithError} as `readNeeded` does
 */
export function readSent<
  S extends TObject,
  const N extends readonly Need[] = readonly [],
>(
  route: { readonly path: string; readonly input: S; readonly needs?: N },
  request: FastifyRequest,
): Pick<ApiCall<S, N>, "input" | "path"> {
  const { input, needs, path } = route;
  return {
    input: readNeeded(input, needs, request.parameters),
    path: readPath(path, request.params),
  };
}

/**
 * @throws {KithError} `forbidden` for a caller without the role that the route
 *   requires
 */
function refuseOthers({ forRole, path }: ApiRoute, { user }: Caller): void {
  if (forRole !== undefined && !isAtLeast(user.role, forRole))
    throw new KithError(
      "forbidden",
      `The calls of ${path} are for each ${forRole} alone.`,
    );
}

/** Warns of unknown fields in a header, so that the body stays as specified. */
function warnOfFields(
  reply: FastifyReply,
  { output }: ApiRoute,
  selection: FieldSelection | undefined,
): void {
  const warning = selection && warningOf(selection, output);
  if (warning !== undefined) addWarning(reply, warning);
}

function addWarning(reply: FastifyReply, warning: string): void {
  const before = reply.getHeader("warning");
  const both = typeof before === "string" ? `${before}, ${warning}` : warning;
  void reply.header("warning", both);
}

type Common = ReturnType<typeof readCommon>;

/** The parameters of every call. @throws {KithError} `bad_request` */
export function readCommon(request: FastifyRequest) {
  const common = readInput(COMMON, request.parameters);
  const { fields = "", offset = 0, limit = PAGE_SIZE, before, after } = common;
  return {
    selection: fields === "" ? undefined : parseFields(fields),
    page: { offset, limit, before, after },
  };
}

type Caller = { readonly user: SignedIn; readonly token: string };

/**
 * The authenticated caller.
 * @throws {KithError} `unauthorized`, `forbidden` for a token without the scope, or
 *   `too_many_requests`
 */
export async function getCaller(
  request: FastifyRequest,
  authenticate: Authenticate,
  { scope }: { readonly scope: NeededScope },
): Promise<Caller> {
  const token = findToken(request);
  const user =
    token === undefined ? undefined : await authenticate(token, scope);
  if (token === undefined || !user)
    throw new KithError("unauthorized", "No user for this token.", {
      isTokenRefused: token !== undefined,
    });
  request.countFor(user.userId);
  return { user, token };
}

/** The token in the headers, or else among the parameters. */
function findToken(request: FastifyRequest): string | undefined {
  const token = readHeaderToken(request);
  if (token !== undefined) return token;
  const parameter = request.parameters["access_token"];
  return typeof parameter === "string" ? parameter : undefined;
}

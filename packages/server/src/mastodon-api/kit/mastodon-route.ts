import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "../../features/accounts/index.ts";
import {
  isGranted,
  type Access,
  type Scope,
  type TokenWithoutUser,
} from "../../features/oauth/index.ts";
import { readHeaderToken } from "../../http/input/header-token.ts";
import type { LimitClass } from "../../http/load/limit-requests.ts";
import { createUploadGate } from "../../http/load/upload-gate.ts";
import { KithError } from "../../lib/errors.ts";
import type { ShareState } from "../../lib/limits/rate-limit.ts";
import { Input, parseId } from "./input.ts";
import { linkHeader, type AskedPage, type Cursor } from "./paging.ts";
import { answerRefusal, Refusal } from "./refusals.ts";

export type FindAccess = (token: string) => Promise<Access | undefined>;

/** How the callers of a token are found. */
export type CallerDeps = {
  readonly findAccess: FindAccess;
  readonly oauth: {
    readonly findTokenWithoutUser: (
      token: string,
    ) => Promise<TokenWithoutUser | undefined>;
  };
};

type CallOf<Viewer> = {
  readonly viewer: Viewer;
  readonly app: Access["app"];
  readonly input: Input;
  readonly headers: FastifyRequest["headers"];
  /** The network of the caller. */
  readonly network: string;
  /** A part of the path, by its name. */
  readonly path: (name: string) => string;
  /** The id in the path; 0, which no record has, for what is none. */
  readonly id: () => number;
  /** Adds the Link header of a page, by the keys of its records in their order. */
  readonly link: (
    page: AskedPage,
    keys: readonly (number | Cursor)[],
    isLast?: boolean,
  ) => void;
  readonly status: (code: 202 | 206) => void;
};

/** A call by a user. */
export type UserCall = CallOf<SignedIn> & {
  /** The token of the call. */
  readonly token: string;
};
/** A call by a user, or by nobody. */
export type AnyCall = CallOf<SignedIn | null> & {
  readonly token: string | undefined;
  /** Is the token that of an app alone? */
  readonly isOfApp: boolean;
};

type RouteOf<Call> = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`, such as `/v1/statuses/:id`. */
  readonly path: string;
  /**
   * The scope that a token must grant, also where none is needed; one of several is enough.
   * `any`: whatever they are.
   */
  readonly scope: Scope | readonly Scope[] | "any";
  readonly limit: LimitClass;
  /** The fields of a multipart form that hold a file each. */
  readonly files?: readonly string[];
  /** Fields whose files are left, without a fault. */
  readonly leftFiles?: readonly string[];
  readonly handle: (call: Call) => Promise<unknown>;
};

/** One route, with the access that it needs. */
export type MastodonRoute = RouteOf<AnyCall> & {
  readonly needsUser: boolean;
};

/** Declares a route that answers everybody, by what they may see. */
export const publicRoute = (route: RouteOf<AnyCall>): MastodonRoute => ({
  ...route,
  needsUser: false,
});

/** Declares a route for users. */
export const userRoute = (route: RouteOf<UserCall>): MastodonRoute => ({
  ...route,
  needsUser: true,
  handle: (call) => {
    const { viewer, token } = call;
    if (viewer === null || token === undefined) throw needsUserRefusal();
    return route.handle({ ...call, viewer, token });
  },
});

const needsUserRefusal = () =>
  new Refusal(422, "This method requires an authenticated user");

export type MastodonKitDeps = CallerDeps & {
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

/** Registers the routes below `/api` in a scope of their own, with its errors. */
export function registerMastodonRoutes(
  app: FastifyInstance,
  deps: MastodonKitDeps,
  routes: readonly MastodonRoute[],
): void {
  const admit = createUploadGate();
  void app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) =>
      answerRefusal(error, reply),
    );
    scope.addHook("onSend", async (request, reply) => {
      const state = request.shareState();
      if (state) void reply.headers(presentShare(state));
    });
    for (const route of routes) {
      const [file, ...otherFiles] = route.files ?? [];
      scope.route({
        method: route.method,
        url: `/api${route.path}`,
        config: {
          access: route.needsUser ? "token" : "viewer",
          limit: route.limit,
          mayBeOld: route.method === "GET" && !route.needsUser,
          file,
          ...{ otherFiles, leftFiles: route.leftFiles ?? [] },
        },
        onRequest: async (request, reply) => {
          // Before the body is read: only authenticated clients may upload.
          if (file === undefined || readHeaderToken(request) === undefined)
            return;
          await admitCaller(route, request, deps);
          admit(request, reply);
        },
        handler: (request, reply) => answer(deps, route, request, reply),
      });
    }
  });
}

/** The share of requests, as clients read it. */
const presentShare = ({ max, left, endsAt }: ShareState) => ({
  "x-ratelimit-limit": max,
  "x-ratelimit-remaining": left,
  "x-ratelimit-reset": endsAt.toISOString(),
});

async function answer(
  deps: MastodonKitDeps,
  route: MastodonRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { access, token, isOfApp } = await admitCaller(route, request, deps);
  const parts = request.params as Readonly<Record<string, string>>;
  const path = (name: string) => parts[name] ?? "";
  const value = await route.handle({
    viewer: access?.user ?? null,
    ...{ token, isOfApp },
    app: access?.app ?? null,
    input: Input.of(request.parameters),
    headers: request.headers,
    network: request.network,
    path,
    id: () => parseId(path("id")),
    link: (page, keys, isLast) => {
      const url = new URL(deps.baseUrl + request.url);
      const header = linkHeader(url, page, keys, isLast);
      if (header !== undefined) void reply.header("link", header);
    },
    status: (code) => void reply.code(code),
  });
  return reply
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(value));
}

type Caller = {
  readonly access: Access | undefined;
  readonly token: string | undefined;
  /** Is the token that of an app alone? */
  readonly isOfApp: boolean;
};

/**
 * Finds out who calls; without a token, and with that of an app alone, nobody, where no user is
 * needed.
 * @throws {KithError} `unauthorized`, or `too_many_requests`
 * @throws {Refusal} for scopes that do not grant it
 */
export async function admitCaller(
  { scope, needsUser }: Pick<MastodonRoute, "needsUser" | "scope">,
  request: FastifyRequest,
  deps: CallerDeps,
): Promise<Caller> {
  const token = readToken(request);
  const access = token === undefined ? undefined : await deps.findAccess(token);
  const other =
    access || token === undefined
      ? undefined
      : await deps.oauth.findTokenWithoutUser(token);
  if (other?.kind === "pending")
    throw new Refusal(403, "Your login is currently pending approval");
  if (!access && !other) {
    if (token === undefined && !needsUser)
      return { access, token, isOfApp: false };
    throw new KithError("unauthorized", "No user for this token.", {
      isTokenRefused: token !== undefined,
    });
  }
  if (access) request.countFor(access.user.userId);
  else if (needsUser) throw needsUserRefusal();
  const scopes = access?.scopes ?? other?.scopes ?? [];
  const needed = [scope].flat();
  if (scope !== "any" && !needed.some((one) => isGranted(scopes, one)))
    throw new Refusal(403, "This action is outside the authorized scopes");
  return { access, token, isOfApp: other !== undefined };
}

/**
 * The token in the headers, or else among the parameters. Browsers can send it with a WebSocket
 * as its subprotocol alone.
 */
function readToken(request: FastifyRequest): string | undefined {
  const token = readHeaderToken(request);
  if (token !== undefined) return token;
  const { "sec-websocket-protocol": protocol } = request.headers;
  if (protocol !== undefined) return protocol.split(",", 1)[0]?.trim();
  const parameter = request.parameters?.["access_token"];
  return typeof parameter === "string" ? parameter : undefined;
}

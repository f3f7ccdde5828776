import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  addParameters,
  OauthError,
  OUT_OF_BAND,
  scopesFor,
  type App,
  type Authorization,
} from "../../features/oauth/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { isOfSession } from "../kit/csrf.ts";
import type { Html } from "../kit/html.ts";
import { CONSENT_POLICY, sendPage } from "../kit/send-page.ts";
import { preferLanguage } from "../languages/reader.ts";
import { appTexts } from "../languages/texts.ts";
import { MAX_TARGET_LENGTH } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn, sendSignIn } from "../sign-in/send-sign-in.ts";
import {
  AUTHORIZE,
  authorizePath,
  readAppRequest,
  readWishes,
  type AppRequest,
} from "./authorize-request.ts";
import {
  authorizeView,
  codeView,
  deniedView,
  refusedView,
  unknownView,
} from "./authorize-view.ts";

const DECISION = Type.Object({ decision: text("allow or deny") });

/** A page that is sent to somebody with a session or without. */
type Shown = {
  readonly status: number;
  readonly title: string;
  readonly main: Html;
};

/** Where people let apps in (RFC 6749, section 4.1). */
export function authorizeRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    AUTHORIZE,
    { config: { access: "anyone", limit: "read" } },
    (request, reply) => ask(context, request, reply),
  );
  app.post(
    AUTHORIZE,
    { config: { access: "session", limit: "write" } },
    (request, reply) => decide(context, request, reply),
  );
}

async function ask(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = readAppRequest(request.parameters);
  const { mustSignIn, language } = readWishes(request.parameters);
  const session = await findVisitor(context, request);
  if (language !== undefined) preferLanguage(language);
  const checked = await check(context, reply, asked, session);
  if ("reply" in checked) return checked.reply;
  if (session && !mustSignIn)
    return sendConsent(context, reply, session, asked, checked.authorization);
  // Without the wishes: they have been granted once that page leads back.
  const back = { to: authorizePath(asked) };
  const page = { username: "", isWrong: false, back };
  return sendSignIn(context, reply, 200, page);
}

async function decide(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = readAppRequest(request.parameters);
  const { decision } = readInput(DECISION, request.parameters);
  const session = await findVisitor(context, request);
  if (!session)
    return askToSignIn(context, request, reply, { to: authorizePath(asked) });
  const checked = await check(context, reply, asked, session);
  if ("reply" in checked) return checked.reply;
  const { authorization } = checked;
  if (!isOfSession(session, request.parameters) || decision === undefined)
    return sendConsent(context, reply, session, asked, authorization, true);
  const { redirectUri } = authorization;
  if (decision !== "allow") return deny(reply, asked, session, redirectUri);
  const secret = context.cookie.read(request.headers.cookie) ?? "";
  const { oauth } = context;
  const code = await oauth
    .authorize(session.user, secret, authorization)
    .catch((error: unknown) => {
      if (error instanceof OauthError) return error;
      throw error;
    });
  if (code instanceof OauthError)
    return sendRefused(reply, session, asked, authorization, code);
  return redirectUri === OUT_OF_BAND
    ? send(reply, session, {
        status: 200,
        title: appTexts.code.title,
        main: codeView(code),
      })
    : redirectTo(
        reply,
        addParameters(redirectUri, { code, state: asked.state }),
      );
}

/** @returns what the app asks for, or the reply that was sent instead */
async function check(
  { oauth }: PagesContext,
  reply: FastifyReply,
  asked: AppRequest,
  session: Session | undefined,
): Promise<
  | { readonly authorization: Authorization }
  // A reply by itself is thenable, so it would be awaited.
  | { readonly reply: FastifyReply }
> {
  const found = await oauth.readAuthorization(asked.request);
  if (found.kind === "unknown") {
    const main = unknownView(found.missing);
    const title = appTexts.unknown.title;
    return { reply: send(reply, session, { status: 400, title, main }) };
  }
  if (found.kind === "refused")
    return { reply: sendRefused(reply, session, asked, found, found.error) };
  if (authorizePath(asked).length > MAX_TARGET_LENGTH) {
    const error = new OauthError("invalid_request", "The request is too long.");
    const { authorization } = found;
    return { reply: sendRefused(reply, session, asked, authorization, error) };
  }
  return { authorization: found.authorization };
}

function deny(
  reply: FastifyReply,
  { state }: AppRequest,
  session: Session,
  redirectUri: string,
): FastifyReply {
  if (redirectUri === OUT_OF_BAND)
    return send(reply, session, {
      status: 200,
      title: appTexts.denied.title,
      main: deniedView(),
    });
  const denied = new OauthError("access_denied", "The person has refused.");
  return redirectTo(reply, withError(redirectUri, denied, state));
}

function withError(
  redirectUri: string,
  { code, message }: OauthError,
  state: string | undefined,
): string {
  return addParameters(redirectUri, {
    error: code,
    error_description: message,
    state,
  });
}

function sendRefused(
  reply: FastifyReply,
  session: Session | undefined,
  { state }: AppRequest,
  { app, redirectUri }: { readonly app: App; readonly redirectUri: string },
  error: OauthError,
): FastifyReply {
  const target =
    redirectUri === OUT_OF_BAND
      ? undefined
      : withError(redirectUri, error, state);
  const main = refusedView(app, error, target);
  const title = appTexts.refused.title;
  return send(reply, session, { status: 400, title, main });
}

function sendConsent(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  asked: AppRequest,
  authorization: Authorization,
  isExpired = false,
): FastifyReply {
  const scopes = scopesFor(session.user, authorization.scopes);
  void reply.header("content-security-policy", CONSENT_POLICY);
  return send(reply, session, {
    status: isExpired ? 403 : 200,
    title: appTexts.authorize.title,
    main: authorizeView(session, {
      ...{ asked, authorization, scopes, isExpired },
      host: context.host,
    }),
  });
}

function send(
  reply: FastifyReply,
  session: Session | undefined,
  { status, title, main }: Shown,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title, noindex: true },
    session,
    main,
    script: null,
  });
}

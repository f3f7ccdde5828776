import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { alertView, codeField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { clearNotice } from "../session/notice-cookie.ts";
import { passkeySignInView } from "./passkey-view.ts";
import { securityTexts as security } from "../languages/texts.ts";
import { sendPage } from "../kit/send-page.ts";
import { redirectTo, type PagesContext } from "../session/visitor.ts";
import {
  DRAFT_BODY_LIMIT,
  returnTargetField,
  returnTargetOf,
  type ReturnTarget,
} from "../session/return-target.ts";
import { wantsJson } from "../kit/wanted-type.ts";

/** The page for the code, after the password. */
export const SECOND_STEP = "/users/sign_in/second";
const START = "/users/sign_in";
/** A passkey with its attestation, and the draft. */
const BODY_LIMIT = 64 * 1024 + DRAFT_BODY_LIMIT;

const texts = security.secondStep;
const CODE = Type.Object({ code: text("Of the app, or a recovery code") });
const PASSKEY = Type.Object({ credential: text("JSON of the browser") });

/**
 * The second step of a sign-in: the second factor, or a passkey instead of
 * both.
 */
export function secondStepRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { accounts, pendingCookie } = context;
  const reading = { config: { access: "anyone", limit: "read" } } as const;
  const proving = {
    config: { access: "anyone", limit: "credentials" },
    bodyLimit: BODY_LIMIT,
  } as const;
  app.get(SECOND_STEP, reading, async ({ headers, parameters }, reply) => {
    const pending = pendingCookie.read(headers.cookie);
    return pending !== undefined && (await accounts.isSignInPending(pending))
      ? sendSecondStep(context, reply, 200, [], {
          to: returnTargetOf(parameters).to,
        })
      : redirectTo(reply, START);
  });
  app.post(SECOND_STEP, proving, (request, reply) =>
    finishSignIn(context, request, reply),
  );
  app.post("/users/sign_in/passkey/options", proving, async (_, reply) =>
    reply
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(await accounts.beginPasskeySignIn())),
  );
  app.post("/users/sign_in/passkey", proving, (request, reply) =>
    signInWithPasskey(context, request, reply),
  );
}

/** The network and the device of a sign-in. */
export function fromOf({ network, headers }: FastifyRequest) {
  return { from: network, userAgent: headers["user-agent"] };
}

/**
 * Sets the session cookie, in place of the former session and of the first
 * step.
 */
export async function startSession(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<FastifyReply> {
  const { accounts, cookie, pendingCookie } = context;
  const { headers, parameters } = request;
  const older = cookie.read(headers.cookie);
  if (older !== undefined) await accounts.signOut(older);
  const pending = pendingCookie.read(headers.cookie);
  if (pending !== undefined) await accounts.dropPendingSignIn(pending);
  void reply.header("set-cookie", [
    cookie.set(secret),
    clearNotice(),
    ...(pending === undefined ? [] : [pendingCookie.clear()]),
  ]);
  const back = returnTargetOf(parameters);
  const session = back.draft && (await accounts.findSession(secret));
  return session
    ? context.resume(context, request, reply, session, back)
    : redirectTo(reply, back.to);
}

async function finishSignIn(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accounts, pendingCookie } = context;
  const { code = "" } = readInput(CODE, request.parameters);
  const isProgram = wantsJson(request.headers.accept);
  const pending = pendingCookie.read(request.headers.cookie);
  if (pending === undefined || !(await accounts.isSignInPending(pending))) {
    if (isProgram) throw new KithError("unauthorized", "No sign-in waits.");
    return redirectTo(reply, START);
  }
  const from = fromOf(request);
  const secret = await accounts.finishSignIn(pending, code, from);
  if (secret !== undefined)
    return startSession(context, request, reply, secret);
  if (isProgram) throw new KithError("unauthorized", "Wrong code.");
  const back = returnTargetOf(request.parameters);
  return sendSecondStep(context, reply, 401, [texts.wrong], back);
}

async function signInWithPasskey(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { credential = "" } = readInput(PASSKEY, request.parameters);
  const { userAgent } = fromOf(request);
  const secret = await context.accounts.signInWithPasskey(
    credential,
    userAgent,
  );
  if (secret !== undefined)
    return startSession(context, request, reply, secret);
  if (wantsJson(request.headers.accept))
    throw new KithError("unauthorized", "No such passkey.");
  return sendStep(reply, 401, {
    title: security.passkeys.signIn,
    main: html`<h1>${security.passkeys.signIn}</h1>
      ${alertView([security.passkeys.unknown])}
      ${passkeySignInView(returnTargetOf(request.parameters))} ${startOver()}`,
  });
}

export function sendSecondStep(
  context: PagesContext,
  reply: FastifyReply,
  status: number,
  faults: readonly string[],
  back: ReturnTarget,
): FastifyReply {
  return sendStep(reply, status, {
    title: texts.title,
    main: html`<h1>${texts.title}</h1>
      ${alertView(faults)}
      <p>${texts.text}</p>
      <form method="post" action="${SECOND_STEP}" class="stacked">
        ${returnTargetField(back)}
        ${codeField("code", { isFaulty: faults.length > 0 })}
        <p class="actions"><button>${texts.button}</button></p>
      </form>
      ${passkeySignInView(back)} ${startOver()}`,
  });
}

function startOver(): Html {
  return html`<p><a href="${START}">${texts.again}</a></p>`;
}

function sendStep(
  reply: FastifyReply,
  status: number,
  { title, main }: { readonly title: string; readonly main: Html },
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title, noindex: true },
    session: undefined,
    main,
    script: "passkeys.js",
  });
}

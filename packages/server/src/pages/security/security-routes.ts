import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { AppPasswordId, PasskeyId, TokenId } from "../../features/ids.ts";
import { readInput, text, uint } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { answerFor } from "../../http/error-response.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import type { Html } from "../kit/html.ts";
import {
  appPasswordView,
  CHOICES,
  enrolmentView,
  OTHERS,
  recoveryCodesView,
  SECURITY,
  securityView,
  type SecuritySaid,
  wrongFirstCodeView,
} from "./security-view.ts";
import { securityTexts as texts } from "../languages/texts.ts";
import { sendPage } from "../kit/send-page.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
  type Resume,
} from "../session/visitor.ts";
import { draftOf, signInPath } from "../session/return-target.ts";
import { wantsJson } from "../kit/wanted-type.ts";

/** A passkey with its attestation. */
const BODY_LIMIT = 64 * 1024;

const PROOF = Type.Object({
  password: text("The password, once more"),
  code: text("Of the app, or a recovery code"),
});
const SESSION = Type.Object({
  session: text(`Which session ends, or \`${OTHERS}\``),
});
const TOKEN = Type.Object({ token: uint("Which token ends") });
const APP_PASSWORD = Type.Object({
  app_password: uint("Which app password ends"),
});
const NEW_APP_PASSWORD = Type.Object({
  app_name: text("The program or device that gets an app password"),
});
const NEW_PASSKEY = Type.Object({
  name: text("How a new passkey is called"),
  credential: text("JSON of the browser"),
});
const PASSKEY = Type.Object({ passkey: uint("Which passkey is removed") });

/** A signed-in request for a change. */
type Asked = {
  readonly session: Session;
  readonly parameters: Parameters;
  /** The password and the code, and the session that stays. */
  readonly proof: {
    readonly password: string;
    readonly code: string;
    readonly session: string;
    readonly from: string;
  };
  readonly reply: FastifyReply;
};

/**
 * Not the reply itself: it is thenable, so awaiting it yields nothing, and
 * would answer twice.
 */
type Outcome = "answered" | "done";

type Change = (context: PagesContext, asked: Asked) => Promise<Outcome>;

/** Manages sessions, tokens, the second factor and passkeys. */
export function securityRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    SECURITY,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(SECURITY));
      return sendSecurity(context, request, reply, session);
    },
  );
  for (const [path, change] of Object.entries(CHANGES))
    app.post(
      `${SECURITY}/${path}`,
      {
        config: { access: "session", limit: "credentials" },
        bodyLimit: BODY_LIMIT,
      },
      (request, reply) => answerChange(context, request, reply, change),
    );
}

/** The handlers by path; unless they answer, the browser is redirected back. */
const CHANGES: Readonly<Record<string, Change>> = {
  sessions: async (context, { session, parameters, proof }) => {
    const { security } = context.accounts;
    const { session: name = "" } = readInput(SESSION, parameters);
    await (name === OTHERS
      ? security.endOtherSessions(session.user, proof)
      : security.endSession(session.user, proof, name));
    return "done";
  },
  tokens: async (context, { session, parameters, proof }) => {
    const { token = 0 } = readInput(TOKEN, parameters);
    const { security } = context.accounts;
    await security.deleteToken(session.user, proof, token as TokenId);
    return "done";
  },
  app_passwords: async (context, { session, parameters, proof, reply }) => {
    const { app_name: name = "" } = readInput(NEW_APP_PASSWORD, parameters);
    const { security } = context.accounts;
    const made = await security.addAppPassword(session.user, proof, name);
    const main = appPasswordView(session.user.username, made);
    sendSecret(reply, session, texts.appPasswords.made, main);
    return "answered";
  },
  "app_passwords/remove": async (context, { session, parameters, proof }) => {
    const { app_password: id = 0 } = readInput(APP_PASSWORD, parameters);
    const { security } = context.accounts;
    await security.removeAppPassword(session.user, proof, id as AppPasswordId);
    return "done";
  },
  second_factor: async (context, { session, proof, reply }) => {
    const { security } = context.accounts;
    const key = await security.enrol(session.user, proof);
    const main = await enrolmentView(session, key);
    sendSecret(reply, session, texts.secondFactor.setUp, main);
    return "answered";
  },
  "second_factor/confirm": async (context, { session, proof, reply }) => {
    const { security } = context.accounts;
    const codes = await security.confirm(session.user, proof);
    if (codes) sendRecoveryCodes(reply, session, codes);
    else {
      // The secret was shown right after the password check, and is not shown
      // again.
      const main = wrongFirstCodeView(session, texts.secondStep.wrong);
      sendSecret(reply, session, texts.secondFactor.setUp, main, 401);
    }
    return "answered";
  },
  "second_factor/remove": async (context, { session, proof }) => {
    await context.accounts.security.turnOff(session.user, proof);
    return "done";
  },
  recovery_codes: async (context, { session, proof, reply }) => {
    const { security } = context.accounts;
    const codes = await security.renewRecoveryCodes(session.user, proof);
    sendRecoveryCodes(reply, session, codes);
    return "answered";
  },
  "passkeys/options": async (context, { session, proof, reply }) => {
    const { security } = context.accounts;
    const options = await security.beginPasskey(session.user, proof);
    void reply
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(options));
    return "answered";
  },
  passkeys: async (context, { session, parameters, proof }) => {
    const { security } = context.accounts;
    const { credential = "", name = "" } = readInput(NEW_PASSKEY, parameters);
    const made = { response: credential, name, session: proof.session };
    await security.addPasskey(session.user, made);
    return "done";
  },
  "passkeys/remove": async (context, { session, parameters, proof }) => {
    const { passkey = 0 } = readInput(PASSKEY, parameters);
    const { security } = context.accounts;
    await security.removePasskey(session.user, proof, passkey as PasskeyId);
    return "done";
  },
};

async function answerChange(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  change: Change,
): Promise<FastifyReply> {
  const isProgram = wantsJson(request.headers.accept);
  const session = await findVisitor(context, request);
  if (!session) {
    if (isProgram) throw new KithError("unauthorized", "No session.");
    const draft = draftOf(CHOICES, request.parameters);
    return Object.keys(draft).length === 0
      ? redirectTo(reply, signInPath(SECURITY))
      : askToSignIn(context, request, reply, { to: SECURITY, draft });
  }
  const { parameters } = request;
  const chosen = draftOf(CHOICES, parameters);
  if (isProgram) checkCsrf(session, parameters);
  if (!isOfSession(session, parameters))
    return sendSecurity(context, request, reply, session, {
      status: 403,
      fault: texts.expired,
      chosen,
    });
  const { password = "", code = "" } = readInput(PROOF, parameters);
  const current = secretOf(context, request);
  const proof = { password, code, session: current, from: request.network };
  try {
    const asked = { session, parameters, proof, reply };
    const outcome = await change(context, asked);
    return outcome === "answered" ? reply : redirectTo(reply, SECURITY);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined || isProgram) throw error;
    // The page is here: what is missing is a choice on it.
    const answer = answerFor(error);
    const status = answer && answer.status !== 404 ? answer.status : 422;
    const said = { status, fault, chosen };
    return sendSecurity(context, request, reply, session, said);
  }
}

/** After a sign-in: no change happens without the password. */
export const resumeSecurity: Resume = (
  context,
  request,
  reply,
  session,
  draft,
) =>
  sendSecurity(context, request, reply, session, {
    fault: texts.signedOut,
    chosen: draftOf(CHOICES, draft),
  });

/** A fault that the user can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "unauthorized") return texts.faults.wrong;
  if (error.code === "not_found") return texts.faults.choice;
  if (error.code === "conflict") return texts.faults.conflict;
  if (error.code === "empty_string" || error.code === "bad_request")
    return texts.faults.name;
  return error.code === "invalid" ? texts.faults.passkey : undefined;
}

function secretOf({ cookie }: PagesContext, { headers }: FastifyRequest) {
  return cookie.read(headers.cookie) ?? "";
}

async function sendSecurity(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { status, ...said }: SecuritySaid & { readonly status?: number } = {},
): Promise<FastifyReply> {
  const { accounts, clock } = context;
  const current = secretOf(context, request);
  const ways = await accounts.security.list(session.user.userId, current);
  return sendPage(reply, {
    ...(status !== undefined && { status }),
    head: { title: texts.title, noindex: true },
    session,
    main: securityView(session, ways, clock.now(), said),
    script: "passkeys.js",
  });
}

function sendRecoveryCodes(
  reply: FastifyReply,
  session: Session,
  codes: readonly string[],
): void {
  const main = recoveryCodesView(codes);
  sendSecret(reply, session, texts.recoveryCodes.title, main);
}

/** Sends a page that is shown once, to the session that requested it. */
function sendSecret(
  reply: FastifyReply,
  session: Session,
  title: string,
  main: Html,
  status = 200,
): void {
  void sendPage(reply, {
    status,
    head: { title, noindex: true },
    session,
    main,
    script: null,
  });
}

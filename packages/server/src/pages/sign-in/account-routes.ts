import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { LimitClass } from "../../http/load/limit-requests.ts";
import { KithError } from "../../lib/errors.ts";
import { readMailAddress } from "../../lib/mail/mail-address.ts";
import {
  faultWords,
  foundFirstView,
  NO_SIGN_UP,
  signUpView,
  type SignUpForm,
  type SignUpFormFault,
} from "./account-views.ts";
import { html } from "../kit/html.ts";
import { suspensionView } from "../strikes/suspended-routes.ts";
import { writtenView } from "../kit/components/written-view.ts";
import { checkCsrf } from "../kit/csrf.ts";
import {
  clearNotice,
  readNotice,
  setNotice,
} from "../session/notice-cookie.ts";
import {
  fromOf,
  SECOND_STEP,
  sendSecondStep,
  startSession,
} from "./second-step-routes.ts";
import { sendJsonError, sendPage } from "../kit/send-page.ts";
import { sendSignIn } from "./send-sign-in.ts";
import { currentLanguage } from "../languages/reader.ts";
import { pageTexts as texts } from "../languages/texts.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import {
  DRAFT_BODY_LIMIT,
  refererTarget,
  returnTargetOf,
  withReturnTarget,
} from "../session/return-target.ts";
import { FIRST_STEPS, HOME } from "../session/places.ts";
import { wantsJson } from "../kit/wanted-type.ts";

const CREDENTIALS = Type.Object({
  username: text("The name before the @ of the handle"),
  password: text("The password"),
  confirm: text("The password again; programs may leave it out"),
});

const SIGN_UP = Type.Object({
  ...CREDENTIALS.properties,
  reason: text("Why somebody wants to join, where accounts are approved"),
  invitation: text("The code of an invitation"),
  email: text("An e-mail address, if there shall be one"),
  date_of_birth: text(
    "A date such as 1990-12-31, where there is a minimum age",
  ),
  time_zone: text("The time zone of the browser"),
});

/** A name and passwords, with up to three bytes for each character. */
const BODY_LIMIT = 32 * 1024;

export function accountRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const anyone = { config: { access: "anyone", limit: "read" } } as const;
  const form = (limit: LimitClass) => ({
    config: { access: "anyone", limit } as const,
    bodyLimit: BODY_LIMIT,
  });
  app.get("/users/sign_up", anyone, async (request, reply) => {
    const { invitation = "" } = readInput(SIGN_UP, request.parameters);
    await refuseUninvited(context, invitation);
    if (invitation === "" && (await context.accounts.isNew()))
      return sendPage(reply, {
        head: { title: texts.account.signUpTitle, noindex: true },
        session: undefined,
        main: foundFirstView(),
      });
    return sendSignUp(context, reply, 200, { ...NO_SIGN_UP, invitation });
  });
  app.post("/users/sign_up", form("credentials"), (request, reply) =>
    signUp(context, request, reply),
  );
  app.get("/users/sign_in", anyone, async (request, reply) => {
    // A draft is accepted from a form only: a URL may contain anyone's text.
    const given =
      request.parameters["to"] === undefined
        ? refererTarget(request.headers.referer, context.baseUrl)
        : returnTargetOf(request.parameters).to;
    const signedUp = readNotice(request.headers.cookie);
    // A newcomer is led to the first steps.
    const isNewcomer = signedUp?.notice === "created" && given === HOME;
    const to = isNewcomer ? FIRST_STEPS : given;
    const back = { to };
    if (await findVisitor(context, request)) return redirectTo(reply, to);
    if (signedUp) void reply.header("set-cookie", clearNotice());
    return sendSignIn(context, reply, 200, {
      username: signedUp?.username ?? "",
      isWrong: false,
      back,
      notice: signedUp?.notice,
    });
  });
  app.post(
    "/users/sign_in",
    { ...form("credentials"), bodyLimit: BODY_LIMIT + DRAFT_BODY_LIMIT },
    (request, reply) => signIn(context, request, reply),
  );
  app.post(
    "/users/sign_out",
    { config: { access: "session", limit: "write" }, bodyLimit: BODY_LIMIT },
    (request, reply) => signOut(context, request, reply),
  );
}

async function signUp(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = readInput(SIGN_UP, request.parameters);
  const { username = "", password = "", confirm = password } = input;
  const { reason = "", invitation = "", email = "", time_zone } = input;
  const { date_of_birth: dateOfBirth = "" } = input;
  await refuseUninvited(context, invitation);
  const isInvited = invitation !== "";
  const { signUp: registration } = await context.serverProfile.get();
  const waits = registration === "approval" && !isInvited;
  const state = waits ? "pending" : "active";
  const { faults, isPending } = await tryToSignUp(
    context,
    {
      ...{ username, password, state, reason, from: request.network },
      dateOfBirth,
      ...(isInvited && { invitation }),
      ...(time_zone !== undefined && { timeZone: time_zone }),
    },
    { confirm, email: context.mails.isEnabled ? email.trim() : "" },
  );
  if (faults.length === 0) {
    const notice = isPending ? "pending" : "created";
    void reply.header("set-cookie", setNotice({ notice, username }));
    return redirectTo(reply, "/users/sign_in");
  }
  if (wantsJson(request.headers.accept))
    return sendJsonError(reply, {
      status: 422,
      message: faults.map(faultWords).join(" "),
    });
  const typed = { username, reason, invitation, email, dateOfBirth };
  const form = { ...typed, faults };
  return sendSignUp(context, reply, 422, form);
}

async function tryToSignUp(
  { accounts, mails }: PagesContext,
  input: Parameters<PagesContext["accounts"]["signUp"]>[0],
  { confirm, email }: { readonly confirm: string; readonly email: string },
): Promise<{ faults: readonly SignUpFormFault[]; isPending?: boolean }> {
  if (confirm !== input.password) return { faults: ["confirm_differs"] };
  const address = email === "" ? undefined : readMailAddress(email);
  if (email !== "" && address === undefined)
    return { faults: ["email_malformed"] };
  if (address !== undefined) mails.admit(address);
  const locale = currentLanguage();
  const result = await accounts.signUp({
    ...{ ...input, locale },
    ...(address !== undefined && {
      mail: address,
      also: (tx, id) => mails.askToConfirm(tx, id, address),
    }),
  });
  return result.kind === "refused"
    ? { faults: result.faults }
    : { faults: [], isPending: result.account.state === "pending" };
}

/**
 * @throws {KithError} `invitation_refused`, or `registration_closed` without an
 *   invitation
 */
async function refuseUninvited(
  { serverProfile, invitations }: PagesContext,
  invitation: string,
): Promise<void> {
  if (invitation !== "" && !(await invitations.isUsable(invitation)))
    throw new KithError("invitation_refused", "It lets nobody in.");
  const { signUp: registration } = await serverProfile.get();
  if (invitation === "" && registration === "closed")
    throw new KithError("registration_closed", "Nobody can sign up.");
}

async function signIn(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accounts, pendingCookie } = context;
  const input = readInput(CREDENTIALS, request.parameters);
  const { username = "", password = "" } = input;
  const back = returnTargetOf(request.parameters);
  let result: Awaited<ReturnType<typeof accounts.signIn>>;
  try {
    result = await accounts.signIn(username, password, fromOf(request));
  } catch (error) {
    if (!isSuspended(error) || wantsJson(request.headers.accept)) throw error;
    const account = await accounts.find(username);
    const suspension =
      (account && (await suspensionView(context, account.id))) ?? html``;
    const page = { username, isWrong: false, back, suspension };
    return sendSignIn(context, reply, 403, page);
  }
  if (result === undefined) {
    if (wantsJson(request.headers.accept))
      throw new KithError("unauthorized", "Wrong name or password.");
    return sendSignIn(context, reply, 401, { username, isWrong: true, back });
  }
  if (result.kind === "signed_in")
    return startSession(context, request, reply, result.secret);
  void reply.header("set-cookie", pendingCookie.set(result.secret));
  // The draft stays in the form: it is too long for a URL.
  return back.draft
    ? sendSecondStep(context, reply, 200, [], back)
    : redirectTo(reply, withReturnTarget(SECOND_STEP, back.to));
}

function isSuspended(error: unknown): boolean {
  return error instanceof KithError && error.code === "suspended";
}

async function signOut(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accounts, cookie } = context;
  const session = await findVisitor(context, request);
  const secret = cookie.read(request.headers.cookie);
  if (session && secret !== undefined) {
    checkCsrf(session, request.parameters);
    await accounts.signOut(secret);
  }
  void reply.header("set-cookie", cookie.clear());
  return redirectTo(reply, "/");
}

async function sendSignUp(
  context: PagesContext,
  reply: FastifyReply,
  status: number,
  form: SignUpForm,
): Promise<FastifyReply> {
  const server = await context.serverProfile.get();
  const joining = writtenView(server.joining);
  return sendPage(reply, {
    status,
    head: { title: texts.account.signUpTitle, noindex: true },
    session: undefined,
    main: signUpView(context, server.signUp, form, {
      ...{ joining, hasTerms: server.terms !== "" },
      isFounded: await context.accounts.hasAdmin(),
      minAge: server.minAge,
    }),
  });
}

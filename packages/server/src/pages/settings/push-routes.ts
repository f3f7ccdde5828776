import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { pushTexts as texts } from "../languages/texts.ts";
import { PUSH_END, PUSH_PATH, type PushState } from "./push-view.ts";
import type { SettingsDraft } from "./settings-view.ts";

const TARGET = Type.Object({
  endpoint: text("The https URL at the push service of the browser"),
  p256dh: text("The public key of the browser, in base64url"),
  auth: text("The authentication secret of the browser, in base64url"),
});

type PushRoutes = {
  /** The page that leads here. */
  readonly path: string;
  readonly send: (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    draft: SettingsDraft,
  ) => Promise<FastifyReply>;
};

/** Pushes to the browser of a session. */
export function pushPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
  settings: PushRoutes,
): void {
  const changes = {
    [PUSH_PATH]: begin,
    [PUSH_END]: async (...[, request, { user }]: Parameters<typeof begin>) =>
      context.push.unsubscribe(user.userId, holderOf(context, request)),
  };
  for (const [path, change] of Object.entries(changes))
    app.post(
      path,
      { config: { access: "session", limit: "write" } },
      async (request, reply) => {
        const { path: to, send } = settings;
        const session = await findVisitor(context, request);
        if (!session) return askToSignIn(context, request, reply, { to });
        checkCsrf(session, request.parameters);
        try {
          await change(context, request, session);
        } catch (error) {
          if (!(error instanceof KithError) || error.code !== "invalid")
            throw error;
          return send(request, reply, session, { fault: texts.refused });
        }
        return redirectTo(reply, `${to}#push`);
      },
    );
}

async function begin(
  context: PagesContext,
  request: FastifyRequest,
  { user }: Session,
): Promise<void> {
  const given = readInput(TARGET, request.parameters);
  const { endpoint = "", p256dh = "", auth = "" } = given;
  await context.push.subscribe(user.userId, holderOf(context, request), {
    ...{ target: { endpoint, p256dh, auth }, encoding: "aes128gcm" },
    ...{ alerts: [], policy: "all" },
  });
}

/** Does the browser of this session receive pushes? */
export async function readPushState(
  context: PagesContext,
  request: FastifyRequest,
  { user }: Session,
): Promise<PushState> {
  const { push } = context;
  const found = await push.find(user.userId, holderOf(context, request));
  return { isOn: found !== undefined, key: await push.publicKey() };
}

const holderOf = ({ cookie }: PagesContext, { headers }: FastifyRequest) => ({
  session: cookie.read(headers.cookie) ?? "",
});

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { unlessDone } from "./contact-routes.ts";
import { REQUESTS, requestsView } from "./request-view.ts";

const LIST = { path: "", size: 50, order: "newest first" } as const;

const ANSWERED = Type.Object({ person: text("The Guid of who asked") });

type Act = (session: Session, request: FastifyRequest) => Promise<unknown>;

/** The people who ask to follow the user, and the answers. */
export function requestRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { requests } = context.contacts;
  app.get(
    REQUESTS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const { userId } = session.user;
      const part = await readKeyedPart(request, LIST, async (page) =>
        (await requests.list(userId, page)).map(({ person }) => person),
      );
      return sendPage(reply, {
        head: { title: texts.requests, noindex: true },
        session,
        main: requestsView(session, part),
      });
    },
  );
  answerActs(app, context);
}

function answerActs(app: FastifyInstance, context: PagesContext): void {
  const { requests } = context.contacts;
  const acts: readonly (readonly [string, Act])[] = [
    [
      "accept",
      async ({ user }, request) => {
        const { id } = await getAsker(context, request);
        await unlessDone(requests.accept(user, id));
      },
    ],
    [
      "refuse",
      async ({ user }, request) => {
        const { id } = await getAsker(context, request);
        await unlessDone(requests.refuse(user, id));
      },
    ],
    ["accept-all", ({ user }) => requests.acceptAll(user)],
  ];
  const config = { access: "session", limit: "write" } as const;
  for (const [name, act] of acts)
    app.post(`${REQUESTS}/${name}`, { config }, async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, { to: REQUESTS });
      checkCsrf(session, request.parameters);
      await act(session, request);
      return redirectTo(reply, REQUESTS);
    });
}

/** @throws {KithError} `not_found` */
async function getAsker(
  { people }: PagesContext,
  request: FastifyRequest,
): Promise<Person> {
  const { person: guid = "" } = readInput(ANSWERED, request.parameters);
  const person = isGuid(guid) ? await people.find({ guid }) : undefined;
  if (!person) throw new KithError("not_found", "No such person.");
  return person;
}

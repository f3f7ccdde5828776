import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type { AspectId } from "../../features/ids.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { confirmView } from "../kit/components/confirm-view.ts";
import { checkCsrf } from "../kit/csrf.ts";
import type { Html } from "../kit/html.ts";
import { readIds } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { contactTexts } from "../languages/texts.ts";
import { ASPECTS, aspectPath } from "../session/places.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { aspectsView, aspectView } from "./aspects-view.ts";
import { changeMembers, loadMembers } from "./members.ts";

const texts = contactTexts.aspect;

type OfAspect = { Params: { id: string } };

const NAME = Type.Object({ name: text("The name of an aspect") });

const EXCLUSIVE = Type.Object({
  exclusive: flag("Are its posts left out of the home?"),
});

/** A change of one of the user's aspects. @returns the page that it leads to */
type Act = (
  session: Session,
  id: AspectId,
  parameters: Parameters,
) => Promise<string>;

/** The user's own groups of contacts. */
export function aspectRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const reading = { config: { access: "session", limit: "read" } } as const;
  app.get(ASPECTS, reading, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendAspects(context, reply, session);
  });
  app.post(
    ASPECTS,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, { to: ASPECTS });
      checkCsrf(session, request.parameters);
      return create(context, request, reply, session);
    },
  );
  for (const [path, show] of [
    [`${ASPECTS}/:id`, sendAspect],
    [`${ASPECTS}/:id/delete`, sendDeletion],
  ] as const)
    app.get<OfAspect>(path, reading, async (request, reply) => {
      const id = readId(request.params.id);
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const aspect = await getOwn(context, session, id);
      return show(context, request, reply, { session, aspect });
    });
  aspectActs(app, context);
}

function aspectActs(app: FastifyInstance, context: PagesContext): void {
  const { aspects } = context;
  const acts: readonly (readonly [string, Act])[] = [
    [
      "/rename",
      async ({ user }, id, given) => {
        const name = readName(given);
        await refuseTaken(context, user.userId, name, id);
        await aspects.rename(user.userId, id, name);
        return aspectPath(id);
      },
    ],
    [
      "/home",
      async ({ user }, id, given) => {
        const { exclusive } = readInput(EXCLUSIVE, given);
        await aspects.change(user.userId, id, { exclusive });
        return `${aspectPath(id)}#change`;
      },
    ],
    [
      "/delete",
      async ({ user }, id) => {
        await aspects.remove(user, id);
        return ASPECTS;
      },
    ],
    [
      "/members",
      ({ user }, id, given) => changeMembers(context, user, id, given),
    ],
    ...(["earlier", "later"] as const).map((step): readonly [string, Act] => [
      `/${step}`,
      async ({ user }, id) => {
        await aspects.move(user.userId, id, step);
        return `${ASPECTS}#aspect-${id}`;
      },
    ]),
  ];
  for (const [name, act] of acts)
    app.post<OfAspect>(
      `${ASPECTS}/:id${name}`,
      { config: { access: "session", limit: "write" } },
      async (request, reply) => {
        const id = readId(request.params.id);
        const session = await findVisitor(context, request);
        if (!session)
          return askToSignIn(context, request, reply, { to: ASPECTS });
        checkCsrf(session, request.parameters);
        const aspect = await getOwn(context, session, id);
        try {
          const to = await act(session, aspect.id, request.parameters);
          return redirectTo(reply, to);
        } catch (error) {
          const fault = faultOf(error);
          if (fault === undefined) throw error;
          const shown = { session, aspect, fault };
          return sendAspect(context, request, reply, shown);
        }
      },
    );
}

async function create(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const name = readName(request.parameters);
  try {
    await refuseTaken(context, session.user.userId, name);
    const { id } = await context.aspects.create(session.user.userId, name);
    return redirectTo(reply, `${aspectPath(id)}?all=true`);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return sendAspects(context, reply, session, { fault, name });
  }
}

/** An aspect, and the fault of a change that was refused. */
type Shown = {
  readonly session: Session;
  readonly aspect: Aspect;
  readonly fault?: string;
};

async function sendAspects(
  { aspects }: PagesContext,
  reply: FastifyReply,
  session: Session,
  refused?: { readonly fault: string; readonly name: string },
): Promise<FastifyReply> {
  const list = await aspects.list(session.user.userId);
  return send(reply, session, {
    ...{ title: texts.title, isFaulty: refused !== undefined },
    main: aspectsView(session, list, refused),
  });
}

async function sendAspect(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, aspect, fault }: Shown,
): Promise<FastifyReply> {
  const members = await loadMembers(context, request, session, aspect);
  return send(reply, session, {
    ...{ title: aspect.name, isFaulty: fault !== undefined },
    main: aspectView(session, aspect, members, fault),
  });
}

async function sendDeletion(
  _context: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  { session, aspect: { id, name } }: Shown,
): Promise<FastifyReply> {
  return send(reply, session, {
    ...{ title: texts.deleteTitle, isFaulty: false },
    main: confirmView(session, {
      ...{ title: texts.deleteTitle, quoted: name, about: texts.deleteAbout },
      action: `${aspectPath(id)}/delete`,
      button: texts.delete,
      keep: { path: aspectPath(id), label: texts.keep },
    }),
  });
}

function send(
  reply: FastifyReply,
  session: Session,
  page: {
    readonly title: string;
    readonly isFaulty: boolean;
    readonly main: Html;
  },
): FastifyReply {
  return sendPage(reply, {
    status: page.isFaulty ? 422 : 200,
    head: { title: page.title, noindex: true },
    session,
    main: page.main,
  });
}

/** @throws {KithError} `not_found` */
function readId(given: string): AspectId {
  const [id] = readIds([given]);
  if (id === undefined) throw new KithError("not_found", "No such aspect.");
  return id as AspectId;
}

/** @throws {KithError} `not_found`, also for another user's aspect */
async function getOwn(
  { aspects }: PagesContext,
  { user }: Session,
  id: AspectId,
): Promise<Aspect> {
  const own = await aspects.list(user.userId);
  const found = own.find((aspect) => aspect.id === id);
  if (!found) throw new KithError("not_found", "No such aspect.");
  return found;
}

/** A fault that the user can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.blank;
  if (error.code === "conflict") return texts.taken;
  return error.code === "bad_request" ? texts.refused : undefined;
}

/**
 * Two aspects of one name cannot be told apart in a form. Programs may make them: they know
 * aspects by their ids.
 * @param own the aspect that is renamed
 * @throws {KithError} `conflict`
 */
async function refuseTaken(
  { aspects }: PagesContext,
  userId: Session["user"]["userId"],
  name: string,
  own?: AspectId,
): Promise<void> {
  const wanted = name.trim().toLowerCase();
  const all = await aspects.listSummaries(userId);
  const isTaken = all.some(
    (it) => it.id !== own && it.name.trim().toLowerCase() === wanted,
  );
  if (isTaken) throw new KithError("conflict", "The name is taken.");
}

function readName(parameters: Parameters): string {
  return readInput(NAME, parameters).name ?? "";
}

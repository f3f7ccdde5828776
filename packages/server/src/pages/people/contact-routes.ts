import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { AspectId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { readPart } from "../kit/page-input.ts";
import { personPath } from "../kit/person-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { CONTACTS, contactsView, foundView } from "./contacts-view.ts";
import { MAX_COUNTED_REQUESTS } from "./request-view.ts";

const PAGE_SIZE = 50;
const MAX_FOUND = 20;

const FIND = Type.Object({ q: text("Whom to find") });
const ASPECT = Type.Object({
  aspect: text("The id of an aspect"),
  name: text("The name of an aspect"),
});

type OfGuid = { Params: { guid: string } };

/** A change of the user's own aspects. */
type Act = (session: Session, parameters: Parameters) => Promise<unknown>;

/** A change of the user's contact with a person. */
type ContactAct = (
  session: Session,
  person: Person,
  parameters: Parameters,
) => Promise<unknown>;

/** Finding people, following them, and the aspects that hold them. */
export function contactRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "session", limit: "read" } as const;
  app.get(CONTACTS, { config }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendContacts(context, request, reply, session);
  });
  app.get(
    `${CONTACTS}/find`,
    // It may ask other servers.
    { config: { access: "session", limit: "costly" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendFound(context, request, reply, session);
    },
  );
  aspectActs(app, context);
  contactActs(app, context);
}

function aspectActs(app: FastifyInstance, context: PagesContext): void {
  const { aspects } = context;
  const acts: readonly (readonly [string, Act])[] = [
    [
      "create",
      ({ user }, given) => aspects.create(user.userId, readName(given)),
    ],
    [
      "rename",
      ({ user }, given) =>
        aspects.rename(user.userId, readAspect(given), readName(given)),
    ],
    ["delete", ({ user }, given) => aspects.remove(user, readAspect(given))],
  ];
  const config = { access: "session", limit: "write" } as const;
  for (const [name, act] of acts)
    app.post(
      `${CONTACTS}/aspects/${name}`,
      { config },
      async (request, reply) => {
        const session = await findVisitor(context, request);
        if (!session)
          return askToSignIn(context, request, reply, { to: CONTACTS });
        checkCsrf(session, request.parameters);
        try {
          await act(session, request.parameters);
        } catch (error) {
          const fault = faultOf(error);
          if (fault === undefined) throw error;
          return sendContacts(context, request, reply, session, fault);
        }
        return redirectTo(reply, CONTACTS);
      },
    );
}

function contactActs(app: FastifyInstance, context: PagesContext): void {
  const { aspects, blocks, contacts } = context;
  const acts: readonly (readonly [string, ContactAct])[] = [
    [
      "follow",
      ({ user }, { id }) => aspects.follow(user, id, texts.defaultAspect),
    ],
    ["unfollow", ({ user }, { id }) => unlessDone(aspects.unfollow(user, id))],
    [
      "add",
      ({ user }, { id }, given) =>
        aspects.addPerson(user, readAspect(given), id),
    ],
    [
      "remove",
      ({ user }, { id }, given) =>
        unlessDone(aspects.removePerson(user, readAspect(given), id)),
    ],
    [
      "remove_follower",
      ({ user }, { id }) => unlessDone(contacts.removeFollower(user, id)),
    ],
    ["ignore", ({ user }, { id }) => blocks.ignore(user, id)],
    ["unignore", ({ user }, { id }) => unlessDone(blocks.unignore(user, id))],
    ["block", ({ user }, { id }) => blocks.block(user, id)],
    ["unblock", ({ user }, { id }) => unlessDone(blocks.unblock(user, id))],
  ];
  const config = { access: "session", limit: "write" } as const;
  for (const [name, act] of acts)
    app.post<OfGuid>(
      `/people/:guid/${name}`,
      { config },
      async (request, reply) => {
        const { guid } = request.params;
        if (!isGuid(guid)) throw new KithError("not_found", "No such person.");
        const session = await findVisitor(context, request);
        const to = `/people/${encodeURIComponent(guid)}`;
        if (!session) return askToSignIn(context, request, reply, { to });
        checkCsrf(session, request.parameters);
        const person = await context.people.find({ guid });
        if (person?.state !== "active")
          throw new KithError("not_found", "No such person.");
        await act(session, person, request.parameters);
        return redirectTo(reply, personPath(person));
      },
    );
}

/** A form that is sent twice is not a fault: the second time, the act is done. */
export async function unlessDone(act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "not_found")
      throw error;
  }
}

async function sendContacts(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  fault?: string,
): Promise<FastifyReply> {
  const { userId } = session.user;
  const aspects = await context.aspects.list(userId);
  const ids = aspects.flatMap(({ memberships }) =>
    memberships.map(({ personId }) => personId),
  );
  const part = await readPart(request, PAGE_SIZE, (page) =>
    context.contacts.list(userId, "followers", page),
  );
  const shown = new Set([...ids, ...part.items]);
  const people = await context.people.listById(shown);
  const items = part.items.flatMap((id) => people.get(id) ?? []);
  return sendPage(reply, {
    status: fault === undefined ? 200 : 422,
    head: { title: texts.title, noindex: true },
    session,
    main: contactsView({
      ...{ session, aspects, people, fault },
      waiting: await context.contacts.requests.count(
        userId,
        MAX_COUNTED_REQUESTS,
      ),
      followers: { ...part, items },
    }),
  });
}

async function sendFound(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { q = "" } = readInput(FIND, request.parameters);
  const query = q.trim();
  if (query === "") return redirectTo(reply, CONTACTS);
  return sendPage(reply, {
    head: { title: texts.find, noindex: true },
    session,
    main: foundView(query, await findPeople(context, session, query)),
  });
}

/** An address is looked up, on its own server if need be; words are searched for here. */
async function findPeople(
  { find, search }: PagesContext,
  { user }: Session,
  query: string,
): Promise<Person[]> {
  const isAddress = /^(@?[^@\s]+@[^@\s]+|https?:\/\/\S+)$/i.test(query);
  try {
    if (!isAddress)
      return await search.people(user, query, { offset: 0, limit: MAX_FOUND });
    const found = await find(query.replace(/^@/, ""), user);
    return found ? [found.person] : [];
  } catch (error) {
    if (error instanceof KithError) return [];
    throw error;
  }
}

/** A fault that the user can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.blank;
  return error.code === "bad_request" ? texts.tooLong : undefined;
}

function readName(parameters: Parameters): string {
  return readInput(ASPECT, parameters).name ?? "";
}

/** @throws {KithError} `not_found` */
function readAspect(parameters: Parameters): AspectId {
  const { aspect = "" } = readInput(ASPECT, parameters);
  if (!/^[1-9]\d{0,14}$/.test(aspect))
    throw new KithError("not_found", "No such aspect.");
  return Number(aspect) as AspectId;
}

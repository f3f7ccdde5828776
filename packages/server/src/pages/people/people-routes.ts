import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { PEOPLE } from "../session/places.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import {
  foundView,
  listPath,
  LISTS,
  peoplePageView,
  type ListedPerson,
} from "./people-view.ts";
import { MAX_COUNTED_REQUESTS } from "./request-view.ts";

const PAGE_SIZE = 50;
const MAX_FOUND = 20;

const FIND = Type.Object({ q: text("Whom to find") });
const SHOWN = Type.Object({
  list: text("The people that are listed: a word of the tabs"),
});

/** The user's people, and finding others. */
export function peoplePageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "session", limit: "read" } as const;
  app.get(PEOPLE, { config }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendPeople(context, request, reply, session);
  });
  // Its old address, which bookmarks and mails may still have.
  app.get("/contacts", { config }, (_request, reply) =>
    redirectTo(reply, PEOPLE),
  );
  app.get(
    `${PEOPLE}/find`,
    // It may ask other servers.
    { config: { access: "session", limit: "costly" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendFound(context, request, reply, session);
    },
  );
}

async function sendPeople(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { userId } = session.user;
  const { contacts } = context;
  const given = readInput(SHOWN, request.parameters);
  const list = LISTS.find((it) => it === given.list) ?? "held";
  const shown = { path: listPath(list), size: PAGE_SIZE } as const;
  const order = "newest first";
  const part = await readKeyedPart(request, { ...shown, order }, async (page) =>
    (await contacts.listWithKeys(userId, list, page)).map(
      ({ key, personId }) => ({ id: key, personId }),
    ),
  );
  const ids = part.items.map(({ personId }) => personId);
  return sendPage(reply, {
    head: { title: texts.title, noindex: true },
    session,
    main: peoplePageView({
      list,
      people: { ...part, items: await loadPeople(context, session, ids) },
      waiting: await contacts.requests.count(userId, MAX_COUNTED_REQUESTS),
    }),
  });
}

async function loadPeople(
  context: PagesContext,
  { user }: Session,
  ids: readonly PersonId[],
): Promise<ListedPerson[]> {
  const [people, among, aspects] = await Promise.all([
    context.people.listById(ids),
    context.contacts.listAmong(user.userId, ids),
    context.aspects.list(user.userId),
  ]);
  const holding = new Map<PersonId, ListedPerson["aspects"]>();
  for (const aspect of aspects)
    for (const { personId } of aspect.memberships)
      holding.set(personId, [...(holding.get(personId) ?? []), aspect]);
  return ids.flatMap((id) => {
    const person = people.get(id);
    const contact = among.get(id);
    return person ? [{ person, contact, aspects: holding.get(id) ?? [] }] : [];
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
  if (query === "") return redirectTo(reply, PEOPLE);
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

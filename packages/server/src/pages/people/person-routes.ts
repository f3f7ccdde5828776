import type { Session } from "../../features/accounts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { html, webAddress, type Html } from "../kit/html.ts";
import { contactView } from "./contact-view.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  detailsFor,
  displayName,
  fieldsFor,
  usernameOf,
  type Nearness,
  type Person,
} from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import type { PageHead } from "../kit/layout.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import {
  eventsTab,
  personTabsView,
  picturesTab,
  readPersonTab,
  type PersonTab,
} from "./person-tabs.ts";
import { aboutTab } from "./about-tab.ts";
import { repliesTab } from "./replies-tab.ts";
import { withEmojis } from "../kit/emoji-view.ts";
import {
  personPageView,
  postsTabView,
  type OwnWords,
} from "./person-page-view.ts";
import { recommendedTab } from "./recommended-tab.ts";
import { ownLinksIn, withOwnLinks } from "../links/own-links.ts";
import { personPath, pictureAddress } from "../kit/person-view.ts";
import { DEFAULT_AVATAR_PATH } from "../../lib/images/default-avatar.ts";
import { excerpt, findMentioned, renderPostText } from "../posts/post-text.ts";
import { actingOn, type Acting } from "../posts/act-view.ts";
import { postViews } from "../posts/post-view.ts";
import { reportLink } from "../posts/report-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts as texts } from "../languages/texts.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";

const PAGE_SIZE = 20;
/**
 * Any other path segment, such as a zero byte, is not passed to the database.
 */
const USERNAME = /^[a-z0-9_]{1,30}$/;

export function personRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { people, host } = context;
  const config = { access: "viewer", limit: "read", mayBeOld: true } as const;
  app.get<{ Params: { username: string } }>(
    "/u/:username",
    { config },
    async (request, reply) => {
      const username = request.params.username.toLowerCase();
      const person = USERNAME.test(username)
        ? await people.find({ handle: `${username}@${host}` })
        : undefined;
      return showPerson(context, request, reply, person);
    },
  );
  app.get<{ Params: { guid: string } }>(
    "/people/:guid",
    { config },
    async (request, reply) => {
      const { guid } = request.params;
      const person = isGuid(guid) ? await people.find({ guid }) : undefined;
      return showPerson(context, request, reply, person);
    },
  );
}

async function showPerson(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person | undefined,
): Promise<FastifyReply> {
  if (!person || !(await isShown(context, person)))
    throw new KithError("not_found", "No such person.");
  void reply.header("vary", "Accept, Cookie");
  if (await context.activityPub?.sendPerson(request, reply, person.guid))
    return reply;
  return sendPerson(context, request, reply, person);
}

/** A pending or closed account has no page. */
async function isShown(
  { accounts }: PagesContext,
  person: Person,
): Promise<boolean> {
  if (person.state !== "active") return false;
  if (person.userId === null) return true;
  const account = await accounts.find(usernameOf(person));
  return account?.state === "active";
}

async function sendPerson(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  const viewer = session?.user ?? null;
  const nearness = await context.contacts.nearnessOf(viewer, person.id);
  const acting = actingOn(session, request, personPath(person));
  const isOwn = person.id === viewer?.personId;
  const tab = readPersonTab(request);
  const shown = { person, viewer, acting, tab, nearness };
  const list = await tabView(context, request, shown);
  const words = await renderWords(context, person, nearness);
  return sendPage(reply, {
    head: headOf(context, person, words),
    session,
    main: personPageView(
      person,
      words,
      html`${personTabsView(person, tab)} ${list}`,
      session && !isOwn && (await loadContact(context, session, person)),
      findHomePage(context, person),
      isOwn,
      viewer !== null && isOwn && context.invitations.mayInvite(viewer),
      await findMovedTo(context, person),
    ),
  });
}

async function tabView(
  context: PagesContext,
  request: FastifyRequest,
  shown: {
    readonly person: Person;
    readonly viewer: Viewer;
    readonly acting: Acting | undefined;
    readonly tab: PersonTab;
    readonly nearness: Nearness;
  },
): Promise<Html> {
  const { person, viewer, acting, tab } = shown;
  if (tab === "pictures") return picturesTab(context, request, person, viewer);
  if (tab === "events") return eventsTab(context, person, viewer, acting);
  if (tab === "about") return aboutTab(person, shown.nearness);
  if (tab === "recommended") return recommendedTab(context, request, person);
  if (tab === "replies")
    return repliesTab(context, request, person, { viewer, acting });
  const list = { path: personPath(person), size: PAGE_SIZE } as const;
  const order = "newest first";
  const part = await readKeyedPart(request, { ...list, order }, (page) =>
    context.posts.listOf(person.id, viewer, page),
  );
  const isFirst = part.previous === undefined;
  const pinned = isFirst ? await context.pins.listOf(person.id, viewer) : [];
  const above = new Set(pinned.map(({ id }) => id));
  const others = part.items.filter(({ id }) => !above.has(id));
  const posts = [...pinned, ...others];
  const items = await postViews(context, posts, viewer, acting, {
    context: "account",
  });
  return postsTabView({ ...part, items });
}

async function loadContact(
  { aspects, blocks, contacts }: PagesContext,
  session: Session,
  person: Person,
): Promise<Html> {
  const { userId, personId } = session.user;
  const blocked = await blocks.listBlockedAmong(personId, [person.id]);
  return contactView(person, {
    session,
    contact: await contacts.find(userId, person.id),
    aspects: await aspects.list(userId),
    holding: await aspects.listHolding(userId, person.id),
    isBlocked: blocked.length > 0,
    isIgnored: await blocks.isIgnoring(personId, person.id),
    isAsking: await contacts.requests.isPending(userId, person.id),
    report: reportLink(session, "person", person.guid),
  });
}

function findHomePage(
  { listHomePages }: PagesContext,
  person: Person,
): string | undefined {
  const pages = listHomePages(person).map((page) => webAddress(page));
  return pages.find((page) => page !== undefined);
}

async function findMovedTo(
  context: PagesContext,
  { movedToId }: Person,
): Promise<Person | undefined> {
  if (movedToId === null) return undefined;
  const movedTo = await context.people.find({ id: movedToId });
  return movedTo && (await isShown(context, movedTo)) ? movedTo : undefined;
}

/** The profile texts that the visitor may see. */
async function renderWords(
  context: PagesContext,
  { profile, userId }: Person,
  nearness: Nearness,
): Promise<OwnWords> {
  const { bio } = detailsFor(profile, nearness);
  const fields = fieldsFor(profile, nearness);
  const texts = [bio, ...fields.map(({ value }) => value)];
  const mentioned = await findMentioned(context, texts);
  const { emojis } = profile;
  const render = (text: string) =>
    renderPostText(context, text, mentioned, emojis);
  // The pages of people elsewhere are on their own servers: those vouch for their links.
  const isHere = userId !== null;
  const shown = fields.map(({ name, value }) => ({
    name: withEmojis(name, emojis),
    value: isHere ? withOwnLinks(render(value)) : render(value),
  }));
  return {
    bio: bio === "" ? undefined : render(bio),
    fields: shown,
    ownLinks: shown.flatMap(({ value }) => ownLinksIn(value)),
  };
}

function headOf(
  { baseUrl, activityPub, remoteMedia }: PagesContext,
  person: Person,
  { ownLinks }: Pick<OwnWords, "ownLinks">,
): PageHead {
  const { profile, addresses, userId, handle } = person;
  const name = displayName(person);
  const picture =
    pictureAddress([profile.imageUrl, profile.imageUrlMedium]) ??
    DEFAULT_AVATAR_PATH;
  const isHere = userId !== null;
  const actorUrl = isHere
    ? `${baseUrl}/api/v1/ap/person/${usernameOf(person)}`
    : (addresses.actorUri ?? undefined);
  return {
    title: name,
    canonical: baseUrl + personPath(person),
    activityPubUrl: activityPub && actorUrl,
    creator: isHere ? handle : undefined,
    feedsBelow: isHere ? baseUrl + personPath(person) : undefined,
    noindex: !isHere || !profile.searchable,
    ownLinks,
    preview: {
      type: "profile",
      title: name,
      description:
        excerpt(detailsFor(profile, "stranger").bio, 200) ||
        texts.person.description(name, handle),
      ...(isHere && { username: usernameOf(person) }),
      image: { url: remoteMedia.addressOf(new URL(picture, baseUrl).href) },
    },
  };
}

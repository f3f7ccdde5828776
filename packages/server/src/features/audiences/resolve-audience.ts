import type { Reader } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Aspect, Aspects } from "../aspects/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { AspectId, PersonId, UserId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { ReadText, Texts } from "../texts/index.ts";
import { listBlockedAmong, listBlockersAmong } from "../visibility/index.ts";
import type {
  Audience,
  LimitedTo,
  NamedAspect,
  ResolvedAudience,
} from "./audience.ts";

export type ResolveDeps = {
  readonly aspects: Pick<Aspects, "findAll" | "listMemberIds">;
  readonly contacts: Pick<Contacts, "listFollowerIds">;
  readonly people: Pick<People, "listById">;
  readonly texts: Pick<Texts, "listPeopleIn">;
};

/** A local author. */
type Author = { readonly userId: UserId; readonly personId: PersonId };

/** As bound to its dependencies. */
export type ResolveAudience = (
  reader: Reader,
  author: Author,
  audience: Audience,
  found: ReadText,
) => Promise<ResolvedAudience>;

/**
 * Resolves an audience to the people in it now. The one place that does: posts, events and
 * previews use it. People are left out if the author has blocked them, or they the author.
 * @param found in the text of the post
 * @throws {KithError} `not_found` for an aspect that is not the author's and for an unknown
 *   person, `bad_request` if nobody is given or mentioned, and for no aspect
 */
export async function resolveAudience(
  deps: ResolveDeps,
  reader: Reader,
  author: Author,
  audience: Audience,
  found: ReadText,
): Promise<ResolvedAudience> {
  if (audience.kind === "everyone" || audience.kind === "unlisted")
    return { ...PUBLIC, listed: audience.kind === "everyone" };
  const {
    limitedTo,
    aspects = [],
    members,
  } = await findMembers(deps, reader, author, audience, found);
  const recipients = await admit(reader, author, members);
  return { public: false, listed: true, limitedTo, aspects, recipients };
}

const PUBLIC = { public: true, limitedTo: null, aspects: [], recipients: [] };

type Members = {
  readonly limitedTo: LimitedTo;
  readonly aspects?: readonly NamedAspect[];
  readonly members: readonly PersonId[];
};

async function findMembers(
  deps: ResolveDeps,
  reader: Reader,
  { userId }: Author,
  audience: Exclude<Audience, { kind: "everyone" | "unlisted" }>,
  found: ReadText,
): Promise<Members> {
  const { kind } = audience;
  switch (kind) {
    case "self":
      return { limitedTo: kind, members: [] };
    case "followers":
      return {
        limitedTo: kind,
        members: await deps.contacts.listFollowerIds(userId, reader),
      };
    case "all_aspects":
      return {
        limitedTo: kind,
        members: await deps.aspects.listMemberIds(reader, userId),
      };
    case "aspects": {
      const aspects = await getAspects(
        deps,
        reader,
        userId,
        audience.aspectIds,
      );
      return {
        limitedTo: kind,
        aspects: aspects.map(({ id, name }) => ({ id, name })),
        members: aspects.flatMap(({ memberships }) =>
          memberships.map(({ personId }) => personId),
        ),
      };
    }
    case "people":
      return {
        limitedTo: kind,
        members: await getPeople(deps, reader, audience.personIds),
      };
    case "mentioned": {
      const members = await deps.texts.listPeopleIn(reader, found);
      if (members.length === 0)
        throw new KithError(
          "bad_request",
          "The audience is the people mentioned, and the text mentions nobody known here.",
        );
      return { limitedTo: "people", members };
    }
  }
}

/** Every aspect that is given must be the author's own. */
async function getAspects(
  { aspects }: ResolveDeps,
  reader: Reader,
  userId: UserId,
  ids: readonly AspectId[],
): Promise<Aspect[]> {
  if (ids.length === 0)
    throw new KithError(
      "bad_request",
      "The audience is some of your aspects, and none is given.",
    );
  const given = new Set(ids);
  const found = await aspects.findAll(reader, userId, [...given]);
  if (found.length < given.size)
    throw new KithError("not_found", "No such aspect.");
  return found;
}

/** A person who is left out silently would miss the post, so each must be known. */
async function getPeople(
  { people }: ResolveDeps,
  reader: Reader,
  ids: readonly PersonId[],
): Promise<PersonId[]> {
  if (ids.length === 0)
    throw new KithError(
      "bad_request",
      "The audience is some people, and none is given.",
    );
  const given = new Set(ids);
  const found = await people.listById(given, reader);
  if (found.size < given.size)
    throw new KithError("not_found", "No such person.");
  return [...found.values()]
    .filter(({ state }) => state === "active")
    .map(({ id }) => id);
}

/** The author sees the post anyway. */
async function admit(
  reader: Reader,
  { personId }: Author,
  members: readonly PersonId[],
): Promise<PersonId[]> {
  const ids = new Set(members);
  ids.delete(personId);
  const given = [...ids];
  for (const id of await listBlockedAmong(reader, personId, given))
    ids.delete(id);
  for (const id of await listBlockersAmong(reader, personId, given))
    ids.delete(id);
  return [...ids];
}

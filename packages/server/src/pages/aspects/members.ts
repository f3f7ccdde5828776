import type { FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type { Contact } from "../../features/contacts/index.ts";
import type { AspectId, PersonId } from "../../features/ids.ts";
import { slicePage } from "../../features/page.ts";
import type { Person } from "../../features/people/index.ts";
import { flag, readInput } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import { readIds, readKeyedPart, type Part } from "../kit/page-input.ts";
import { aspectPath } from "../session/places.ts";
import type { PagesContext } from "../session/visitor.ts";

const PAGE_SIZE = 50;

const SHOWN = Type.Object({
  all: flag("Everybody who could be in the aspect, not only its members"),
});

const several = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));

const CHOSEN = Type.Object({
  all: flag("Leads back to the list of everybody"),
  shown: several("The ids of the people who could be chosen"),
  member: several("The ids of those who shall be members"),
});

/** Somebody who is in the aspect, or could be. */
export type Candidate = {
  readonly person: Person;
  readonly contact: Contact | undefined;
  readonly isMember: boolean;
};

export type Members = {
  /** Beside the members: everybody the user has a contact with. */
  readonly isAll: boolean;
  readonly people: Part<Candidate>;
};

export function membersPath(id: AspectId, isAll: boolean): string {
  return isAll ? `${aspectPath(id)}?all=true` : aspectPath(id);
}

/** Reads the members of an aspect, or everybody who could be one, in pages. */
export async function loadMembers(
  { contacts, people }: PagesContext,
  request: FastifyRequest,
  { user }: Session,
  { id, memberships }: Aspect,
): Promise<Members> {
  const { all: isAll = false } = readInput(SHOWN, request.parameters);
  const path = membersPath(id, isAll);
  const list = { path, size: PAGE_SIZE, order: "newest first" } as const;
  const newestFirst = memberships.toSorted((a, b) => b.id - a.id);
  const part = await readKeyedPart<{ id: number; personId: PersonId }>(
    request,
    list,
    async (page) =>
      isAll
        ? (await contacts.listWithKeys(user.userId, "known", page)).map(
            ({ key, personId }) => ({ id: key, personId }),
          )
        : slicePage(newestFirst, page),
  );
  const ids = part.items.map(({ personId }) => personId);
  const [found, among] = await Promise.all([
    people.listById(ids),
    contacts.listAmong(user.userId, ids),
  ]);
  const members = new Set(memberships.map(({ personId }) => personId));
  const items = ids.flatMap((personId) => {
    const person = found.get(personId);
    const contact = among.get(personId);
    const isMember = members.has(personId);
    return person ? [{ person, contact, isMember }] : [];
  });
  return { isAll, people: { ...part, items } };
}

/**
 * Puts the chosen people into the aspect, and takes those out of it that are shown and not
 * chosen.
 * @returns the page that it leads to
 */
export async function changeMembers(
  { aspects }: PagesContext,
  user: Session["user"],
  aspectId: AspectId,
  parameters: Parameters,
): Promise<string> {
  const { all, shown, member } = readInput(CHOSEN, parameters);
  const chosen = new Set(readIds(member));
  const wanted = readIds(shown)
    .slice(0, PAGE_SIZE)
    .map((id) => ({
      ...{ aspectId, personId: id as PersonId },
      isMember: chosen.has(id),
    }));
  await aspects.changeMemberships(user, wanted);
  return membersPath(aspectId, all === true);
}

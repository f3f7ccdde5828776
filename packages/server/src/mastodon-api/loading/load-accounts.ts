import type { SignedIn } from "../../features/accounts/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { presentAccount, presentCredentials } from "../entities/account.ts";
import type { Entity } from "../kit/wire.ts";
import { notFound } from "../kit/refusals.ts";
import type { MastodonDeps } from "./deps.ts";

type AccountDeps = Pick<MastodonDeps, "countAccounts" | "people" | "site">;

/** Presents people in their order, with details for everybody. */
export async function loadAccounts(
  { countAccounts, site }: Pick<AccountDeps, "countAccounts" | "site">,
  people: readonly Person[],
  viewer: Viewer,
): Promise<Entity[]> {
  const counts = await countAccounts(people);
  return people.map((person) =>
    presentAccount(
      site,
      person,
      counts.get(person.id),
      person.id === viewer?.personId ? "self" : "stranger",
    ),
  );
}

/** The same by their ids; deleted accounts are left out. */
export async function loadAccountsById(
  deps: AccountDeps,
  ids: readonly PersonId[],
  viewer: Viewer,
): Promise<Entity[]> {
  const found = await deps.people.listById(ids);
  const people = ids.flatMap((id) => found.get(id) ?? []);
  return loadAccounts(
    deps,
    people.filter(({ state }) => state === "active"),
    viewer,
  );
}

/** Presents one person with all that the viewer may see. */
export async function loadAccount(
  deps: AccountDeps & Pick<MastodonDeps, "contacts">,
  person: Person,
  viewer: SignedIn | null,
): Promise<Entity> {
  const { movedToId } = person;
  const [counts, nearness, moved] = await Promise.all([
    deps.countAccounts([person], { areFresh: true }),
    deps.contacts.nearnessOf(viewer, person.id),
    movedToId === null ? [] : loadAccountsById(deps, [movedToId], viewer),
  ]);
  return {
    ...presentAccount(deps.site, person, counts.get(person.id), nearness),
    ...(moved[0] && { moved: moved[0] }),
  };
}

/** Presents the user's own account. */
export async function loadCredentials(
  deps: AccountDeps & Pick<MastodonDeps, "accounts" | "contacts">,
  { userId, personId, role }: SignedIn,
): Promise<Entity> {
  const person = await deps.people.find({ id: personId });
  if (!person) throw notFound();
  const [counts, settings, requests] = await Promise.all([
    deps.countAccounts([person], { areFresh: true }),
    deps.accounts.getSettings(userId),
    deps.contacts.requests.count(userId, MAX_REQUESTS),
  ]);
  const of = counts.get(personId);
  if (!of) throw notFound();
  return presentCredentials(deps.site, person, {
    ...{ counts: of, settings, requests, role },
  });
}

const MAX_REQUESTS = 1_000;

/** Gets a person who has not left. @throws {KithError} `not_found` */
export async function getActivePerson(
  { people }: Pick<AccountDeps, "people">,
  id: number,
): Promise<Person> {
  const person = await people.find({ id: id as PersonId });
  if (person?.state !== "active") throw notFound();
  return person;
}

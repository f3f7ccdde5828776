import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { RecordFate } from "../import-outcomes.ts";
import type {
  Arrived,
  ArrivedAccount,
  ServerImportRun,
  ServerImportsDeps,
} from "../server-import.ts";
import type { Hindrance } from "../record-kinds.ts";
import { numberIn, isTrueIn, readAll, textIn, timeIn } from "./ganggo-rows.ts";
import { personOf } from "./take-people.ts";

/** The account with this id there, if its contacts may still be taken over. */
export function findOwner(
  run: ServerImportRun,
  userId: number,
): ArrivedAccount | Hindrance {
  const owner = run.accounts.get(userId);
  if (!owner) return "person";
  return owner.isUntouched ? owner : "used";
}

const MAX_NAME = 255;

/** Takes over the aspects of the accounts. */
export async function takeAspects(
  { aspects, clock }: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  const take = async (row: ForeignRow): Promise<RecordFate> => {
    const name = textIn(row, "name").trim().slice(0, MAX_NAME);
    const userId = numberIn(row, "user_id");
    const account = run.accounts.get(userId);
    if (!account) return "person";
    if (name === "") return "empty";
    const keep = (id: Parameters<typeof run.aspects.set>[1]["id"]) =>
      run.aspects.set(numberIn(row, "id"), { id, name, userId });
    if (account.userId === null) {
      keep(null);
      return "added";
    }
    const known = (await aspects.list(account.userId)).find(
      (it) => it.name === name,
    );
    if (known) {
      keep(known.id);
      return "known";
    }
    // Its owner may have deleted it here.
    if (!account.isUntouched) return "used";
    if (run.isRehearsal) {
      keep(null);
      return "added";
    }
    const createdAt = timeIn(row, "created_at") ?? timestamp(clock.now());
    const isDefault = isTrueIn(row, "default");
    const { id } = await aspects.takeOver({
      ...{ userId: account.userId, name, isDefault, createdAt },
    });
    keep(id);
    return "added";
  };
  for await (const row of readAll(database, "* from aspects where id > ?1")) {
    run.outcomes.note("aspect", await take(row), textIn(row, "name"));
    run.tick();
  }
}

const MEMBERS = `m.*, people.author from aspect_memberships m
  left join people on people.id = m.person_id where m.id > ?1`;

/** Takes over the members of aspects: whom the accounts share with. */
export async function takeMembers(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  for await (const row of readAll(database, MEMBERS, "m.id")) {
    const fate = await takeMember(deps, run, database, row);
    run.outcomes.note("follow", fate, textIn(row, "author"));
    run.tick();
  }
}

async function takeMember(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<RecordFate> {
  const aspect = run.aspects.get(numberIn(row, "aspect_id"));
  if (!aspect) return "person";
  const pair = await findPair(deps, run, database, {
    ...{ userId: aspect.userId, personId: numberIn(row, "person_id") },
  });
  if (typeof pair === "string") return pair;
  const { owner, person } = pair;
  if (owner.id === null || owner.userId === null || person.id === null)
    return "added";
  const known = await deps.contacts.find(owner.userId, person.id);
  if (run.isRehearsal) return known?.following ? "known" : "added";
  const since = timeIn(row, "created_at") ?? timestamp(deps.clock.now());
  const { userId } = owner;
  if (aspect.id === null) return "person";
  const isNew = await deps.aspects.takeOverMembership({
    ...{ userId, aspectId: aspect.id, personId: person.id, since },
  });
  await deps.contacts.takeOver({
    ...{ userId, personId: person.id, since, direction: "following" },
  });
  // Both sides of a contact within the server are here.
  if (person.userId !== null)
    await deps.contacts.takeOver({
      ...{ userId: person.userId, personId: owner.id, since },
      direction: "sharing",
    });
  return isNew ? "added" : "known";
}

const FOLLOWERS = `c.*, people.author from contacts c
  left join people on people.id = c.person_id where c.sharing and c.id > ?1`;

/** Takes over the people who share with the accounts. */
export async function takeFollowers(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  const take = async (row: ForeignRow): Promise<RecordFate> => {
    const pair = await findPair(deps, run, database, {
      ...{
        userId: numberIn(row, "user_id"),
        personId: numberIn(row, "person_id"),
      },
    });
    if (typeof pair === "string") return pair;
    const { userId } = pair.owner;
    const { id: personId } = pair.person;
    if (userId === null || personId === null) return "added";
    const known = await deps.contacts.find(userId, personId);
    if (known?.sharing) return "known";
    if (run.isRehearsal) return "added";
    const since = timeIn(row, "created_at") ?? timestamp(deps.clock.now());
    const direction = "sharing";
    await deps.contacts.takeOver({ userId, personId, direction, since });
    return "added";
  };
  for await (const row of readAll(database, FOLLOWERS, "c.id")) {
    run.outcomes.note("follower", await take(row), textIn(row, "author"));
    run.tick();
  }
}

async function findPair(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  ids: { readonly userId: number; readonly personId: number },
): Promise<{ owner: ArrivedAccount; person: Arrived } | Hindrance> {
  const owner = findOwner(run, ids.userId);
  if (typeof owner === "string") return owner;
  const person = await personOf(deps, run, database, ids.personId);
  if (typeof person === "string") return person;
  return person === owner ? "refused" : { owner, person };
}

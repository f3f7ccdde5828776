import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import { isGuid } from "../../../lib/guids.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { isPossibleUsername } from "../../accounts/index.ts";
import type { ProfileChanges } from "../../people/index.ts";
import type { RecordFate } from "../import-outcomes.ts";
import type {
  Arrived,
  ArrivedAccount,
  ServerImportRun,
  ServerImportsDeps,
} from "../server-import.ts";
import type { Hindrance } from "../record-kinds.ts";
import {
  dayIn,
  numberIn,
  isTrueIn,
  readAll,
  textIn,
  timeIn,
} from "./ganggo-rows.ts";
import { readRsaKey } from "./rsa-key.ts";

const ACCOUNTS = `users.*, people.guid, people.author, people.serialized_public_key,
  people.closed_account from users join people on people.id = users.person_id where users.id > ?1`;

/** Takes over the accounts, with their keys, Guids, passwords and profiles. */
export async function takeAccounts(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  for await (const row of readAll(database, ACCOUNTS, "users.id")) {
    const name = textIn(row, "username");
    run.outcomes.note(
      "account",
      await takeAccount(deps, run, database, row),
      name,
    );
    run.tick();
  }
}

async function takeAccount(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<RecordFate> {
  const username = textIn(row, "username").toLowerCase();
  const guid = textIn(row, "guid");
  const arrive = (account: Omit<ArrivedAccount, "isLocal" | "username">) => {
    const arrived = { ...account, isLocal: true, username } as const;
    run.accounts.set(numberIn(row, "id"), arrived);
    run.people.set(numberIn(row, "person_id"), arrived);
  };
  const refuse = (hindrance: Hindrance) => {
    run.people.set(numberIn(row, "person_id"), "person");
    return hindrance;
  };
  const fault = findFault(deps, row, username, guid);
  if (fault) return refuse(fault);
  const rsa = readRsaKey(
    textIn(row, "serialized_private_key"),
    textIn(row, "serialized_public_key"),
  );
  if (!rsa) return refuse("keys");
  const known = await deps.people.find({ guid });
  const handle = `${username}@${deps.handleHost}`;
  if (known) {
    if (known.handle !== handle || known.userId === null)
      return refuse("taken");
    const account = await deps.accounts.find(username);
    const isUntouched = account?.lastSeenAt == null;
    arrive({ id: known.id, userId: known.userId, isUntouched });
    return "known";
  }
  const isTaken =
    (await deps.people.find({ handle })) ??
    (await deps.accounts.find(username));
  if (isTaken) return refuse("taken");
  if (run.isRehearsal) {
    arrive({ id: null, userId: null, isUntouched: true });
    return "added";
  }
  const made = await deps.accounts.takeOver({
    ...{ username, guid, rsa },
    passwordHash: textIn(row, "encrypted_password"),
    profile: await profileOf(database, row),
    locale: await localeOf(database, row),
    createdAt: timeIn(row, "created_at") ?? timestamp(deps.clock.now()),
  });
  if (!made) return refuse("taken");
  arrive({ id: made.personId, userId: made.userId, isUntouched: true });
  return "added";
}

function findFault(
  { handleHost }: ServerImportsDeps,
  row: ForeignRow,
  username: string,
  guid: string,
): Hindrance | undefined {
  if (timeIn(row, "deleted_at") !== undefined) return "closed";
  if (isTrueIn(row, "closed_account")) return "closed";
  const host = hostOfHandle(textIn(row, "author"));
  if (host !== handleHost) return "other_host";
  if (!isPossibleUsername(username)) return "name";
  return isGuid(guid) ? undefined : "malformed";
}

export function hostOfHandle(handle: string): string {
  return handle.slice(handle.lastIndexOf("@") + 1).toLowerCase();
}

const MAX_NAME = 255;
const MAX_BIO = 65_535;

/** @param owner a row with the id of its person as `person_id` */
async function profileOf(
  database: ForeignDatabase,
  owner: ForeignRow,
): Promise<ProfileChanges> {
  const [row] = await database.read(
    "select * from profiles where person_id = ?1 order by id limit 1",
    [numberIn(owner, "person_id")],
  );
  if (!row) return {};
  const line = (column: string) =>
    textIn(row, column).trim().slice(0, MAX_NAME);
  return {
    ...{ firstName: line("first_name"), lastName: line("last_name") },
    ...{ fullName: line("full_name"), gender: line("gender") },
    location: line("location"),
    bio: textIn(row, "bio").slice(0, MAX_BIO),
    birthday: dayIn(row, "birthday"),
    public: isTrueIn(row, "public"),
    searchable: isTrueIn(row, "searchable"),
    nsfw: isTrueIn(row, "nsfw"),
  };
}

const LANGUAGES = ["de", "en"];
const LANGUAGE = 0;

async function localeOf(
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<string | undefined> {
  if (!(await database.listTables()).has("user_settings")) return undefined;
  const settings = await database.read(
    "select * from user_settings where user_id = ?1",
    [numberIn(row, "id")],
  );
  const chosen = settings.find(
    (it) => Number(it["setting_key"] ?? it["key"]) === LANGUAGE,
  );
  return LANGUAGES.find((it) => it === chosen?.["value"]);
}

/** Finds a person of the other server here; people elsewhere are stored when they are first needed. */
export async function personOf(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  id: number,
): Promise<Arrived | Hindrance> {
  const known = run.people.get(id);
  if (known !== undefined) return known;
  const [row] = await database.read(
    "select people.*, people.id as person_id from people where id = ?1",
    [id],
  );
  const found = row ? await takeElsewhere(deps, run, database, row) : "person";
  run.people.set(id, found);
  return found;
}

async function takeElsewhere(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<Arrived | Hindrance> {
  const handle = textIn(row, "author").toLowerCase();
  const note = (fate: RecordFate) => run.outcomes.note("person", fate, handle);
  const refuse = (hindrance: Hindrance): Hindrance => {
    note(hindrance);
    return hindrance === "other_protocol" ? hindrance : "person";
  };
  if (/^https?:/.test(handle)) return refuse("other_protocol");
  if (!HANDLE.test(handle)) return refuse("malformed");
  if (hostOfHandle(handle) === deps.handleHost) return refuse("closed");
  if (isTrueIn(row, "closed_account")) return refuse("closed");
  const known = await deps.people.find({ handle });
  if (known) {
    note("known");
    return { id: known.id, userId: null, isLocal: false };
  }
  const [guid, publicKeyPem] = [
    textIn(row, "guid"),
    textIn(row, "serialized_public_key"),
  ];
  if (!isGuid(guid) || !/^-----BEGIN (RSA )?PUBLIC KEY/.test(publicKeyPem))
    return refuse("keys");
  if (run.isRehearsal) {
    note("added");
    return { id: null, userId: null, isLocal: false };
  }
  const profile = await profileOf(database, row);
  const seedLocation = `https://${hostOfHandle(handle)}/`;
  const person = { handle, guid, publicKeyPem, seedLocation, profile };
  const stored = await deps.storeElsewhere(person);
  if (!stored) return refuse("refused");
  note("added");
  return { id: stored.id, userId: null, isLocal: false };
}

const HANDLE = /^[a-z0-9_.-]+@[a-z0-9.-]+(:\d+)?$/;

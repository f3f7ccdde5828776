import type { Db } from "../../db/db.ts";
import type { Accounts } from "../accounts/index.ts";
import type { People } from "../people/index.ts";
import {
  listAspects,
  listBlocks,
  listContacts,
  listHiddenPosts,
  listIgnores,
  listNotifications,
} from "./relations-queries.ts";
import { listComments, listLikes, listPosts } from "./writings-queries.ts";
import { toFile, toFiles, type Exporter } from "./export-file.ts";

type OwnExportersDeps = {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly people: People;
};

/** What the first features keep of a user: everything but secrets. */
export function createOwnExporters(deps: OwnExportersDeps): Exporter[] {
  const { read } = deps.db;
  return [
    (user) => exportSelf(deps, user),
    ({ userId }) =>
      toFiles("aspects", (after, limit) =>
        listAspects(read, userId, after, limit),
      ),
    ({ userId }) =>
      toFiles("contacts", (after, limit) =>
        listContacts(read, userId, after, limit),
      ),
    ({ personId }) =>
      toFiles("posts", (after, limit) =>
        listPosts(read, personId, after, limit),
      ),
    ({ personId }) =>
      toFiles("comments", (after, limit) =>
        listComments(read, personId, after, limit),
      ),
    ({ personId }) =>
      toFiles("likes", (after, limit) =>
        listLikes(read, personId, after, limit),
      ),
    ({ userId }) =>
      toFiles("notifications", (after, limit) =>
        listNotifications(read, userId, after, limit),
      ),
    ({ personId }) =>
      toFiles("blocks", (after, limit) =>
        listBlocks(read, personId, after, limit),
      ),
    ({ personId }) =>
      toFiles("ignores", (after, limit) =>
        listIgnores(read, personId, after, limit),
      ),
    ({ userId }) =>
      toFiles("hidden-posts", (after, limit) =>
        listHiddenPosts(read, userId, after, limit),
      ),
  ];
}

async function* exportSelf(
  { accounts, people }: OwnExportersDeps,
  { username, personId }: Parameters<Exporter>[0],
): ReturnType<Exporter> {
  const account = await accounts.find(username);
  const person = await people.find({ id: personId });
  // Deleted meanwhile: there is nothing left to take along.
  if (!account || !person) return;
  yield toFile("account", {
    username,
    handle: person.handle,
    guid: person.guid,
    role: account.role,
    locale: account.locale,
    timeZone: account.timeZone,
    createdAt: account.createdAt,
    lastSeenAt: account.lastSeenAt,
    publicKey: person.publicKeyPem,
  });
  const { id: _, ...profile } = person.profile;
  yield toFile("profile", profile);
}

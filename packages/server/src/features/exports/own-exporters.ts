import type { Db, Reader } from "../../db/db.ts";
import type { MediaStore } from "../../lib/media/media-store.ts";
import type { Accounts, SignedIn } from "../accounts/index.ts";
import type { People } from "../people/index.ts";
import { toFile, toFiles, type Exporter, type Keyed } from "./export-file.ts";
import { createPhotosExporter } from "./photos-exporter.ts";
import {
  listCalendars,
  listEvents,
  listParticipations,
} from "./plans-queries.ts";
import {
  listAspects,
  listBlocks,
  listContacts,
  listFollowedTags,
  listHiddenPosts,
  listIgnores,
  listInvitations,
  listNotifications,
  listReports,
  listStreams,
} from "./relations-queries.ts";
import {
  listComments,
  listLikes,
  listPosts,
  listReactions,
  listVotes,
} from "./writings-queries.ts";

type OwnExportersDeps = {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly people: People;
  readonly media: MediaStore;
};

/** Some records of a user after a key, by key. */
type List = (
  reader: Reader,
  user: SignedIn,
  afterKey: number,
  limit: number,
) => Promise<Keyed[]>;

/** What the features keep of a user: everything but secrets. */
export function createOwnExporters(deps: OwnExportersDeps): Exporter[] {
  const { read } = deps.db;
  const records = (
    name: string,
    tables: Exporter["tables"],
    list: List,
  ): Exporter => ({
    tables,
    files: (user) =>
      toFiles(name, (afterKey, limit) => list(read, user, afterKey, limit)),
  });
  return [
    {
      tables: ["users", "people", "profiles"],
      files: (user) => exportSelf(deps, user),
    },
    records("aspects", ["aspects", "aspect_memberships"], listAspects),
    records("contacts", ["contacts"], listContacts),
    records(
      "posts",
      ["posts", "post_recipients", "polls", "poll_answers", "text_versions"],
      listPosts,
    ),
    records("comments", ["comments"], listComments),
    records("likes", ["likes"], listLikes),
    records("reactions", ["reactions"], listReactions),
    records("votes", ["poll_votes"], listVotes),
    records("calendars", ["calendars"], listCalendars),
    records("events", ["events", "event_recipients"], listEvents),
    records("participations", ["participations"], listParticipations),
    records("notifications", ["notifications"], listNotifications),
    records("streams", ["user_streams"], listStreams),
    records("followed-tags", ["followed_tags"], listFollowedTags),
    records("blocks", ["blocks"], listBlocks),
    records("ignores", ["ignores"], listIgnores),
    records("invitations", ["invitations"], listInvitations),
    records("reports", ["reports"], listReports),
    records("hidden-posts", ["hidden_posts"], listHiddenPosts),
    createPhotosExporter(deps),
  ];
}

async function* exportSelf(
  { accounts, people }: OwnExportersDeps,
  { username, personId }: SignedIn,
): ReturnType<Exporter["files"]> {
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
    secondFactor: await accounts.hasSecondFactor(account.id),
    publicKey: person.publicKeyPem,
    aliases: person.alsoKnownAs,
  });
  const { id: _, ...profile } = person.profile;
  yield toFile("profile", profile);
}

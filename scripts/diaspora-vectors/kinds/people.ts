import type {
  AccountDeletion,
  Contact,
  Participation,
  Profile,
} from "@kith/diaspora";
import { sql } from "kysely";
import { storableText } from "../../../packages/server/src/lib/well-formed.ts";
import { differs } from "./pure.ts";
import { compare, find, type Accepted, type Row } from "../rows.ts";

// Compares the stored form of people and their relations, which differs from the sent one.

const SEEN_BY_EVERYONE = {
  bio_for: "everyone",
  birthday_for: "everyone",
  gender_for: "everyone",
  location_for: "everyone",
};

const SEEN_BY_CONTACTS = {
  bio_for: "contacts",
  birthday_for: "contacts",
  gender_for: "contacts",
  location_for: "contacts",
};

/** Protocol section 10.13. Of a profile that is not public but was sent publicly, only the base part counts. */
export async function checkProfile(
  accepted: Accepted,
  entity: Profile,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select profiles.* from profiles
      join people on people.id = profiles.person_id
      where people.handle = ${entity.author}`,
  );
  const url = entity.imageUrl ?? "";
  const isWhole = accepted.owner !== undefined || entity.public;
  return compare("profile", row, {
    first_name: storableText(entity.firstName ?? "").trim(),
    last_name: storableText(entity.lastName ?? "").trim(),
    image_url: /^https?:\/\//i.test(url) ? storableText(url) : "",
    searchable: entity.searchable,
    ...(entity.public ? SEEN_BY_EVERYONE : SEEN_BY_CONTACTS),
    nsfw: entity.nsfw,
    ...(isWhole && {
      bio: storableText(entity.bio ?? ""),
      birthday: entity.birthday ?? null,
      gender: storableText(entity.gender ?? ""),
      location: storableText(entity.location ?? ""),
    }),
  });
}

/** Protocol section 10.12. */
export async function checkContact(
  accepted: Accepted,
  { author, recipient, sharing, blocking }: Contact,
): Promise<string | undefined> {
  const contact = await find(
    accepted,
    sql<Row>`select contacts.sharing from contacts
      join people on people.id = contacts.person_id
      join people as owners on owners.user_id = contacts.user_id
      where people.handle = ${author} and owners.handle = ${recipient}`,
  );
  const block = await find(
    accepted,
    sql<Row>`select 1 from blocks
      join people on people.id = blocks.person_id
      join people as blocked on blocked.id = blocks.blocked_person_id
      where people.handle = ${author} and blocked.handle = ${recipient}`,
  );
  return (
    differs("contact, sharing", sharing, [Boolean(contact?.["sharing"])]) ??
    differs("contact, blocking", blocking, [block !== undefined])
  );
}

/** Protocol section 10.16. */
export async function checkSubscription(
  accepted: Accepted,
  { author, parentGuid }: Participation,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select people.handle as subscriber from post_subscribers
      join people on people.id = post_subscribers.person_id
      join posts on posts.id = post_subscribers.post_id
      where posts.guid = ${parentGuid} and people.handle = ${author}`,
  );
  return compare("subscription", row, { subscriber: author });
}

/** Protocol section 10.14. */
export async function checkDeletion(
  accepted: Accepted,
  { author }: AccountDeletion,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select state, (select count(*) from posts
        where posts.person_id = people.id) as posts
      from people where handle = ${author}`,
  );
  return (
    compare("person", row, { state: "closed" }) ??
    differs("posts of the person", 0, [Number(row?.["posts"])])
  );
}

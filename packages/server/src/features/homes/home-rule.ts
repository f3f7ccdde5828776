import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { DialectName } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import type { PersonId, UserId } from "../ids.ts";

// The rule for what belongs in whose home, stated once: as relations between users and people, or
// tags, that are read from either side. Lists start from a user, live changes from a post.

/**
 * In no exclusive aspect of the same user, whatever other aspects the person is in. The aspects
 * are read first: most users have no such one, and a person may be in aspects of thousands.
 */
const IS_IN_NO_EXCLUSIVE = sql`not exists (
  select 1 from aspects as apart
  where apart.user_id = aspects.user_id and apart.exclusive and exists (
    select 1 from aspect_memberships as held where held.aspect_id = apart.id
      and held.person_id = aspect_memberships.person_id))`;

const peopleOfHomes = (isWanted: RawBuilder<unknown>) => sql`(
  select aspects.user_id, aspect_memberships.person_id
  from aspects join aspect_memberships
    on aspect_memberships.aspect_id = aspects.id
  where ${isWanted}
  union all
  select people.user_id, people.id as person_id from people
  where people.user_id is not null) as home_people`;

/**
 * The authors and resharers in a user's home: the members of the user's aspects, without those
 * of exclusive aspects, and the user.
 */
export const HOME_PEOPLE: RawBuilder<unknown> =
  peopleOfHomes(IS_IN_NO_EXCLUSIVE);

/** The same with the members of exclusive aspects: everybody whom the user reads in some list. */
export const READ_PEOPLE: RawBuilder<unknown> = peopleOfHomes(sql`1 = 1`);

/** Posts with these tags are there, too, unless their authors are silenced for the user. */
export const HOME_TAGS: RawBuilder<unknown> = sql`(
  select followed_tags.user_id, followed_tags.tag
  from followed_tags) as home_tags`;

/** A user whose home is read, and which part of it. */
export type HomeOf = {
  readonly dialect: DialectName;
  readonly userId: UserId;
  readonly personId: PersonId;
  /** A JSON array of ids of the user's aspects; without it the whole home. */
  readonly aspects: string | undefined;
  /** Also the members of exclusive aspects, in the whole home? */
  readonly isOfAllRead?: boolean;
};

/**
 * The common table expressions `members(id)` and `tags(tag)` of a home. An aspect has its
 * members and what the user gave to it, and no tags.
 */
export function homeSources(home: HomeOf): RawBuilder<unknown> {
  const { userId, personId, aspects, dialect } = home;
  if (aspects === undefined)
    return sql`members(id) as materialized (
        select home_people.person_id
        from ${home.isOfAllRead === true ? READ_PEOPLE : HOME_PEOPLE}
        where home_people.user_id = ${userId}
        group by home_people.person_id),
      tags(tag) as materialized (
        select home_tags.tag from ${HOME_TAGS}
        where home_tags.user_id = ${userId})`;
  return sql`members(id) as materialized (
      select aspect_memberships.person_id from aspect_memberships
      where ${isOneOf(dialect, "aspect_memberships.aspect_id", aspects, "bigint")}
      union
      select people.id from people where people.id = ${personId}),
    tags(tag) as materialized (
      select followed_tags.tag from followed_tags
      where followed_tags.user_id = ${userId} and 1 = 0)`;
}

/**
 * Is the person in this column among the members of the home? The members are not listed
 * for it, so it is the faster one for a few people.
 */
export function isMember(
  { userId, personId, aspects, dialect }: HomeOf,
  column: string,
): RawBuilder<SqlBool> {
  const person = sql.ref(column);
  if (aspects === undefined)
    return sql<SqlBool>`exists (select 1 from ${HOME_PEOPLE}
      where home_people.user_id = ${userId}
        and home_people.person_id = ${person})`;
  return sql<SqlBool>`(${person} = ${personId} or exists (
    select 1 from aspect_memberships
    where aspect_memberships.person_id = ${person}
      and ${isOneOf(dialect, "aspect_memberships.aspect_id", aspects, "bigint")}))`;
}

const LISTED_LANGUAGES = {
  sqlite: sql`select value from json_each(contacts.languages)`,
  postgres: sql`select value
    from jsonb_array_elements_text(contacts.languages::jsonb)`,
} as const satisfies Record<DialectName, RawBuilder<unknown>>;

/**
 * Does the user want what the author of an arrival brought so, by the choices about that
 * person? On `arrived`. A reshare is in the language of its root; posts that do not say
 * their language are wanted, and so are those that a followed tag brings.
 */
export const isWantedOfAuthor = ({
  dialect,
  userId,
}: Pick<HomeOf, "dialect" | "userId">): RawBuilder<unknown> => sql`
  (arrived.tag is not null or not exists (select 1 from contacts
    where contacts.user_id = ${userId}
      and contacts.person_id = arrived.author_id
      and (contacts.hides_reshares and arrived.post_id <> arrived.root_id
        or contacts.languages is not null and exists (
          select 1 from posts as root where root.id = arrived.root_id
            and root.language is not null
            and not exists (select 1
              from (${LISTED_LANGUAGES[dialect]}) as listed
              where root.language = listed.value
                or root.language like listed.value || '-%')))))`;

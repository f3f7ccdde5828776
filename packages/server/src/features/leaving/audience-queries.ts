import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";

/**
 * All remote people who may have received something by a local person: contacts, past and
 * present; recipients, subscribers and resharers of the person's posts; the same for posts
 * that the person commented on, liked, voted on or reshared; people mentioned in the
 * person's posts and comments; and owners, recipients and attendees of events that the
 * person plans or has answered.
 */
export async function listClosureRecipients(
  reader: Reader,
  personId: PersonId,
): Promise<PersonId[]> {
  const { rows } = await sql<{ id: PersonId }>`
    with touched as (
      select id, guid, person_id, public from posts where person_id = ${personId}
      union
      select posts.id, posts.guid, posts.person_id, posts.public from posts
        where posts.id in (select post_id from comments where person_id = ${personId})
      union
      select posts.id, posts.guid, posts.person_id, posts.public from posts
        where posts.id in (select post_id from likes where person_id = ${personId})
      union
      select posts.id, posts.guid, posts.person_id, posts.public from posts
        where posts.guid in (select root_guid from posts
          where person_id = ${personId} and root_guid is not null)
      union
      select posts.id, posts.guid, posts.person_id, posts.public from posts
        join polls on polls.post_id = posts.id
        where polls.id in (select poll_id from poll_votes where person_id = ${personId})),
    planned as (
      select id, person_id from events where person_id = ${personId}
      union
      select events.id, events.person_id from events
        where events.id in (select event_id from participations where person_id = ${personId})),
    heard as (
      select contacts.person_id from contacts
        join people on people.user_id = contacts.user_id
        where people.id = ${personId}
      union
      select touched.person_id from touched
      union
      select planned.person_id from planned
      union
      select event_recipients.person_id from event_recipients
        join planned on planned.id = event_recipients.event_id
      union
      select participations.person_id from participations
        join planned on planned.id = participations.event_id
      union
      select post_recipients.person_id from post_recipients
        join touched on touched.id = post_recipients.post_id
      union
      select post_subscribers.person_id from post_subscribers
        join touched on touched.id = post_subscribers.post_id
      union
      select posts.person_id from posts join touched on touched.guid = posts.root_guid
      union
      select text_mentions.person_id from text_mentions
        join posts on posts.id = text_mentions.post_id
        where posts.person_id = ${personId} and text_mentions.comment_id is null
      union
      select text_mentions.person_id from text_mentions
        join comments on comments.id = text_mentions.comment_id
        where comments.person_id = ${personId}
      union
      select contacts.person_id from contacts
        join people on people.user_id = contacts.user_id
        where people.id in (select person_id from touched where public))
    select people.id from people
      where people.user_id is null and people.state = 'active'
        and people.id in (select person_id from heard)
      order by people.id`.execute(reader);
  return rows.map(({ id }) => id);
}

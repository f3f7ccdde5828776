import type { Reader } from "../../db/db.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { People } from "../../features/people/index.ts";
import type { Posts } from "../../features/posts/index.ts";
import type { Thread } from "./outgoing.ts";

/**
 * Find the post with which an event's author announced it: messages about the event go to the
 * audience of that post.
 */
export async function findEventThread(
  { posts, people }: { readonly posts: Posts; readonly people: People },
  { id, personId }: CalendarEvent,
  reader?: Reader,
): Promise<Thread | undefined> {
  const [post] = await posts.listWithEvent(id, personId, reader);
  const postAuthor = post && (await people.find({ id: personId }, reader));
  return post && postAuthor && { post, postAuthor };
}

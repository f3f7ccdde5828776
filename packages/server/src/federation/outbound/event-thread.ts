import type { Reader } from "../../db/db.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { People } from "../../features/people/index.ts";
import type { Posts } from "../../features/posts/index.ts";
import type { Thread } from "./outgoing.ts";

/** The post that an event's author announced it with: what is said about the event goes to those who have that. */
export async function findEventThread(
  { posts, people }: { readonly posts: Posts; readonly people: People },
  { id, personId }: CalendarEvent,
  reader?: Reader,
): Promise<Thread | undefined> {
  const [post] = await posts.listCarrying(id, personId, reader);
  const postAuthor = post && (await people.find({ id: personId }, reader));
  return post && postAuthor && { post, postAuthor };
}

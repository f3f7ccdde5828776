import type { SignedIn } from "../../../features/accounts/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Post } from "../../../features/posts/index.ts";
import { mentionsIn } from "../../../lib/markdown/markdown.ts";
import { invalid } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

const handlesIn = (text: string): string[] =>
  mentionsIn(text).map(({ handle }) => handle);

/** The people whom a text names. @throws {Refusal} for one who is not known here */
export async function findAddressees(
  { people }: MastodonDeps,
  user: SignedIn,
  text: string,
): Promise<PersonId[]> {
  const handles = handlesIn(text);
  const known = await people.listByHandle(handles);
  const missing = handles.find((handle) => !known.has(handle));
  if (missing !== undefined)
    throw invalid(`Nobody is known here as ${missing}: search for them first`);
  const ids = new Set([...known.values()].map(({ id }) => id));
  ids.delete(user.personId);
  return [...ids];
}

/**
 * A message reaches the participants alone. An app would show others as addressed.
 * @throws {Refusal} for a text that names somebody else
 */
export async function checkMentionsOfMessage(
  { conversations, people }: MastodonDeps,
  post: Post,
  text: string,
): Promise<void> {
  const handles = handlesIn(text);
  if (handles.length === 0) return;
  const participants = await conversations.listParticipantIds([post.id]);
  const ids = new Set(participants.get(post.id));
  const known = await people.listByHandle(handles);
  const outside = handles.find((handle) => {
    const person = known.get(handle);
    return !person || !ids.has(person.id);
  });
  if (outside !== undefined)
    throw invalid(`${outside} is not part of this conversation`);
}

/**
 * The audience of a status stays as it is when it is edited.
 * @throws {Refusal} for a text that newly names somebody whom the status does not reach
 */
export async function checkMentionsOfEdit(
  { people, posts }: MastodonDeps,
  post: Post,
  text: string,
): Promise<void> {
  const before = new Set(handlesIn(post.text));
  const added = handlesIn(text).filter((handle) => !before.has(handle));
  if (post.public || added.length === 0) return;
  const recipients = await posts.listRecipientsOf([post.id]);
  const ids = new Set([post.personId, ...(recipients.get(post.id) ?? [])]);
  const known = await people.listByHandle(added);
  const outside = [...known.values()].find(({ id }) => !ids.has(id));
  if (outside)
    throw invalid(
      `An edit reaches nobody new, and this status is not for ${outside.handle}`,
    );
}

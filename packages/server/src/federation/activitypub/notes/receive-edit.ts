import type { Note } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { receivedTimestamp } from "../../../lib/time/clock.ts";
import { listMentionedUsers } from "../records/find-local.ts";
import { findKnown } from "../records/objects.ts";
import { receiveAttachmentChange } from "./receive-attachment.ts";
import { readMedia, readReplyMedia } from "./read-media.ts";
import {
  readBesideReply,
  readBesideText,
  readTagNames,
  readNoteText,
} from "./read-note-text.ts";
import { quotedBy, readQuotePolicy } from "./read-post.ts";
import type { ReceiveNoteDeps } from "./receive-note.ts";

/**
 * The new text of a known post or comment. The stored record decides about its author; its audience
 * never changes.
 * @returns false where it is not known here
 */
export async function receiveEdit(
  deps: ReceiveNoteDeps,
  note: Note,
  author: Person,
): Promise<boolean> {
  const known = await findKnown(deps, note.id);
  if (!known) return false;
  if (known.kind === "post") {
    if (known.post.personId !== author.id) return true;
    if (!isOlder(deps, note, known.post))
      await deps.quotes.receiveChange(known.post.id, quotedBy(note));
    if (!(await receiveAttachmentChange(deps, note, known.post))) return true;
    // The same text without a newer time is no edit: its thread or its counts have changed.
    if (note.updated === undefined && readNoteText(note) === known.post.text)
      return true;
  }
  const edit = {
    uri: note.id,
    by: author.id,
    text: readNoteText(note),
    editedAt: receivedTimestamp(note.updated, deps.clock.now()),
    isWithinSecond: true,
    mentioned: await listMentionedUsers(deps, note),
    tags: readTagNames(note),
    ...readBesideText(note),
    nsfw: note.sensitive,
  };
  if (known.kind === "post") {
    const photos = readMedia(note);
    const quotableBy = readQuotePolicy(note, author);
    await deps.posts.receiveEdit({ ...edit, photos, quotableBy });
    return true;
  }
  const photos = readReplyMedia(note);
  // A comment without any content is none.
  if (edit.text !== "" || photos.length > 0)
    await deps.comments.receiveEdit({
      ...{ ...edit, photos },
      ...readBesideReply(note, photos),
    });
  return true;
}

/** Compares whole seconds, the precision of some servers. */
function isOlder(
  { clock }: ReceiveNoteDeps,
  { updated }: Note,
  { updatedAt }: Post,
): boolean {
  if (updated === undefined) return false;
  const editedAt = receivedTimestamp(updated, clock.now());
  return Date.parse(editedAt) + 1000 <= Date.parse(updatedAt);
}

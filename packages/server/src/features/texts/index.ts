import type { Db, Reader, Tx } from "../../db/db.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { readText, type FoundInText } from "../../lib/markdown/markdown.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { TextPlace } from "./text-place.ts";
import {
  findMentions,
  isAnyLocal,
  listEverMentioned,
  listMentioned,
  listPersonIdsByHandle,
  listTags,
  type Mentions,
} from "./text-queries.ts";
import {
  deleteMentions,
  deleteSomeMentionsOf,
  deleteTags,
  insertMentions,
  insertTags,
  replaceMentions,
} from "./text-store.ts";

import { receivedTimestamp } from "../../lib/time/clock.ts";
import {
  insertVersion,
  listVersions,
  MAX_VERSIONS,
  type EarlierText,
} from "./version-store.ts";

export { findUsualChoices } from "./usual-choices.ts";
export type { TextPlace } from "./text-place.ts";
export {
  MAX_VERSIONS,
  type DescribedPhoto,
  type EarlierText,
  type TextVersion,
} from "./version-store.ts";

/** More in one text is spam. */
const MAX_TAGS = 50;
/** The limit of notifications that one text can cause. */
const MAX_MENTIONS = 100;

/** The tags, mentions and first link found in a text before it is stored. */
export type ReadText = FoundInText;

/**
 * The tags and mentions of texts: extracted once, when a text is stored, and looked up from
 * then on. Only mentions of people known here are stored.
 */
export type Texts = ReturnType<typeof createTexts>;

export function createTexts({ db }: { readonly db: Db }) {
  return {
    /**
     * Parses a text. Called outside of a transaction, since a long text takes time.
     * @param also tags listed beside the text, as ActivityPub does
     */
    read: (text: string, also: readonly string[] = []): ReadText => {
      const { tags, handles, link } = readText(text);
      return {
        link,
        tags: [...new Set([...tags, ...also])].slice(0, MAX_TAGS),
        handles: handles.slice(0, MAX_MENTIONS),
      };
    },
    /**
     * Stores the tags and mentions of a text, in the transaction that stores the text.
     * @param also people mentioned in another way, such as ActivityPub's
     * @returns the mentioned people who are known
     */
    keep,
    /**
     * Stores the tags and mentions of a remote text that replaces another one.
     * @returns the mentioned people who are known
     */
    replace: async (
      tx: Tx,
      place: TextPlace,
      found: ReadText,
      also: readonly PersonId[] = [],
    ): Promise<Mentions> => {
      await deleteTags(tx, place);
      await deleteMentions(tx, place);
      return keep(tx, place, found, also);
    },
    /**
     * The same for a local text. People whom it no longer mentions receive its later edits
     * and its retraction.
     */
    replaceOwn: async (
      tx: Tx,
      place: TextPlace,
      found: ReadText,
    ): Promise<void> => {
      await deleteTags(tx, place);
      if (place.commentId === null)
        await insertTags(tx, place.postId, found.tags);
      const people = await listPersonIdsByHandle(tx, handlesOf(found));
      await replaceMentions(tx, place, new Set(people));
    },
    /** Has one of these people an account here? */
    isAnyLocal,
    /** Stores the previous version of an edited text. */
    keepVersion: insertVersion,
    /** Stores the newest versions, oldest first, that a new text had elsewhere. */
    importVersions: async (
      tx: Tx,
      place: TextPlace,
      versions: readonly EarlierText[],
      now: Date,
    ): Promise<void> => {
      for (const { text, warning, writtenAt } of versions.slice(-MAX_VERSIONS))
        await insertVersion(tx, place, {
          ...{ text, warning, photos: [] },
          writtenAt: receivedTimestamp(writtenAt, now),
        });
    },
    /** The previous versions of a text that the caller has found visible, newest first. */
    listVersions: (place: TextPlace, page: Page) =>
      listVersions(db.read, place, page),
    /** Lists the people known here whom a text mentions that is not stored yet. */
    listPeopleIn: (reader: Reader, found: ReadText) =>
      listPersonIdsByHandle(reader, handlesOf(found)),
    listTags: (postId: PostId, reader: Reader = db.read) =>
      listTags(reader, postId),
    listMentioned: (place: TextPlace, reader: Reader = db.read) =>
      listMentioned(reader, place),
    /** Also those whom a local text mentioned before an edit. */
    listEverMentioned: (place: TextPlace, reader: Reader = db.read) =>
      listEverMentioned(reader, place),
    /** Deletes mentions of a deleted account. @returns true if more are left */
    removeSomeMentionsOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeMentionsOf(tx, personId, limit)) > 0,
      ),
  };
}

function handlesOf({ handles }: ReadText): string[] {
  return handles.flatMap((text) => {
    const handle = parseHandle(text);
    return handle ? [formatHandle(handle)] : [];
  });
}

async function keep(
  tx: Tx,
  place: TextPlace,
  found: ReadText,
  also: readonly PersonId[] = [],
): Promise<Mentions> {
  if (place.commentId === null) await insertTags(tx, place.postId, found.tags);
  const mentions = await findMentions(tx, handlesOf(found), also);
  await insertMentions(tx, place, mentions.people);
  return mentions;
}

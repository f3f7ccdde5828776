import type { Db, Reader, Tx } from "../../db/db.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { readText, type FoundInText } from "../../lib/markdown/markdown.ts";
import type { PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { TextPlace } from "./text-place.ts";
import { listMentioned, listPersonIdsByHandle } from "./text-queries.ts";
import {
  deleteFound,
  deleteSomeMentionsOf,
  insertMentions,
  insertTags,
} from "./text-store.ts";

import { insertVersion, listVersions } from "./version-store.ts";

export type { TextPlace } from "./text-place.ts";
export { MAX_VERSIONS, type TextVersion } from "./version-store.ts";

/** Whoever writes more is not looking for readers. */
const MAX_TAGS = 50;
/** As many notifications may one text cause. */
const MAX_MENTIONS = 100;

/** What was found in a text before it is stored. */
export type ReadText = FoundInText;

/**
 * The tags and mentions of texts: found once, when a text is stored, and looked
 * up from then on. Of mentioned people only those are kept who are known here.
 */
export type Texts = ReturnType<typeof createTexts>;

export function createTexts({ db }: { readonly db: Db }) {
  return {
    /**
     * Reads a text. Outside of a transaction, since a long text takes its time.
     * @param also tags that are named beside the text, as ActivityPub does it
     */
    read: (text: string, also: readonly string[] = []): ReadText => {
      const { tags, handles } = readText(text);
      return {
        tags: [...new Set([...tags, ...also])].slice(0, MAX_TAGS),
        handles: handles.slice(0, MAX_MENTIONS),
      };
    },
    /**
     * Keeps what a text holds, in the transaction that stores the text.
     * @param also people whom the text names in another way, such as ActivityPub's
     * @returns how many people known here it names
     */
    keep,
    /** Keeps what a text holds that takes the place of another one. */
    replace: async (
      tx: Tx,
      place: TextPlace,
      found: ReadText,
      also: readonly PersonId[] = [],
    ): Promise<void> => {
      await deleteFound(tx, place);
      await keep(tx, place, found, also);
    },
    /** Keeps what a text said that has just been replaced. */
    keepVersion: insertVersion,
    /** What a text said before that the caller has found visible, newest first. */
    listVersions: (place: TextPlace, page: Page) =>
      listVersions(db.read, place, page),
    listMentioned: (place: TextPlace, reader: Reader = db.read) =>
      listMentioned(reader, place),
    /** Of somebody who has left. @returns true where more are left */
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
): Promise<number> {
  if (place.commentId === null) await insertTags(tx, place.postId, found.tags);
  const named = await listPersonIdsByHandle(tx, handlesOf(found));
  const people = new Set([...named, ...also]);
  await insertMentions(tx, place, people);
  return people.size;
}

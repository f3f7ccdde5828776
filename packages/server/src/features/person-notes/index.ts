import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { People } from "../people/index.ts";
import {
  deleteNote,
  deleteSomeNotesOf,
  listNotesAmong,
  saveNote,
} from "./person-note-store.ts";

/** In code points. */
const MAX_NOTE_LENGTH = 2_000;

export type PersonNotesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly people: Pick<People, "find">;
};

/** Notes of users about people. Nobody else learns of it, here or on other servers. */
export type PersonNotes = ReturnType<typeof createPersonNotes>;

export function createPersonNotes({ db, clock, people }: PersonNotesDeps) {
  return {
    /** The user's notes about these people. */
    listAmong: (userId: UserId, personIds: readonly PersonId[]) =>
      listNotesAmong(db.read, userId, personIds),
    /**
     * Saves a note in the place of the one before; a blank one deletes it.
     * @throws {KithError} `not_found` for an unknown person, `bad_request` for a long note
     */
    save: (
      userId: UserId,
      personId: PersonId,
      given: string,
    ): Promise<void> => {
      const text = storableText(given).trim();
      if ([...text].length > MAX_NOTE_LENGTH)
        throw new KithError(
          "bad_request",
          `A note must have at most ${MAX_NOTE_LENGTH} characters.`,
        );
      const writing = db.transaction(async (tx) => {
        const person = await people.find({ id: personId }, tx);
        if (person?.state !== "active")
          throw new KithError("not_found", "No such person.");
        if (text === "") return deleteNote(tx, userId, personId);
        await saveNote(tx, userId, personId, text, timestamp(clock.now()));
      });
      return notFoundIfGone(writing);
    },
    /** Deletes notes by or about a person who has left. @returns true if more may remain */
    removeSomeOf: (
      leaver: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeNotesOf(tx, leaver, limit)) > 0,
      ),
  };
}

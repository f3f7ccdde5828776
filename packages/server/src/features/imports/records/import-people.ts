import { parseHandle } from "../../../lib/handle.ts";
import { readFollowLanguages } from "../../contacts/index.ts";
import type { ItemOf } from "../import-item.ts";
import {
  findNamed,
  hasTooManyPeople,
  listOwnAspects,
  MAX_ASPECTS,
} from "../import-relation.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";

/** Aspects of one name become one; one that is here stays as it is. */
export async function importAspect(
  { aspects }: ImportDeps,
  run: ImportRun,
  { aspect }: ItemOf<"aspect">,
): Promise<RecordOutcome> {
  const name = aspect.name.trim();
  if (name === "") return "empty";
  const known = await listOwnAspects(aspects, run);
  if (known.has(name)) return "known";
  if (known.size >= MAX_ASPECTS) return "too_many";
  if (!run.isRehearsal) {
    const { userId } = run.user;
    const { repliesPolicy, exclusive } = aspect;
    const choices = { repliesPolicy, exclusive };
    const { id } = await aspects.create(userId, name, choices);
    known.set(name, id);
  }
  return "added";
}

/** The choices about a person whom the user follows by now. */
export async function importFollowChoice(
  { contacts, people }: ImportDeps,
  { user, isRehearsal }: ImportRun,
  { handle, choices }: ItemOf<"follow_choice">,
): Promise<RecordOutcome> {
  const languages = readFollowLanguages(choices.languages);
  const person = await people.find({ handle });
  const contact = person && (await contacts.find(user.userId, person.id));
  if (!person || !contact?.following)
    return isRehearsal ? "added" : "unknown_person";
  const known = contact.choices;
  const isKnown =
    known.reshares === choices.reshares &&
    known.notify === choices.notify &&
    known.featured === choices.featured &&
    known.languages.join() === languages.join();
  if (isKnown) return "known";
  if (!isRehearsal)
    await contacts.changeChoices(user.userId, person.id, {
      ...{ ...choices, languages },
    });
  return "added";
}

/** A note that the user has made here stays. */
export async function importPersonNote(
  deps: ImportDeps,
  run: ImportRun,
  { handle, text }: ItemOf<"person_note">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  if (hasTooManyPeople(run, "person_note")) return "too_many";
  if (text.trim() === "") return "empty";
  if (!parseHandle(handle)) return "malformed";
  const person = await findNamed(deps, run, handle);
  if (!person) return run.isRehearsal ? "added" : "unknown_person";
  const notes = await deps.personNotes.listAmong(userId, [person.id]);
  if (notes.has(person.id)) return "known";
  if (!run.isRehearsal) await deps.personNotes.save(userId, person.id, text);
  return "added";
}

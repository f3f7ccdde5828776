import {
  isBirthday,
  MAX_FIELD_NAME_LENGTH,
  MAX_FIELD_VALUE_LENGTH,
  PROFILE_LIMITS,
} from "../../features/people/index.ts";
import { accountTexts } from "../languages/texts.ts";
import type { FormDraft } from "../session/return-target.ts";
import { lineName, lineText, MAX_LINES } from "./profile-draft.ts";

const texts = accountTexts.profileFaults;

/** The words beside the faulty fields of a profile, by the names of the fields. */
export type ProfileFaults = Readonly<Record<string, string>>;

/** Each text with a limit, by its name in the form. */
const LIMITED = [
  ["first_name", "firstName"],
  ["last_name", "lastName"],
  ["bio", "bio"],
  ["location", "location"],
  ["gender", "gender"],
] as const;

/** The faults of a profile that was refused. */
export function faultsOfProfile(draft: FormDraft, now: Date): ProfileFaults {
  const faults: Record<string, string> = {};
  for (const [name, key] of LIMITED) {
    const { max } = PROFILE_LIMITS[key];
    if (isLonger(draft[name], max)) faults[name] = texts.tooLong(max);
  }
  for (const name of ["first_name", "last_name"])
    if (draft[name]?.includes(";") === true) faults[name] = texts.semicolon;
  const { birthday = "" } = draft;
  if (birthday !== "" && !isBirthday(birthday, now))
    faults["birthday"] = texts.birthday;
  for (let at = 0; at < MAX_LINES; at += 1)
    Object.assign(faults, faultsOfLine(draft, at));
  return faults;
}

function faultsOfLine(draft: FormDraft, at: number): ProfileFaults {
  const [name, text] = [lineName(at), lineText(at)];
  const [named = "", written = ""] = [draft[name], draft[text]];
  const isPart = (named.trim() === "") !== (written.trim() === "");
  if (isPart)
    return { [named.trim() === "" ? name : text]: texts.incompleteLine };
  return {
    ...(isLonger(named, MAX_FIELD_NAME_LENGTH) && {
      [name]: texts.tooLong(MAX_FIELD_NAME_LENGTH),
    }),
    ...(isLonger(written, MAX_FIELD_VALUE_LENGTH) && {
      [text]: texts.tooLong(MAX_FIELD_VALUE_LENGTH),
    }),
  };
}

const isLonger = (text = "", max: number): boolean =>
  [...text.trim()].length > max;

import { newcomerFault } from "../newcomers/newcomer-fault.ts";
import type { SignedIn } from "../../features/accounts/index.ts";
import { MAX_SUBJECT_LENGTH } from "../../features/conversations/index.ts";
import type { PersonId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import {
  NO_PICTURES,
  PICTURE_FIELDS,
  readPictures,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import { messageTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";

export const MESSAGES = "/messages";
export const NEW_MESSAGE = `${MESSAGES}/new`;

export const MESSAGE_FIELDS = Type.Object({
  to: text("The addresses of the others, with commas between"),
  subject: text("One line"),
  text: text("The message, in Markdown"),
  ...PICTURE_FIELDS,
});

/** A message as it is being written. */
export type MessageDraft = DraftPictures & {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly fault?: string;
  /** The field that the fault is about, if it is about one. */
  readonly faulty?: "to" | "subject" | "text" | "photo";
};

/** A fault of a message, and its place. */
export type MessageFault = Required<Pick<MessageDraft, "fault">> &
  Pick<MessageDraft, "faulty">;

/** More addresses are refused before anybody is looked up. */
const MAX_ADDRESSES = 49;

export const NO_MESSAGE: MessageDraft = {
  ...{ to: "", subject: "", text: "" },
  ...NO_PICTURES,
};

export function conversationPath(guid: string): string {
  return `${MESSAGES}/${encodeURIComponent(guid)}`;
}

export function readMessage(parameters: Parameters): MessageDraft {
  const input = readInput(MESSAGE_FIELDS, parameters);
  const { to = "", subject = "", text: written = "" } = input;
  return { to, subject, text: written, ...readPictures(input) };
}

/**
 * Finds the people whom a draft names, on their own servers if need be.
 * @returns the address that names nobody
 */
export async function findRecipients(
  { people, find }: PagesContext,
  by: SignedIn,
  { to }: Pick<MessageDraft, "to">,
): Promise<{ readonly personIds: PersonId[] } | { readonly unknown: string }> {
  const addresses = addressesIn(to);
  if (addresses.length > MAX_ADDRESSES)
    throw new KithError("bad_request", "Too many people.");
  const personIds = new Set<PersonId>();
  for (const address of addresses) {
    const person =
      (await people.find({ handle: address.toLowerCase() })) ??
      (await found(find(address, by)));
    if (person?.state !== "active") return { unknown: address };
    if (person.id !== by.personId) personIds.add(person.id);
  }
  return { personIds: [...personIds] };
}

function addressesIn(to: string): string[] {
  return to
    .split(/[\s,;]+/)
    .map((address) => address.replace(/^@/, ""))
    .filter((address) => address !== "");
}

/** An address that cannot be looked up names nobody. */
async function found(
  looking: ReturnType<PagesContext["find"]>,
): Promise<Awaited<ReturnType<PagesContext["people"]["find"]>>> {
  try {
    return (await looking)?.person;
  } catch (error) {
    if (error instanceof KithError) return undefined;
    throw error;
  }
}

/** A fault that the author can correct; undefined for any other error. */
export function faultOfMessage(
  error: unknown,
  { text: written, subject, to }: Omit<MessageDraft, keyof DraftPictures>,
): MessageFault | undefined {
  const byLimits = newcomerFault(error);
  if (byLimits !== undefined) return { fault: byLimits };
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string")
    return { fault: texts.blank, faulty: "text" };
  if ([...written].length > MAX_TEXT_LENGTH)
    return { fault: texts.tooLong(MAX_TEXT_LENGTH), faulty: "text" };
  if (addressesIn(to).length > MAX_ADDRESSES)
    return { fault: texts.tooManyPeople(MAX_ADDRESSES), faulty: "to" };
  if ([...subject].length > MAX_SUBJECT_LENGTH)
    return { fault: texts.longSubject(MAX_SUBJECT_LENGTH), faulty: "subject" };
  return ["bad_request", "forbidden", "not_found"].includes(error.code)
    ? { fault: texts.refused }
    : undefined;
}

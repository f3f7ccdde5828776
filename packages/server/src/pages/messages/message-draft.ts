import { newcomerFault } from "../newcomers/newcomer-fault.ts";
import type { SignedIn } from "../../features/accounts/index.ts";
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
};

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
  const addresses = to
    .split(/[\s,;]+/)
    .map((address) => address.replace(/^@/, ""))
    .filter((address) => address !== "");
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
export function faultOfMessage(error: unknown): string | undefined {
  const byLimits = newcomerFault(error);
  if (byLimits !== undefined) return byLimits;
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.blank;
  return ["bad_request", "forbidden", "not_found"].includes(error.code)
    ? texts.refused
    : undefined;
}

import { readFile, stat } from "node:fs/promises";
import {
  pathOfPicture,
  type Registration,
  type ServerProfile,
  type ServerProfiles,
  type ShownServer,
} from "../../features/server-profile/index.ts";
import { KithError, messageOf } from "../../lib/errors.ts";
import { MAX_IMAGE_BYTES } from "../../lib/images/image.ts";
import { inOneLine } from "../in-one-line.ts";
import { inOptions } from "../in-options.ts";
import { startTable } from "../table.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

const USAGE =
  "kith server show [--json], kith server set OPTIONS, or kith server unset NAME... See kith server --help.";

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

/** More than any text may have. */
const MAX_TEXT_BYTES = 1_048_576;

/** The texts by their names on the command line; some of them come from a file. */
const TEXTS = {
  name: "name",
  description: "description",
  joining: "joining",
  contact: "contact",
  "contact-mail": "contactMail",
  language: "language",
  "accent-light": "accentLight",
  "accent-dark": "accentDark",
  rules: "rules",
  terms: "terms",
  privacy: "privacy",
  style: "style",
} as const satisfies Readonly<Record<string, keyof ServerProfile>>;

/** The numbers of the limits by their names on the command line. */
const NUMBERS = {
  "min-age": "minAge",
  "newcomer-days": "newcomerDays",
  "newcomer-posts": "newcomerPosts",
  "newcomer-follows": "newcomerFollows",
} as const satisfies Readonly<Record<string, keyof ServerProfile>>;
const LIMITS = [
  ...(["min-age", "newcomer-days"] as const),
  ...(["newcomer-posts", "newcomer-follows"] as const),
] as const satisfies readonly (keyof typeof NUMBERS)[];
const LINKS = "newcomer-links";

type TextName = keyof typeof TEXTS;
const FROM_FILES = ["rules", "terms", "privacy", "style"] as const;
const TYPED = [
  ...(["name", "description", "joining", "contact", "contact-mail"] as const),
  ...(["language", "accent-light", "accent-dark"] as const),
] as const;

const REGISTRATIONS = ["open", "approval", "closed"] as const;

const LATER = "A running server shows it within five seconds.";

/** `kith server …` @throws {UsageError} */
export async function runServerCommand(
  serverProfile: ServerProfiles,
  [verb, ...names]: readonly string[],
  { json, yes: _, ...options }: CommandOptions,
  write: Write,
): Promise<void> {
  const isBare = Object.keys(options).length === 0;
  if (verb === "show" && names.length === 0 && isBare)
    return show(await serverProfile.get(), json, write);
  if (json) throw new UsageError(USAGE);
  if (verb === "set" && names.length === 0 && !isBare)
    return set(serverProfile, options, write);
  if (verb === "unset" && names.length > 0 && isBare)
    return unset(serverProfile, names, write);
  throw new UsageError(USAGE);
}

function show(server: ShownServer, json: boolean, write: Write): void {
  const values: [string, string][] = [
    ...Object.entries(TEXTS).map(
      ([name, field]) => [name, server[field]] as [string, string],
    ),
    ["registration", server.signUp],
    ...Object.entries(NUMBERS).map(
      ([name, field]) => [name, String(server[field])] as [string, string],
    ),
    [LINKS, server.newcomerLinks ? "yes" : "no"],
    ["picture", server.picture ? pathOfPicture(server.picture) : ""],
  ];
  if (json)
    return write(JSON.stringify({ server: Object.fromEntries(values) }));
  const row = startTable(write, ["name", "value"]);
  for (const [name, value] of values) row([name, inOneLine(value)]);
}

type SetOptions = Omit<CommandOptions, "json" | "yes">;

async function set(
  serverProfile: ServerProfiles,
  options: SetOptions,
  write: Write,
): Promise<void> {
  const changes = await readChanges(options);
  const { picture } = options;
  const bytes =
    picture === undefined
      ? undefined
      : await readSmall(picture, MAX_IMAGE_BYTES);
  await refused(async () => {
    if (bytes) await serverProfile.setPicture(COMMAND_LINE, bytes, changes);
    else await serverProfile.save(COMMAND_LINE, changes);
  });
  write(`Changed. ${LATER}`);
}

async function readChanges(
  options: SetOptions,
): Promise<Partial<ServerProfile>> {
  const changes: Record<string, string | number | boolean> =
    readLimits(options);
  for (const name of TYPED) {
    const value = options[name];
    if (value !== undefined) changes[TEXTS[name]] = value;
  }
  for (const name of FROM_FILES) {
    const file = options[`${name}-file`];
    if (file !== undefined)
      changes[TEXTS[name]] = readText(
        await readSmall(file, MAX_TEXT_BYTES),
        file,
      );
  }
  const { registration } = options;
  return registration === undefined
    ? changes
    : { ...changes, registration: readRegistration(registration) };
}

function readLimits(options: SetOptions) {
  const limits: Record<string, number | boolean> = {};
  for (const name of LIMITS) {
    const value = options[name];
    if (value === undefined) continue;
    if (!/^\d{1,9}$/.test(value))
      throw new UsageError(`--${name} is a whole number, or 0 for none.`);
    limits[NUMBERS[name]] = Number(value);
  }
  const links = options[LINKS];
  if (links !== undefined && links !== "yes" && links !== "no")
    throw new UsageError(`--${LINKS} is yes or no.`);
  if (links !== undefined) limits["newcomerLinks"] = links === "yes";
  return limits;
}

async function unset(
  serverProfile: ServerProfiles,
  names: readonly string[],
  write: Write,
): Promise<void> {
  const changes: Record<string, string | null> = {};
  for (const name of names) {
    if (name === "registration") changes[name] = null;
    else if (isTextName(name)) changes[TEXTS[name]] = "";
    else if (name !== "picture")
      throw new UsageError(
        `${inOneLine(name)} cannot be unset: it is one of ${Object.keys(TEXTS).join(", ")}, registration, picture.`,
      );
  }
  await refused(async () => {
    if (Object.keys(changes).length > 0)
      await serverProfile.save(COMMAND_LINE, changes);
    if (names.includes("picture"))
      await serverProfile.removePicture(COMMAND_LINE);
  });
  write(`Removed. ${LATER}`);
}

const isTextName = (name: string): name is TextName =>
  Object.hasOwn(TEXTS, name);

function readRegistration(given: string): Registration {
  const found = REGISTRATIONS.find((it) => it === given);
  if (!found)
    throw new UsageError(
      `--registration is one of ${REGISTRATIONS.join(", ")}; kith server unset registration leaves it to the configuration.`,
    );
  return found;
}

async function readSmall(file: string, maxBytes: number): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes)
      throw new UsageError(
        `${inOneLine(file)} must have at most ${maxBytes} bytes.`,
      );
    return await readFile(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${inOneLine(file)} cannot be read: ${messageOf(error)}.`,
    );
  }
}

function readText(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${inOneLine(file)} must be a text in UTF-8.`);
  }
}

async function refused(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(inOptions(error.message, OPTIONS));
  }
}

/** The options of parameters that are called otherwise here. */
const OPTIONS = {
  mail: "--contact-mail",
  ...Object.fromEntries(FROM_FILES.map((name) => [name, `--${name}-file`])),
};

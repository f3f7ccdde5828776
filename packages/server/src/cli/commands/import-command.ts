import path from "node:path";
import type { Accounts } from "../../features/accounts/index.ts";
import {
  LIST_KINDS,
  type Fault,
  type ArchiveReport,
  type Imports,
  type ItemKind,
  type ListKind,
} from "../../features/imports/index.ts";
import type { People } from "../../features/people/index.ts";
import { codeOf, KithError } from "../../lib/errors.ts";
import { inOneLine } from "../in-one-line.ts";
import type { Progress } from "../show-progress.ts";
import { startTable } from "../table.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

const USAGE = `kith account import NAME FILE [--rehearse] [--move] [--kind ${LIST_KINDS.join("|")}] [--json]`;

type ImportCommandDeps = {
  readonly accounts: Pick<Accounts, "find">;
  readonly imports: Imports;
  readonly people: Pick<People, "find">;
};

/** `kith account import …` @throws {UsageError} */
export async function runImportCommand(
  deps: ImportCommandDeps,
  words: readonly string[],
  { kind, rehearse = false, move = false, json }: CommandOptions,
  write: Write,
  progress: Progress,
): Promise<void> {
  const [, name, file, ...more] = words;
  if (name === undefined || file === undefined || more.length > 0)
    throw new UsageError(USAGE);
  const user = await findUser(deps, name);
  const report = await explain(file, () =>
    deps.imports.run({
      ...{ user, file: path.resolve(file), kind: readKind(kind) },
      ...{ isRehearsal: rehearse, moves: move },
      onProgress: (done, ofAll) =>
        progress(`${done} of ${ofAll} records`, done / Math.max(ofAll, 1)),
    }),
  );
  if (json) write(JSON.stringify(report));
  else show(report, rehearse, write);
}

function readKind(text: string | undefined): ListKind | undefined {
  const kind = LIST_KINDS.find((it) => it === text);
  if (text !== undefined && kind === undefined) throw new UsageError(USAGE);
  return kind;
}

async function findUser({ accounts, people }: ImportCommandDeps, name: string) {
  const account = await accounts.find(name);
  if (!account || account.state === "closed")
    throw new UsageError(`There is no account ${name}.`);
  if (account.state !== "active")
    throw new UsageError(`The account ${name} is ${account.state}.`);
  const person = await people.find({ userId: account.id });
  if (!person) throw new UsageError(`There is no account ${name}.`);
  return { userId: account.id, personId: person.id };
}

async function explain<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof KithError) throw new UsageError(error.message);
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EISDIR")
      throw new UsageError(`There is no file ${file}.`);
    throw error;
  }
}

function show(report: ArchiveReport, isRehearsal: boolean, write: Write): void {
  const kinds = Object.entries(report) as [
    ItemKind,
    NonNullable<ArchiveReport[ItemKind]>,
  ][];
  if (kinds.length === 0) return write("There is nothing in it.");
  const added = isRehearsal ? "would be added" : "added";
  const row = startTable(write, ["kind", added, "here before", "left out"]);
  for (const [kind, { added: count, known, leftOut }] of kinds) {
    const left = Object.values(leftOut).reduce((sum, it) => sum + it.count, 0);
    row([KINDS[kind], count, known, left]);
  }
  for (const [kind, { leftOut }] of kinds)
    for (const [fault, left] of Object.entries(leftOut)) {
      const reason = FAULTS[fault as Fault];
      const examples = left.examples.map(inOneLine).join(", ");
      write(`${KINDS[kind]}: ${left.count} left out, ${reason}: ${examples}`);
    }
}

const KINDS: Readonly<Record<ItemKind, string>> = {
  post: "posts",
  comment: "comments",
  reshare: "reshares",
  like: "likes",
  picture: "pictures",
  follow: "follows",
  block: "blocks",
  ignore: "ignored people",
  host_block: "blocked servers",
  bookmark: "bookmarks",
  tag: "followed tags",
  profile: "profile",
  setting: "settings",
  aspect: "aspects",
  follow_choice: "choices for follows",
  featured_tag: "featured tags",
  filter: "filters",
  filtered_post: "filtered posts",
  stream: "streams",
  person_note: "notes about people",
  calendar: "calendars",
  event: "events",
  reminder: "reminders",
  subscribed_calendar: "subscribed calendars",
  hidden_post: "hidden posts",
  muted_post: "muted posts",
  draft: "drafts",
  account: "account that moves here",
};

const FAULTS: Readonly<Record<Fault, string>> = {
  would_tell: "because others would be notified of them now",
  of_others: "because they are by somebody else",
  reply: "because they reply to posts that are not imported",
  wider: "because more people may see the post above them",
  empty: "because nothing is in them",
  too_long: "because they are too long",
  no_date: "because they have no date",
  malformed: "because they cannot be read",
  missing: "because the archive lacks them",
  unreadable: "because their form is unknown or they are too large",
  in_comment: "because comments had no pictures",
  too_many: "because there are too many",
  limited: "because new accounts may follow only so many people a day",
  unknown_person: "because nobody is found by that name",
  unknown_post: "because the post is not here",
  unknown_event: "because the event is not here",
  not_asked: "because --move was not given",
  wrong_key: "because the private key is not that of the account",
  past: "because they have ended",
  refused: "because this server refuses them",
};

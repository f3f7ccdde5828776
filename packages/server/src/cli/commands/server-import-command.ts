import type {
  Hindrance,
  RecordKind,
  ServerImportReport,
  ServerImports,
} from "../../features/server-imports/index.ts";
import { inOneLine } from "../in-one-line.ts";
import type { Progress } from "../show-progress.ts";
import { startTable } from "../table.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

const USAGE = "kith import ganggo DATABASE [--rehearse] [--json]";

/** `kith import ganggo …` @throws {UsageError} @throws {OperatorError} */
export async function runServerImportCommand(
  imports: ServerImports,
  words: readonly string[],
  { rehearse = false, json }: CommandOptions,
  write: Write,
  progress: Progress,
): Promise<void> {
  const [program, place, ...more] = words;
  if (program !== "ganggo" || place === undefined || more.length > 0)
    throw new UsageError(USAGE);
  const report = await imports.runGanggo({
    ...{ place, isRehearsal: rehearse },
    onProgress: (done, ofAll) =>
      progress(`${done} of ${ofAll} records`, done / Math.max(ofAll, 1)),
  });
  if (json) write(JSON.stringify(report));
  else show(report, rehearse, write);
}

function show(
  report: ServerImportReport,
  isRehearsal: boolean,
  write: Write,
): void {
  if (report.length === 0) return write("There is nothing in it.");
  const added = isRehearsal ? "would be added" : "added";
  const row = startTable(write, ["kind", added, "here before", "left out"]);
  for (const { kind, added: count, known, leftOut } of report) {
    const left = leftOut.reduce((sum, it) => sum + it.count, 0);
    row([KINDS[kind], count, known, left]);
  }
  for (const { kind, leftOut } of report)
    for (const { reason, count, examples } of leftOut) {
      const shown = examples.map(inOneLine).join(", ");
      write(`${KINDS[kind]}: ${count} left out, ${REASONS[reason]}: ${shown}`);
    }
}

const KINDS: Readonly<Record<RecordKind, string>> = {
  account: "accounts",
  aspect: "aspects",
  follow: "members of aspects",
  follower: "followers",
  person: "people on other servers",
  post: "posts",
  narrowed: "limited posts for their authors alone, as their aspects are gone",
  picture: "pictures",
  reshare: "reshares",
  comment: "comments",
  like: "likes",
  tag: "followed tags",
  stream: "streams",
};

const REASONS: Readonly<Record<Hindrance, string>> = {
  closed: "because the account was deleted there",
  name: "because no account here may have that name",
  taken: "because somebody else has the name or the Guid here",
  other_host: "because they are of another domain",
  keys: "because their keys cannot be read or do not fit",
  used: "because their owners have used their accounts here since",
  other_protocol: "because accounts have other addresses over ActivityPub here",
  person: "because a person of theirs is left out or missing",
  target: "because the post or comment is left out or missing",
  audience: "because nobody here may read them",
  author: "because GangGo stores a wrong author of them",
  file: "because GangGo keeps no files of pictures",
  empty: "because nothing is in them",
  too_long: "because they are too long",
  no_date: "because they have no date",
  malformed: "because they cannot be read",
  refused: "because this server refuses them",
};

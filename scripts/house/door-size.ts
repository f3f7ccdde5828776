import ts from "typescript";
import type { SourceText } from "./file-size.ts";

const MAX_ENTRIES = 12;
const DOOR = /^packages\/[^/]+\/src\/(features\/[^/]+\/)?index\.ts$/;

/** Wide doors, and why they are. A door that is no longer wide loses its line. */
const WIDE: Readonly<Record<string, string>> = {
  "packages/activitypub/src/index.ts":
    "all that the protocol computes; each name is a shape, reader or builder",
  "packages/diaspora/src/index.ts":
    "all that the protocol computes; each name is an entity, reader or builder",
  "packages/server/src/features/accounts/index.ts":
    "sign-in, second factors, tokens, keys and administration share one account",
  "packages/server/src/features/calendars/index.ts":
    "calendars with their addresses, shares and programs, and the limit that imports keep too",
  "packages/server/src/features/subscribed-calendars/index.ts":
    "subscriptions with their reading, objects and job, and the limit that imports keep too",
  "packages/server/src/features/host-policies/index.ts":
    "a decision about a host, its verdicts, and the job that applies it to people",
  "packages/server/src/features/imports/index.ts":
    "the shapes into which formats of other programs are read, and imports of people with their jobs",
  "packages/server/src/features/mail/index.ts":
    "addresses, choices, jobs and words of mails, which pages, moderation and the queue name",
  "packages/server/src/features/moves/index.ts":
    "a move, its job with its steps, and the tables whose rows it reassigns",
  "packages/server/src/features/oauth/index.ts":
    "apps, what they ask for, and the scopes, which every call and page names",
  "packages/server/src/features/people/index.ts":
    "every feature and both translators name people and their profiles",
  "packages/server/src/features/notifications/index.ts":
    "kinds, choices and groups, which every interface shows, and pushes follow",
  "packages/server/src/features/posts/index.ts":
    "the rules of texts, warnings and places hold for comments and events too",
  "packages/server/src/features/events/index.ts":
    "an event is changed by forms, by other servers and by calendar programs under the same rules",
  "packages/server/src/features/photos/index.ts":
    "uploads, media of posts and profile pictures share one store and its jobs",
  "packages/server/src/features/server-profile/index.ts":
    "words, picture, colours and style sheet of a server, which every interface shows",
  "packages/server/src/features/spam-rules/index.ts":
    "rules, their log and rehearsals for every interface, and the refusal that each writing feature keeps",
  "packages/server/src/features/visibility/index.ts":
    "one condition for each kind of thing and each kind of distance",
};

/** Doors with more entries than one remembers, unless they say why. */
export function checkDoors(sources: readonly SourceText[]) {
  return sources
    .filter(({ file }) => DOOR.test(file))
    .flatMap(({ file, text }) => {
      const entries = countExports(file, text);
      const isListed = file in WIDE;
      if (entries > MAX_ENTRIES === isListed) return [];
      const say = isListed
        ? `${entries} entries: no wide door any more, so take it off the list`
        : `${entries} entries, more than ${MAX_ENTRIES}: split the feature, or list the door with a reason`;
      return [{ file, line: 1, rule: "door-size", say }];
    });
}

function countExports(file: string, text: string): number {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  let count = 0;
  for (const statement of source.statements)
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      count += clause && ts.isNamedExports(clause) ? clause.elements.length : 1;
    } else if (
      ts.canHaveModifiers(statement) &&
      statement.modifiers?.some(
        ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
      )
    )
      count += 1;
  return count;
}

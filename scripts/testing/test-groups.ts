import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Loading Kith takes half a second, and its code is slow until it has run for a while: test files share that. */
const FILES_IN_A_GROUP = 20;

/** Files that have a process of their own, and why. */
const ISOLATED: Readonly<Record<string, string>> = {
  "test/{cases,crash,e2e}/**":
    "they start processes and browsers, and take long; one changes the umask",
  "test/conformance/**": "they call every route for a long time",
  "test/house/**": "they start processes and change the environment",
  "**/*.fuzz.test.ts": "they measure how long a single reading takes",
  "packages/activitypub/src/resolve-key.test.ts": "awaits at its top level",
  "packages/activitypub/src/vectors.test.ts": "awaits at its top level",
  "packages/activitypub/src/linked-data/{json-ld-bounds,plain-reading,ld-signature}.test.ts":
    "they await at their top level",
  "packages/server/src/federation/activitypub/authority/fetch-own.test.ts":
    "awaits at its top level",
};

/** Of those, files that share processes after all: their servers run in the process of the test. */
const SHARING = ["test/e2e/pages*.test.ts", "test/e2e/*-browser.test.ts"];

/**
 * Files that `npm test` runs on PostgreSQL too: stores, queries, transactions,
 * conformance and the privacy matrix. The others reach the database through these
 * alone; they run on PostgreSQL with `--both-databases`, as in `.ci/run`.
 */
const ON_BOTH_DATABASES = [
  "**/*.db.test.ts",
  "packages/server/test/api/query-plans.test.ts",
  "packages/server/test/api/edits-at-once.test.ts",
  "test/conformance/**",
  "test/security/privacy-matrix.test.ts",
];

/**
 * Files that take longest. They start first, in processes of their own: one that began last
 * would run alone at the end. Where they run on both databases, each has a process.
 */
const LONGEST = [
  "test/e2e/{media-hosts,pages-accessible}-browser.test.ts",
  "packages/server/test/api/bad-input.test.ts",
  "test/{conformance,crash}/**",
  "test/e2e/walk-diaspora.test.ts",
  "test/security/privacy-matrix.test.ts",
  "test/house/diaspora-vectors.test.ts",
];

/**
 * Files that mostly wait, for timeouts, further attempts and browsers. One at a time runs beside those
 * that compute, which would leave processors without work where they waited for these.
 */
const WAITING = [
  "test/cases/runner.test.ts",
  "test/e2e/{walk-activitypub,outage,leases}.test.ts",
  "test/e2e/{pages-steady,pages-walk,pages-kit}-browser.test.ts",
  "test/security/cases-{fetching,redirects}.test.ts",
  "test/conformance/mastodon-fuzz/mastodon-sockets.test.ts",
  "packages/server/src/db/postgres/stalled-connections.db.test.ts",
  "packages/server/src/federation/delivery/misbehaving-peers.db.test.ts",
  "packages/server/src/jobs/results.db.test.ts",
  "packages/server/src/features/homes/home-walk.db.test.ts",
  "packages/server/test/api/relays.test.ts",
];

/** Of those, files whose tests all name their database. */
const SPLIT = ["test/security/privacy-matrix.test.ts"];

/** Test files that share a process. */
export type Group = {
  readonly files: readonly string[];
  /** The kind of database that they run on; both where this is absent. */
  readonly databases?: "sqlite" | "postgres";
  /** Whether they mostly wait. */
  readonly waits?: true;
};

const ON_SQLITE = { databases: "sqlite" } as const;

export function groupFiles(
  files: readonly string[],
  options: { readonly bothDatabases: boolean; readonly shared: boolean },
): Group[] {
  const isOnBoth = (file: string) =>
    options.bothDatabases || isIn(ON_BOTH_DATABASES, file);
  const databasesOf = (file: string) => (isOnBoth(file) ? {} : ON_SQLITE);
  const alone = files
    .filter((file) => !options.shared || !mayShare(file))
    .toSorted(startFirst(LONGEST));
  const sharing = files
    .filter((file) => !alone.includes(file))
    .toSorted(startFirst(SHARING));
  const onBoth = chunk(sharing.filter(isOnBoth)).map((it) => ({ files: it }));
  const onSqlite = chunk(sharing.filter((file) => !isOnBoth(file)));
  return [
    ...alone.flatMap((file): Group[] =>
      options.shared && isOnBoth(file) && isIn(SPLIT, file)
        ? [
            { files: [file], databases: "postgres" },
            { files: [file], ...ON_SQLITE },
          ]
        : [
            {
              ...{ files: [file], ...databasesOf(file) },
              ...(isIn(WAITING, file) && { waits: true }),
            },
          ],
    ),
    ...onBoth,
    ...onSqlite.map((it) => ({ files: it, ...ON_SQLITE })),
  ];
}

/** A stable sort: the others keep their order. */
const startFirst = (patterns: readonly string[]) => (a: string, b: string) =>
  Number(isIn(patterns, b)) - Number(isIn(patterns, a));

function mayShare(file: string): boolean {
  const isIsolated = isIn(Object.keys(ISOLATED), file) && !isIn(SHARING, file);
  return !isIsolated && !isIn(LONGEST, file) && !isIn(WAITING, file);
}

function isIn(patterns: readonly string[], file: string): boolean {
  return patterns.some((pattern) => path.matchesGlob(file, pattern));
}

function chunk(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / FILES_IN_A_GROUP);
  return Array.from({ length: count }, (_, n) =>
    files.slice(n * FILES_IN_A_GROUP, (n + 1) * FILES_IN_A_GROUP),
  );
}

/** The programs of the processes, in a folder of this run's own. */
export class GroupEntries {
  readonly files: readonly string[];
  readonly #folder = mkdtempSync(path.join(tmpdir(), "kith-test-groups-"));
  readonly #groups = new Map<string, Group>();

  constructor(groups: readonly Group[]) {
    for (const group of groups) this.#write(group);
    this.files = [...this.#groups.keys()];
  }

  /** The test files that the program of this name runs. */
  filesOf(entry: string): readonly string[] {
    return this.#groups.get(entry)?.files ?? [];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(group: Group): void {
    const { files, databases } = group;
    const name = `${String(this.#groups.size).padStart(3, "0")}-${nameOf(files)}.mjs`;
    const entry = path.join(this.#folder, name);
    const runner = pathToFileURL(
      path.join(import.meta.dirname, "test-group.ts"),
    ).href;
    const [first] = files;
    const lines = [
      `import { runFile, runFiles } from ${JSON.stringify(runner)};`,
      ...(databases
        ? [`process.env.KITH_TEST_DATABASES = ${JSON.stringify(databases)};`]
        : []),
      files.length === 1
        ? `await runFile(${JSON.stringify(first)});`
        : `runFiles(${JSON.stringify(files)});`,
    ];
    writeFileSync(entry, lines.join("\n"));
    this.#groups.set(entry, group);
  }
}

function nameOf([first = "", ...more]: readonly string[]): string {
  const name = first.replaceAll("/", "-").replace(/\.test\.ts$/, "");
  return more.length === 0 ? name : `${name}-and-${more.length}-more`;
}

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkCasts, findCasts } from "../../scripts/house/cast-count.ts";
import { checkDoors } from "../../scripts/house/door-size.ts";
import {
  checkFileSizes,
  listLongFiles,
} from "../../scripts/house/file-size.ts";
import { checkExportNames } from "../../scripts/house/export-names.ts";
import { checkFolders } from "../../scripts/house/folder-size.ts";
import { checkName, checkSource } from "../../scripts/house/house-rules.ts";

const feature = "packages/server/src/features/posts/publish-post.ts";
const store = "packages/server/src/features/posts/post-store.ts";
const config = "packages/server/src/config/config.ts";
const clock = "packages/server/src/lib/time/clock.ts";
const receives =
  "packages/server/src/federation/activitypub/notes/receive-note.ts";
const authority =
  "packages/server/src/federation/activitypub/authority/origins.ts";
const composed = "packages/server/src/compose/server.ts";
const renderer =
  "packages/server/src/federation/activitypub/render/render-post.ts";
const route = "packages/server/src/api/routes/posts/posts-routes.ts";
const readsSent = "packages/server/src/api/kit/route.ts";
const guardedFetch = "packages/server/src/lib/http-client/guarded-fetch.ts";
const beside = "packages/server/src/features/posts/post.test.ts";
const protocol = "packages/diaspora/src/envelopes/envelope.ts";

/** The rule, and lines that break it in a feature's source. */
const broken: [rule: string, ...sources: string[]][] = [
  [
    "environment",
    "const a = process.env.KITH_PORT;",
    'const a = process["env"];',
    "const { env } = process;",
    "const { env: settings } = globalThis.process;",
    'import { env } from "node:process";',
  ],
  [
    "guarded-fetch",
    'await fetch("https://kith.test/");',
    "const get = globalThis.fetch;",
    "create({ fetch });",
    "const get = () => fetch;",
    "const all = [fetch];",
    "function get(url: string, ask = fetch) {}",
  ],
  [
    "clock",
    "const a = Date.now();",
    "const a = new Date();",
    "const a = new Date;",
    "const a = Date();",
    "const a = globalThis.Date.now;",
  ],
  [
    "stores-write",
    'await tx.insertInto("posts").execute();',
    'tx.updateTable("posts");',
    'tx.deleteFrom("posts");',
    "await sql`insert into posts (id) values (1)`.execute(tx);",
    "await sql<Row>`update posts set public = true`.execute(tx);",
    "sql`with old as (select 1) delete from posts`;",
  ],
  [
    "hast-util-sanitize-in-one-place",
    'import { sanitize } from "hast-util-sanitize";',
    'const it = await import("hast-util-sanitize");',
    'type Schema = import("hast-util-sanitize").Schema;',
  ],
  [
    "features-speak-no-protocol",
    'const type = "StatusMessage";',
    'const kind = "PollParticipation" as const;',
    'if (person.protocol === "diaspora") return;',
    "const { inboxUri } = addresses;",
    "const actor = post.author;",
    "const { followGuid } = contact;",
    'query.where("people.has_diaspora_key", "=", true);',
    `const text = \`\${name} over ActivityPub\`;`,
    "function speaksActivityPub() {}",
  ],
  ["parse5-in-one-place", 'import { parseFragment } from "parse5";'],
  ["markdown-it-in-one-place", 'import MarkdownIt from "markdown-it";'],
  ["undici-in-one-place", 'import { Agent } from "undici";'],
  ["lru-cache-in-one-place", 'import { LRUCache } from "lru-cache";'],
  [
    "errors-are-sentences",
    'throw new KithError("not_found", "no such post.");',
    'throw new KithError("not_found", "No such post");',
    'throw new KithError("not_found", "No such post...");',
    'throw new KithError("not_found", "");',
    'throw new KithError("not_found");',
    `throw new KithError("bad_request", \`\${name} is too long.\`);`,
    `throw new KithError("bad_request", \`Too long: \${name}\`);`,
    'throw new KithError("bad_request", "The maxLength is 5.");',
    'throw new KithError("bad_request", "It is undefined.");',
    'throw new KithError("bad_request", isLong ? "Too long." : "too short.");',
    `const e = (s: string) => new KithError("conflict", \`The \${s} is readOnly.\`);`,
    'function no(it: string) { return new KithError("conflict", it); }\nthrow no("taken");',
  ],
  [
    "no-suppression",
    "// @ts-ignore\nconst a = 1;",
    "// @ts-expect-error because\nconst a = 1;",
    "const a = 1; // eslint-disable-line",
    "/* eslint-disable */",
    "// prettier-ignore\nconst a = 1;",
  ],
  [
    "retired-words",
    "const told = 1;",
    "function tellAll() {}",
    "type Neighbour = string;",
    "const { patienceMs } = settings;",
    "const a = { knockAt: 1 };",
    "class Desk {}",
  ],
  [
    "named-subject",
    "// What waits runs first.",
    "/** Whoever asks gets it. */",
    "/**\n * Of whom it is.\n */",
  ],
  ["todo-with-issue", "// TODO: later", "const a = 1; /* FIXME soon */"],
  [
    "imports",
    'export * from "./post.ts";',
    'export { canSee } from "./post.ts";',
    'import { parse } from "../../../../diaspora/src/index.ts";',
  ],
];

/** Work that compose/ leaves to others. */
const work = [
  "switch (1) {}",
  'import { readFileSync } from "node:fs";',
  'const os = await import("node:os");',
  'const a = "There is no database yet.";',
  `const a = \`There is no database at \${1}\`;`,
];

/** Functions that a file of federation/activitypub must leave to its authority/. */
const vouching = [
  'import { sameOrigin } from "@kith/activitypub";',
  'import { isFetchedContentType as isOne } from "@kith/activitypub";',
  'import { resolveKey } from "@kith/activitypub";',
  "const fetched = await deps.fetchDocument(uri);",
  "const fetched = await fetchDocument(uri);",
  "const answer = await deps.fetch.request({ url });",
  "const same = new URL(id).origin === new URL(by).origin;",
];

/** Work that a renderer leaves to loading and signing. */
const waiting = [
  "const post = await posts.find({ id });",
  "const render = async () => {};",
  "function render(): Promise<void> {}",
  "return Promise.all(photos);",
];

/** Valid lines, in the named file. */
const sound: [file: string, ...sources: string[]][] = [
  [
    feature,
    'const words = "process.env, fetch(url), Date.now(), TODO, @ts-ignore";',
    "// process.env and fetch( are read elsewhere. TODO #12: say where.",
    "const when = new Date(text);",
    "/** What does it cost? */",
    "// The jobs that wait run first. Whatever fails is retried.",
    "const get = ({ fetch }: Deps) => fetch(url);",
    "function get(fetch: typeof globalThis.fetch) { return fetch(url); }",
    "await deps.fetch(url);",
    "const fetch = guard(agent);\nawait fetch(url);",
    "const it = cursor.skip;",
    "const env = deps.process.env;",
    "await sql`select updated_at from posts`.execute(db);",
    'import { parse } from "@kith/diaspora";',
    "const hasFactor = second.factor; // as over diaspora*, with an inbox",
    'const reason = "follow_refused";',
    'import { hash } from "node:crypto";',
    'throw new KithError("not_found", "No such post.");',
    `throw new KithError("bad_request", \`The parameter \${name} must be 1.\`);`,
    'throw new KithError("bad_request", "The parameter poll_ends_at is no time.");',
    'throw new KithError("conflict", messageOf(error));',
    'function no(it: string) { return new KithError("conflict", it); }\nthrow no("It is taken.");',
  ],
  [config, "const port = process.env.KITH_PORT;"],
  [clock, "const now = new Date(Date.now());"],
  [guardedFetch, 'import { Agent, fetch } from "undici";\nawait fetch(url);'],
  [
    "packages/server/src/lib/http-client/fetch-agents.ts",
    'import { Agent } from "undici";',
  ],
  [store, 'tx.insertInto("posts");', "sql`insert into posts (id) values (1)`;"],
  ["packages/server/src/db/migrate.ts", 'tx.insertInto("migrations");'],
  ["packages/server/src/jobs/stores/job-store.ts", 'tx.deleteFrom("jobs");'],
  ["packages/server/src/features/posts/index.ts", 'export * from "./post.ts";'],
  ["scripts/test.ts", "process.env.CI;", "await fetch(url);", "Date.now();"],
  [
    beside,
    "process.env.KITH_TEST_DATABASE_URL;",
    "await fetch(url);",
    "new Date();",
    'tx.deleteFrom("posts");',
    "// @ts-expect-error swapped arguments do not compile\nf(b, a);",
    'test("skips nothing", () => list.skip(3));',
  ],
];

/** Reads that a route of the API leaves to `readSent`. */
const sent = [
  "const name = request.parameters.name;",
  "const { id } = request.params;",
  "const { query } = request;",
  "const { body: sent } = call.request;",
  "function read({ parameters }: FastifyRequest) {}",
  'import { readNeeded } from "../../../http/input/input.ts";',
];

/** Titles of tests without a subject of their own. */
const unnamed = [
  'test("what waits is limited", () => {});',
  'describe("who may see it", () => {});',
  `test(\`whoever asks for \${kind} gets it\`, () => {});`,
];

/** Ways around a test; they break the rule in tests, wherever those lie. */
const evasions = [
  'test.skip("later", () => {});',
  'it.only("this one", () => {});',
  'describe.todo("some day");',
  'test("later", { skip: true }, () => {});',
  'test("this one", { only: true }, () => {});',
  'test("now", (t) => t.skip("no database"));',
];

describe("the house rules", () => {
  for (const [rule, ...sources] of broken)
    for (const source of sources)
      test(`${rule}: ${source}`, () => {
        const found = checkSource(feature, `const first = 1;\n${source}\n`);
        assert.ok(found.length > 0, "nothing was found");
        assert.deepEqual([...new Set(found.map((it) => it.rule))], [rule]);
        assert.equal(found[0]?.line, 2);
        assert.equal(found[0]?.file, feature);
      });

  for (const [file, ...sources] of sound)
    for (const source of sources)
      test(`${file} may say: ${source}`, () => {
        assert.deepEqual(checkSource(file, `${source}\n`), []);
      });

  for (const source of work)
    test(`compose-constructs: ${source}`, () => {
      const rules = (file: string) => [
        ...new Set(checkSource(file, source).map((it) => it.rule)),
      ];
      assert.deepEqual(rules(composed), ["compose-constructs"]);
      assert.deepEqual(rules(feature), []);
    });

  for (const source of sent)
    test(`input-by-schema: ${source}`, () => {
      const rules = (file: string) => [
        ...new Set(checkSource(file, source).map((it) => it.rule)),
      ];
      assert.deepEqual(rules(route), ["input-by-schema"]);
      for (const file of [feature, readsSent])
        assert.deepEqual(rules(file), []);
    });

  for (const source of vouching)
    test(`authority-in-one-place: ${source}`, () => {
      const rules = (file: string) => [
        ...new Set(checkSource(file, source).map((it) => it.rule)),
      ];
      assert.deepEqual(rules(receives), ["authority-in-one-place"]);
      for (const file of [authority, feature])
        assert.deepEqual(rules(file), []);
    });

  for (const source of waiting)
    test(`renderers-wait-for-nothing: ${source}`, () => {
      const rules = (file: string) => [
        ...new Set(checkSource(file, source).map((it) => it.rule)),
      ];
      assert.deepEqual(rules(renderer), ["renderers-wait-for-nothing"]);
      for (const file of [feature, beside]) assert.deepEqual(rules(file), []);
    });

  for (const source of unnamed)
    test(`named-subject: ${source}`, () => {
      const rules = (file: string) =>
        checkSource(file, source).map((it) => it.rule);
      assert.deepEqual(rules(beside), ["named-subject"]);
      assert.deepEqual(rules(feature), []);
    });

  for (const source of evasions)
    test(`no-evasion: ${source}`, () => {
      for (const file of [beside, "test/e2e/first-light.test.ts"])
        assert.deepEqual(
          checkSource(file, source).map((it) => it.rule),
          ["no-evasion"],
        );
    });

  test("retired-words: in tests and tools, too, but not in migrations or options of libraries", () => {
    const rules = (file: string, source = "const told = 1;") =>
      checkSource(file, source).map((it) => it.rule);
    for (const file of [beside, "test/e2e/walk.ts", "bench/load.ts"])
      assert.deepEqual(rules(file), ["retired-words"], file);
    assert.deepEqual(
      rules("packages/server/src/db/migrations/0013-carried.ts"),
      [],
    );
    assert.deepEqual(rules(beside, "start({ firstKnock: kind });"), []);
  });

  test("the protocol packages must follow them as well", () => {
    const source = "const at = Date.now(); await fetch(process.env.URL);";
    const rules = checkSource(protocol, source).map((it) => it.rule);
    assert.deepEqual(rules.sort(), ["clock", "environment", "guarded-fetch"]);
  });

  test("file-name: kebab-case, and a descriptive word", () => {
    assert.deepEqual(
      checkName("packages/server/src/lib/html/html-cleaner.ts"),
      [],
    );
    assert.deepEqual(
      checkName("packages/server/src/db/0001-first.db.test.ts"),
      [],
    );
    for (const name of ["publishPost.ts", "utils.ts", "post-helpers.ts"])
      assert.equal(
        checkName(`packages/server/src/lib/${name}`).length,
        1,
        name,
      );
    assert.equal(checkName("packages/server/src/common/x.ts").length, 1);
  });

  test("folder-size: at most fifteen sources, tests not counted", () => {
    const files = (count: number, end = ".ts") =>
      Array.from({ length: count }, (_, at) => `test/heap/file-${at}${end}`);
    assert.deepEqual(checkFolders([...files(15), ...files(9, ".test.ts")]), []);
    const [fault] = checkFolders(files(16));
    assert.deepEqual([fault?.file, fault?.rule], ["test/heap", "folder-size"]);
  });

  test("file-size: sources of 400 lines at most, talked about from 250 on", () => {
    const long = (file: string, lines: number) => ({
      file,
      text: "a();\n".repeat(lines),
    });
    const [fault, ...more] = checkFileSizes([
      long(feature, 401),
      long(store, 400),
      long(beside, 500),
    ]);
    assert.deepEqual([fault?.file, fault?.rule], [feature, "file-size"]);
    assert.deepEqual(more, []);
    const talk = listLongFiles([long(feature, 250), long(store, 251)]);
    assert.deepEqual(talk, [`${store} (251)`]);
  });

  test("door-size: twelve entries at most, unless the door is listed; a listed one is wide", () => {
    const wide = "packages/server/src/features/posts/index.ts";
    const narrow = "packages/server/src/features/likes/index.ts";
    const door = (file: string, entries: number) => ({
      file,
      text: Array.from(
        { length: entries },
        (_, at) => `export const a${at} = 1;`,
      ).join("\n"),
    });
    const faults = [
      ...checkDoors([door(narrow, 12), door(wide, 13)]),
      ...checkDoors([door(narrow, 13), door(wide, 12)]),
    ];
    assert.deepEqual(
      faults.map(({ file, rule }) => [file, rule]),
      [
        [narrow, "door-size"],
        [wide, "door-size"],
      ],
    );
    const reexports = 'export { a, b, type C } from "./post.ts";\n'.repeat(5);
    assert.equal(checkDoors([{ file: narrow, text: reexports }]).length, 1);
  });

  test("casts: features may have as many as they have", () => {
    const casts = [
      "const a = row.id as PostId;",
      "const b = <PostId>row.id;",
      "const c = row as unknown as Post;",
    ].join("\n");
    const sound = [
      'const KINDS = ["a"] as const;',
      "const mark = <const>[1];",
      "const d = row satisfies Post;",
      'import { a as b } from "./post.ts";',
      "// row.id as PostId",
    ].join("\n");
    const sources = [
      { file: feature, text: casts },
      { file: store, text: sound },
      { file: beside, text: casts },
      { file: protocol, text: casts },
    ];
    assert.deepEqual(
      findCasts(sources),
      [1, 2, 3, 3].map((line) => `${feature}:${line}`),
    );
    assert.deepEqual(checkCasts(sources, 4), []);
    const faults = checkCasts(sources, 3);
    assert.deepEqual(
      faults.map(({ file, line, rule }) => [file, line, rule]),
      [1, 2, 3, 3].map((line) => [feature, line, "casts"]),
    );
  });

  describe("one-export-of-a-name", () => {
    const others = "packages/server/src/features/likes/like.ts";
    const check = (...sources: [file: string, text: string][]) =>
      checkExportNames(sources.map(([file, text]) => ({ file, text })));

    for (const source of [
      "export function like() {}",
      "export class like {}",
      "export const first = 1, like = 2;",
      "export const { one: [like] } = it;",
      "export type like = string;",
      "export interface like {}",
      "export enum like {}",
    ])
      test(`two folders: ${source}`, () => {
        const found = check(
          [feature, "export async function like() {}"],
          [others, `import it from "./it.ts";\n${source}`],
        );
        assert.deepEqual(
          found.map(({ file, line, rule }) => ({ file, line, rule })),
          [{ file: others, line: 2, rule: "one-export-of-a-name" }],
        );
        assert.match(found[0]?.say ?? "", /^like is also exported by /);
      });

    test("one folder, another package, a door, a test and a local name are free", () => {
      const like = "export const like = 1;";
      const like2 = "const like = 1; export const other = like;";
      assert.deepEqual(
        check(
          [feature, like],
          [store, like],
          [protocol, like],
          [beside.replace("posts/", "likes/"), like],
          ["test/support/like.ts", like],
          [
            "packages/server/src/features/likes/index.ts",
            `export { like } from "../posts/post-store.ts";`,
          ],
          [others, like2],
        ),
        [],
      );
    });
  });
});

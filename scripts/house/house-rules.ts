import path from "node:path";
import ts from "typescript";
import { findWork } from "./compose-rule.ts";
import { findErrorWords } from "./error-sentences.ts";
import {
  findAuthority,
  findClock,
  findEnvironment,
  findEvasion,
  findFetch,
  findSent,
  findWaiting,
  findWrite,
  importedModule,
} from "./house-finders.ts";
import {
  findUnnamedSubject,
  NAME_THE_SUBJECT,
  RELATIVE_COMMENT,
} from "./named-subject.ts";
import { findProtocolWords } from "./protocol-words.ts";
import { findRetiredWord } from "./retired-words.ts";
import { tokenComments } from "./source-reading.ts";

/** A place in a source that breaks a rule. */
type Fault = { file: string; line: number; rule: string; say: string };

/** A rule checks every node of a source and describes violations. */
type NodeRule = {
  name: string;
  /** Files exempt from the rule. */
  except: RegExp;
  find: (node: ts.Node, file: string) => string | undefined;
};

const src = "packages/server/src";
const tests = String.raw`\.(test|fixture)\.ts$|^packages/[^/]+/test/|^test/`;
const tools = "^scripts/|^bench/|^[^/]+$";
const outside = `${tests}|${tools}`;

/** Matches every file that is not a test. */
const notTests = new RegExp(`^(?!.*(${tests}))`);

const except = (...patterns: string[]) => new RegExp(patterns.join("|"));

/** A package that may be used only through one folder. */
function wrapped(module: string, folder: string): NodeRule {
  return {
    name: `${module}-in-one-place`,
    except: except(`^${src}/lib/${folder}/`),
    find: (node) =>
      importedModule(node)?.split("/")[0] === module
        ? `${module} is imported by lib/${folder}/ alone`
        : undefined,
  };
}

/** The doors of packages and features, and the ids that the schema defines and features hand on. */
const DOORS =
  /^packages\/[^/]+\/src\/((features\/[^/]+\/)?index|features\/ids)\.ts$/;

/** Imports that leave the package by a path, and barrels. */
function findImportHabit(node: ts.Node, file: string): string | undefined {
  const module = importedModule(node);
  if (module === undefined) return undefined;
  if (ts.isExportDeclaration(node) && !DOORS.test(file))
    return "only a door re-exports; import from the file that defines the name";
  const home = /^packages\/[^/]+\//.exec(file)?.[0];
  if (!home || !module.startsWith(".")) return undefined;
  const target = path.posix.join(path.posix.dirname(file), module);
  return /^packages\/[^/]+\/src\//.test(target) && !target.startsWith(home)
    ? "another workspace package is imported by its name"
    : undefined;
}

const nodeRules: NodeRule[] = [
  {
    name: "environment",
    except: except(`^${src}/config/`, outside),
    find: findEnvironment,
  },
  {
    name: "guarded-fetch",
    except: except(
      `^${src}/lib/http-client/`,
      // Runs in browsers, where it calls this server.
      "^packages/server/assets/",
      outside,
    ),
    find: findFetch,
  },
  {
    name: "clock",
    except: except(
      `^${src}/lib/time/clock\\.ts$`,
      // Runs in browsers, whose tests set their clock.
      "^packages/server/assets/",
      outside,
    ),
    find: findClock,
  },
  {
    name: "stores-write",
    except: except("-store\\.ts$", `^${src}/db/`, outside),
    find: findWrite,
  },
  {
    name: "authority-in-one-place",
    except: except(
      `^(?!${src}/federation/activitypub/)`,
      `^${src}/federation/activitypub/authority/`,
      outside,
    ),
    find: findAuthority,
  },
  {
    name: "compose-constructs",
    except: except(`^(?!${src}/compose/)`, outside),
    find: findWork,
  },
  {
    name: "renderers-wait-for-nothing",
    except: except(
      `^(?!${src}/federation/(activitypub|diaspora)/render/)`,
      outside,
    ),
    find: findWaiting,
  },
  {
    name: "input-by-schema",
    except: except(`^(?!${src}/api/)`, `^${src}/api/kit/`, outside),
    find: findSent,
  },
  {
    name: "features-speak-no-protocol",
    except: except(`^(?!${src}/features/)`, outside),
    find: findProtocolWords,
  },
  wrapped("parse5", "html"),
  wrapped("ical.js", "icalendar"),
  wrapped("hast-util-sanitize", "html"),
  wrapped("markdown-it", "markdown"),
  wrapped("undici", "http-client"),
  wrapped("lru-cache", "caching"),
  {
    name: "errors-are-sentences",
    except: except(outside),
    find: findErrorWords,
  },
  {
    name: "retired-words",
    except: except(`^${src}/db/migrat`),
    find: findRetiredWord,
  },
  { name: "named-subject", except: notTests, find: findUnnamedSubject },
  { name: "no-evasion", except: notTests, find: findEvasion },
  { name: "imports", except: except("^$"), find: findImportHabit },
];

type CommentRule = {
  name: string;
  pattern: RegExp;
  except: RegExp;
  say: string;
};

const commentRules: CommentRule[] = [
  {
    name: "no-suppression",
    pattern: /@ts-(ignore|nocheck)|eslint-(disable|enable)|prettier-ignore/,
    except: except("^$"),
    say: "the finding is mended, not silenced",
  },
  {
    name: "no-suppression",
    pattern: /@ts-expect-error/,
    // A test may show that code does not compile.
    except: except(tests),
    say: "the finding is mended, not silenced",
  },
  {
    name: "named-subject",
    pattern: RELATIVE_COMMENT,
    except: except(tests, `^${src}/db/migrat`),
    say: NAME_THE_SUBJECT,
  },
  {
    name: "todo-with-issue",
    pattern: /\b(TODO|FIXME|XXX)\b(?!\s*(?:[(:]\s*)?#\d+)/,
    except: except("^$"),
    say: "name the issue: TODO #12",
  },
];

const BAD_NAME = /(^|[/.-])(utils?|helpers?|common|misc|manager)([/.-]|$)/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;

/** A file name describes its content, in kebab-case. */
export function checkName(file: string): Fault[] {
  const fault = (say: string) => [{ file, line: 1, rule: "file-name", say }];
  if (BAD_NAME.test(file)) return fault("name it after what it does");
  const bad = !KEBAB.test(path.posix.basename(file));
  return bad ? fault("file names are kebab-case") : [];
}

/** Every violation in one source. */
export function checkSource(file: string, text: string): Fault[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const add = (position: number, rule: string, say: string) => {
    const { line } = source.getLineAndCharacterOfPosition(position);
    faults.push({ file, line: line + 1, rule, say });
  };
  const rules = nodeRules.filter((rule) => !rule.except.test(file));
  const visit = (node: ts.Node) => {
    for (const { name, find } of rules) {
      const say = find(node, file);
      if (say) add(node.getStart(), name, say);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const comment of tokenComments(source))
    for (const rule of commentRules)
      if (!rule.except.test(file) && rule.pattern.test(comment.text))
        add(comment.pos, rule.name, rule.say);
  return faults.sort((a, b) => a.line - b.line);
}

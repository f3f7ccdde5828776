import ts from "typescript";
import { declaresAround, isCallTo } from "./source-reading.ts";

// The finders of the house rules. Each takes a node of a source and returns the
// violation, if any.

const VOUCHING = new Set([
  "isFetchedContentType",
  "isSameOriginOrSubdomain",
  "requireSigner",
  "resolveKey",
  "sameOrigin",
]);

/** Comparing origins, and fetching and trusting documents, in any way. */
export function findAuthority(node: ts.Node): string | undefined {
  const say =
    "whose word counts is decided in federation/activitypub/authority/";
  if (ts.isImportSpecifier(node))
    return VOUCHING.has((node.propertyName ?? node.name).text)
      ? say
      : undefined;
  if (ts.isPropertyAccessExpression(node) && node.name.text === "origin")
    return say;
  const fetches =
    ts.isCallExpression(node) &&
    /(^|[.])(fetchDocument|fetch\.request)$/.test(node.expression.getText());
  return fetches ? say : undefined;
}

/** The module named by an import, re-export, `import()` or `require()`. */
export function importedModule(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return textOf(node.argument.literal);
  if (!ts.isCallExpression(node)) return undefined;
  const dynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  if (dynamic || isCallTo(node, "require")) return textOf(node.arguments[0]);
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** `process.env`, `process["env"]`, `{ env } = process`, and `env` of node:process. */
export function findEnvironment(node: ts.Node): string | undefined {
  const say =
    "settings are read in config/ alone; take the value as an argument";
  if (ts.isImportSpecifier(node)) {
    const from = textOf(node.parent.parent.parent.moduleSpecifier);
    const name = (node.propertyName ?? node.name).text;
    return /^(node:)?process$/.test(from ?? "") && name === "env"
      ? say
      : undefined;
  }
  if (ts.isBindingElement(node)) {
    const holder = node.parent.parent;
    const name = (node.propertyName ?? node.name).getText();
    if (!ts.isVariableDeclaration(holder)) return undefined;
    return name === "env" && isProcess(holder.initializer) ? say : undefined;
  }
  return memberOf(node, isProcess) === "env" ? say : undefined;
}

function isProcess(node: ts.Node | undefined): boolean {
  return node !== undefined && /^(globalThis\.)?process$/.test(node.getText());
}

/** The name in `holder.name` and `holder["name"]` for a matching holder. */
function memberOf(node: ts.Node, fits: (holder: ts.Node) => boolean) {
  if (ts.isPropertyAccessExpression(node) && fits(node.expression))
    return node.name.text;
  if (ts.isElementAccessExpression(node) && fits(node.expression))
    return textOf(node.argumentExpression);
  return undefined;
}

const isGlobalThis = (node: ts.Node) => node.getText() === "globalThis";
const isDate = (node: ts.Node) => /^(globalThis\.)?Date$/.test(node.getText());

export function findFetch(node: ts.Node): string | undefined {
  const say =
    "requests to other machines go through lib/http-client/guarded-fetch.ts";
  if (memberOf(node, isGlobalThis) === "fetch") return say;
  const bare =
    ts.isIdentifier(node) &&
    node.text === "fetch" &&
    isValue(node) &&
    !declaresAround(node, "fetch");
  return bare ? say : undefined;
}

/** Whether this identifier is read as a variable, not the name of something else. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return !("name" in parent) || parent.name !== node;
}

export function findClock(node: ts.Node): string | undefined {
  const say =
    "the time comes from lib/time/clock.ts, so that a test can set it";
  if (memberOf(node, isDate) === "now") return say;
  if (ts.isNewExpression(node) && isDate(node.expression))
    return (node.arguments?.length ?? 0) === 0 ? say : undefined;
  return ts.isCallExpression(node) && isDate(node.expression) ? say : undefined;
}

const WRITES = /^(insertInto|replaceInto|updateTable|deleteFrom|mergeInto)$/;
const SQL_WRITE =
  /^\s*(with\b[\s\S]*)?\b(insert\s+into|replace\s+into|delete\s+from|update\s+\S+\s+set)\b/i;

export function findWrite(node: ts.Node): string | undefined {
  const say = "a table is written by its owner's *-store.ts alone";
  if (ts.isPropertyAccessExpression(node))
    return WRITES.test(node.name.text) ? say : undefined;
  if (!ts.isTaggedTemplateExpression(node)) return undefined;
  const isSql = /^sql\b/.test(node.tag.getText());
  const text = node.template.getText().slice(1, -1);
  return isSql && SQL_WRITE.test(text) ? say : undefined;
}

const RUNNERS = /^(test|it|describe|suite|t|context)$/;
const EVASIONS = /^(skip|only|todo)$/;

/** `test.skip(…)`, `t.todo()`, `test("…", { only: true }, …)` and the like. */
export function findEvasion(node: ts.Node): string | undefined {
  const say = "every test runs, every time: mend it or remove it";
  const evades = memberOf(node, (it) => RUNNERS.test(it.getText()));
  if (evades && EVASIONS.test(evades)) return say;
  if (!ts.isPropertyAssignment(node)) return undefined;
  const call = node.parent.parent;
  const option =
    ts.isCallExpression(call) && RUNNERS.test(call.expression.getText());
  return option && EVASIONS.test(node.name.getText()) ? say : undefined;
}

/** Anything that is not there at once, which a renderer would have to read. */
export function findWaiting(node: ts.Node): string | undefined {
  const waits =
    node.kind === ts.SyntaxKind.AsyncKeyword ||
    ts.isAwaitExpression(node) ||
    (ts.isIdentifier(node) && node.text === "Promise");
  return waits
    ? "a renderer computes and awaits nothing: load what it needs in federation/outbound/load/"
    : undefined;
}

const SENT = new Set(["body", "parameters", "params", "query"]);

/** Finds reads of a request that bypass the schemas of the API document. */
export function findSent(node: ts.Node): string | undefined {
  const say = "input is read by readSent of api/kit/route.ts";
  if (ts.isImportSpecifier(node)) {
    const name = (node.propertyName ?? node.name).text;
    return name === "readNeeded" ? say : undefined;
  }
  const reads =
    ts.isPropertyAccessExpression(node) &&
    SENT.has(node.name.text) &&
    /(^|[.])request$/.test(node.expression.getText());
  if (reads) return say;
  const takesApart =
    ts.isBindingElement(node) &&
    SENT.has((node.propertyName ?? node.name).getText()) &&
    /^\{[^]*\}\s*(:\s*FastifyRequest|=\s*([\w.]+[.])?request)$/.test(
      node.parent.parent.getText(),
    );
  return takesApart ? say : undefined;
}

import ts from "typescript";
import { importedModule } from "./house-finders.ts";

/** Three words and more, as in a message for people; names of metrics and headers have none. */
const SENTENCE = /[A-Za-z]{2,}[,]? [a-z]+ [a-z]+/;

/** compose/ builds things: it decides nothing, tells people nothing and touches no machine. */
export function findWork(node: ts.Node): string | undefined {
  if (ts.isSwitchStatement(node))
    return "compose/ holds constructors; choose where the work is done";
  const module = importedModule(node);
  if (module?.startsWith("node:") && module !== "node:path")
    return "compose/ holds constructors; files and sockets are opened by lib/, db/ or http/";
  const text =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node)
      ? node.text
      : undefined;
  return text !== undefined && SENTENCE.test(text)
    ? "compose/ holds constructors; messages stand where their cause is found"
    : undefined;
}

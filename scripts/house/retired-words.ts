import ts from "typescript";

/** Words that the code used once, and the words of the field that replace them. */
const RETIRED = new Map([
  ["belongings", "owned tables"],
  ["buried", "dead"],
  ["bury", "mark dead"],
  ["carried", "attached, applied"],
  ["carrier", "sender, announcement"],
  ["carriers", "announcements"],
  ["carries", "attaches"],
  ["carrying", "with"],
  ["desk", "administration"],
  ["doubtful", "unproven"],
  ["heard", "found, received"],
  ["hearer", "recipient"],
  ["hearers", "recipients"],
  ["hears", "receives"],
  ["knock", "probe"],
  ["knocks", "probes"],
  ["neighbour", "remote person, page"],
  ["neighbourhood", "servers"],
  ["neighbours", "pagination"],
  ["patience", "timeout"],
  ["ripe", "slow"],
  ["ripen", "release"],
  ["tell", "notify, send"],
  ["telling", "notice"],
  ["tellings", "notices"],
  ["tells", "notifies"],
  ["told", "notified, announced, reported"],
  ["unheard", "silenced"],
]);

/** Options that a library named. */
const OF_LIBRARIES = new Set(["firstKnock"]);

/** A declared name that contains a retired word. Columns keep theirs: databases have them. */
export function findRetiredWord(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || !isDeclared(node) || isColumn(node.text))
    return undefined;
  if (OF_LIBRARIES.has(node.text)) return undefined;
  const words = node.text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .split(" ");
  const retired = words.find((word) => RETIRED.has(word));
  return retired === undefined
    ? undefined
    : `${node.text}: "${retired}" is retired; write ${RETIRED.get(retired)}`;
}

const isColumn = (name: string): boolean => /^[a-z]+(_[a-z]+)+$/.test(name);

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    "name" in parent &&
    parent.name === node &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isImportSpecifier(parent)
  );
}

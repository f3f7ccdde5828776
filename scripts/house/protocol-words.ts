import ts from "typescript";

/** Names of one protocol's things. `actor` stands for itself: factors are none. */
const WORDS =
  /activity_?pub|diaspora|status_?message|(poll|event)_?participation|inbox|(?<![a-zA-Z])actors?(?![a-z])|Actor|follow_?(guid|accepted)/;
const INSIDE_A_NAME =
  /StatusMessage|(Poll|Event)Participation|ActivityPub|Diaspora|Inbox|[fF]ollow(Guid|Accepted)/;

/** A feature knows no protocol: it calls nothing by the names that one of them gives. */
export function findProtocolWords(node: ts.Node): string | undefined {
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node);
  if (!ts.isIdentifier(node) && !isText) return undefined;
  if (isText && isModuleName(node)) return undefined;
  return WORDS.test(node.text) || INSIDE_A_NAME.test(node.text)
    ? "features name things in their own words; protocols are spoken in federation/, and stored names stand in db/"
    : undefined;
}

function isModuleName({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    (ts.isCallExpression(parent) &&
      parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

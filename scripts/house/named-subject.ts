import ts from "typescript";

export const NAME_THE_SUBJECT =
  "begin with the thing itself: The input of…, People who…";

/** A comment whose subject is a relative clause, unless it is a question. */
export const RELATIVE_COMMENT =
  /^\/[/*]\**\s*(\*\s*)?(What|Whatever|Whoever|Who|Whom|Of what|Of whom)\b(?![^.]*\?)/;

const RELATIVE_TITLE = /^(what|whatever|whoever|who|whom|of what|of whom)\b/i;

/** Finds tests named by a relative clause ("what waits is limited"). */
export function findUnnamedSubject(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
  if (!["test", "it", "describe"].includes(node.expression.text)) return;
  const [title] = node.arguments;
  if (!title) return;
  const isTitle =
    ts.isStringLiteralLike(title) || ts.isTemplateExpression(title);
  const text = isTitle ? title.getText().slice(1) : "";
  return RELATIVE_TITLE.test(text) ? NAME_THE_SUBJECT : undefined;
}

import ts from "typescript";

const MADE_OF = "KithError";

/** The position of the message among the arguments of the error. */
const WORDS_AT = 1;

/** A name from our code, or a piece of it: `countTries`, `{}`, `=>`, `f()`. */
const CODE = /\b[a-z]+\d*[A-Z]|[{}`]|=>|\(\)|\b(undefined|null|NaN)\b/;

/** The fault of an error message shown to people. */
export function findErrorWords(node: ts.Node): string | undefined {
  if (!ts.isNewExpression(node) || node.expression.getText() !== MADE_OF)
    return undefined;
  const words = node.arguments?.[WORDS_AT];
  if (!words) return "the words of an error are given with it";
  const texts = ts.isIdentifier(words) ? textsGivenTo(words) : textsOf(words);
  return texts.map(complaintAbout).find((it) => it !== undefined);
}

function complaintAbout(text: string): string | undefined {
  if (!/^\p{Lu}/u.test(text))
    return "the words of an error begin with a capital letter";
  if (!/[^\s.]\.$/.test(text))
    return "the words of an error end with a full stop";
  return CODE.test(text)
    ? "the words of an error are for people, and hold no code"
    : undefined;
}

/** The placeholder for an interpolated value. */
const VALUE = "…";

/** Every possible text of an expression, as far as it is a literal. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [
      node.templateSpans.reduce(
        (text, { literal }) => text + VALUE + literal.text,
        node.head.text,
      ),
    ];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  return ts.isConditionalExpression(node)
    ? [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
    : [];
}

/** The texts passed to a function of the same file that creates the error from its parameter. */
function textsGivenTo(name: ts.Identifier): string[] {
  const maker = ts.findAncestor(name, ts.isFunctionDeclaration);
  const index = maker?.parameters.findIndex(
    (it) => it.name.getText() === name.text,
  );
  if (!maker?.name || index === undefined || index < 0) return [];
  const called = maker.name.text;
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === called) {
      const given = node.arguments[index];
      if (given) texts.push(...textsOf(given));
    }
    ts.forEachChild(node, visit);
  };
  visit(name.getSourceFile());
  return texts;
}

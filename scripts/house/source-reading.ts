import ts from "typescript";

export function isCallTo(node: ts.CallExpression, name: string): boolean {
  return ts.isIdentifier(node.expression) && node.expression.text === name;
}

/**
 * Whether a scope around `node` declares `name` (a parameter, variable, function or
 * import), so that it is not the global of that name.
 */
export function declaresAround(node: ts.Node, name: string): boolean {
  for (let scope = node.parent; !ts.isSourceFile(scope); scope = scope.parent)
    if (declaredIn(scope, name)) return true;
  return declaredIn(node.getSourceFile(), name);
}

function declaredIn(scope: ts.Node, name: string): boolean {
  if (ts.isFunctionLike(scope))
    return scope.parameters.some((it) => binds(it.name, name));
  if (ts.isCatchClause(scope))
    return (
      !!scope.variableDeclaration && binds(scope.variableDeclaration.name, name)
    );
  if (ts.isForStatement(scope) || ts.isForOfStatement(scope))
    return declares(scope.initializer, name);
  if (ts.isBlock(scope) || ts.isSourceFile(scope))
    return scope.statements.some((it) => declares(it, name));
  return false;
}

function declares(node: ts.Node | undefined, name: string): boolean {
  if (node === undefined) return false;
  if (ts.isVariableStatement(node)) return declares(node.declarationList, name);
  if (ts.isVariableDeclarationList(node))
    return node.declarations.some((it) => binds(it.name, name));
  if (ts.isFunctionDeclaration(node)) return node.name?.text === name;
  if (!ts.isImportDeclaration(node)) return false;
  const clause = node.importClause;
  const named = clause?.namedBindings;
  if (clause?.name?.text === name) return true;
  if (!named) return false;
  if (ts.isNamespaceImport(named)) return named.name.text === name;
  return named.elements.some((it) => it.name.text === name);
}

function binds(binding: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(binding)) return binding.text === name;
  return binding.elements.some(
    (it) => ts.isBindingElement(it) && binds(it.name, name),
  );
}

/** The comments of a source, each once, in order; never text inside a string. */
export function tokenComments(
  source: ts.SourceFile,
): { pos: number; text: string }[] {
  const { text } = source;
  const found = new Map<number, string>();
  const collect = (ranges: ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? [])
      found.set(pos, text.slice(pos, end));
  };
  const visit = (node: ts.Node) => {
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    collect(ts.getLeadingCommentRanges(text, node.pos));
    collect(ts.getTrailingCommentRanges(text, node.pos));
  };
  visit(source);
  return [...found]
    .map(([pos, comment]) => ({ pos, text: comment }))
    .sort((a, b) => a.pos - b.pos);
}

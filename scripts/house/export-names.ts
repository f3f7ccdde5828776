import path from "node:path";
import ts from "typescript";

type Source = { readonly file: string; readonly text: string };

type Export = {
  readonly name: string;
  readonly file: string;
  readonly line: number;
};

const SOURCE = /^(packages\/[^/]+)\/src\/.*(?<!\.test)\.ts$/;

/**
 * Names that two folders of a package export for two things. A reader who searches for
 * such a name finds both. A door may re-export a name: that is the same thing.
 */
export function checkExportNames(sources: readonly Source[]) {
  const byPackage = Map.groupBy(
    sources.filter(({ file }) => SOURCE.test(file)),
    ({ file }) => SOURCE.exec(file)?.[1],
  );
  return [...byPackage.values()].flatMap((held) => {
    const byName = Map.groupBy(held.flatMap(listExports), ({ name }) => name);
    return [...byName.values()].flatMap(findRepeated);
  });
}

/** The exports of one name that stand in another folder than the first. */
function findRepeated([first, ...others]: readonly Export[]) {
  if (!first) return [];
  return others
    .filter(({ file }) => path.dirname(file) !== path.dirname(first.file))
    .map(({ file, line, name }) => ({
      file,
      line,
      rule: "one-export-of-a-name",
      say: `${name} is also exported by ${first.file}: give each its own name`,
    }));
}

function listExports({ file, text }: Source): Export[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(isExported).flatMap((statement) =>
    declaredNames(statement).map((name) => ({
      name: name.text,
      file,
      line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1,
    })),
  );
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)
    : undefined;
  return (
    modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
  );
}

function declaredNames(statement: ts.Statement): ts.Identifier[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      boundNames(name),
    );
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name ? [statement.name] : [];
}

function boundNames(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(element.name) : [],
  );
}

/** The type that PostgreSQL gives a value. */
export type ValueType = "bigint" | "boolean" | "double precision" | "text";

/** A prepared query of PostgreSQL: the names of its values, in the order of `$1`, `$2` and so on. */
type OneForm = { readonly sql: string; readonly names: readonly string[] };

/** The same query for several sets of values: each value is an array with one element of each set. */
export type SetForm = {
  readonly sql: string;
  readonly names: readonly string[];
};

/** The number of the set of values that a row answers, from 1. */
export const NTH = "set_nth";

const INSERT = /^\s*insert into "?(\w+)"? ?\([^()]*\)/;
/** The part of an insert after its rows. */
const TAIL = /\s(?:on conflict|returning)\b/;
/** Strings, names in quotation marks, and the places of values. */
const TOKENS = /'[^']*'|"[^"]*"|\$(\d+)/g;

/**
 * Writes the query for several sets of values at once. A selection is evaluated for each set by the plan
 * that it has alone (`offset 0` keeps PostgreSQL from joining them in another way), and its rows have
 * the number of the set. An insert inserts the rows of all sets; where its `returning` names a
 * value, that becomes the column of the same name, in which it was inserted.
 */
export function writeSetForm(
  { sql, names }: OneForm,
  types: Readonly<Record<string, ValueType>>,
): SetForm {
  const used = [...new Set(names)];
  const given = `unnest(${used
    .map((name, at) => `$${at + 1}::${typeOf(types, name)}[]`)
    .join(", ")}) with ordinality as each_set(${used
    .map((name) => `"${name}"`)
    .join(", ")}, ${NTH})`;
  const from = (table: string, text: string) =>
    text.replace(TOKENS, (token, number: string | undefined) => {
      if (number === undefined) return token;
      const name = names[Number(number) - 1];
      if (name === undefined) throw new TypeError(`$${number} has no value`);
      return `"${table}"."${name}"`;
    });
  const each = (text: string) =>
    `from ${given} cross join lateral (select * from (${from("each_set", text.trim())}) as alone offset 0) as one order by each_set.${NTH}`;
  const [head, table] = INSERT.exec(sql) ?? [];
  if (head === undefined || table === undefined)
    return { sql: `select each_set.${NTH}, one.* ${each(sql)}`, names: used };
  const rest = sql.slice(head.length);
  const end = TAIL.exec(rest)?.index ?? rest.length;
  const body = each(rest.slice(0, end));
  const tail = from(table, rest.slice(end));
  return { sql: `${head} select one.* ${body}${tail}`, names: used };
}

function typeOf(
  types: Readonly<Record<string, ValueType>>,
  name: string,
): ValueType {
  const type = types[name];
  if (!type) throw new TypeError(`The type of the value ${name} is missing`);
  return type;
}

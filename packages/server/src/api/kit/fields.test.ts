import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { KithError } from "../../lib/errors.ts";
import { parseFields, selectFields } from "./fields.ts";

const record = {
  ID: 1,
  Text: "x",
  Root: null,
  post_type: "StatusMessage",
  Person: { ID: 2, Profile: { ID: 3, ImageUrl: "u" } },
  Comments: [
    { ID: 4, Person: { ID: 5 } },
    { ID: 6, Person: null },
  ],
};

const select = (fields: string, value: unknown = record) =>
  selectFields(value, parseFields(fields));

function assertBroken(selector: string): void {
  assert.throws(
    () => parseFields(selector),
    (error) => error instanceof KithError && error.code === "bad_request",
    selector,
  );
}

test("names are separated by commas on top and by colons below", () => {
  assert.deepEqual(select("ID,Person(ID:Profile(ID:ImageUrl))"), {
    ID: 1,
    Person: { ID: 2, Profile: { ID: 3, ImageUrl: "u" } },
  });
  assert.deepEqual(select("Person(Profile(ImageUrl):ID),Text"), {
    Person: { Profile: { ImageUrl: "u" }, ID: 2 },
    Text: "x",
  });
  assert.deepEqual(select("post_type"), { post_type: "StatusMessage" });
});

test("a name without a selection gives the whole field", () => {
  assert.deepEqual(select("Person"), { Person: record.Person });
});

test("a selection goes into each record of a list", () => {
  assert.deepEqual(select("Comments(Person(ID))"), {
    Comments: [{ Person: { ID: 5 } }, { Person: null }],
  });
  assert.deepEqual(select("ID", [record, record]), [{ ID: 1 }, { ID: 1 }]);
  assert.deepEqual(select("ID", []), []);
});

test("a value without fields is returned as it is", () => {
  assert.deepEqual(select("Root(ID),Text(ID)"), { Root: null, Text: "x" });
});

test("unknown names are ignored, those of prototypes too", () => {
  const unknown = "Nothing,constructor,toString,__proto__,hasOwnProperty";
  assert.deepEqual(select(unknown), {});
  assert.deepEqual(select(`${unknown},ID`), { ID: 1 });
  assert.deepEqual(select("Person(id:Id:ID)"), { Person: { ID: 2 } });
});

test("blanks around names do not matter; a name twice counts once", () => {
  assert.deepEqual(select(" ID , Text "), { ID: 1, Text: "x" });
  assert.deepEqual(select("ID,ID"), { ID: 1 });
});

test("a selector that is broken is refused", () => {
  for (const selector of [
    "",
    " ",
    ",",
    "ID,",
    ",ID",
    "ID Text",
    "ID:Text",
    "Person(ID,Text)",
    "Person(",
    "Person()",
    "Person(ID",
    "Person(ID))",
    "Person((ID))",
    "(ID)",
    "1D",
    "ID\0",
    "Ä",
  ])
    assertBroken(selector);
});

test("depth and length have limits", () => {
  const nest = (depth: number) => "a(".repeat(depth) + "b" + ")".repeat(depth);
  parseFields(nest(10));
  assertBroken(nest(11));
  assertBroken(nest(1500));
  parseFields("x".repeat(4000));
  assertBroken("x".repeat(4001));
});

test("any text is read or refused, nothing else", () => {
  const part = fc.constantFrom("ID", "Person", "(", ")", ",", ":", " ", "_");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const selector = parts.join("");
      try {
        const selected = select(selector);
        assert.equal(typeof selected, "object");
      } catch (error) {
        assert.ok(error instanceof KithError, selector);
      }
    }),
  );
});

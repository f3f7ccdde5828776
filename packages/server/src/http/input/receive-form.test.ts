import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { receiveForm } from "./receive-form.ts";

const TYPE = "multipart/form-data; boundary=x";

const field = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, fileName = "a.csv") =>
  `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n${content}\r\n`;
const END = "--x--\r\n";

/** Sends a form piece by piece. @param isWhole does it come to its end? */
async function send(body: string, isWhole = true) {
  const payload = new PassThrough();
  const taken: string[] = [];
  const before: string[] = [];
  const receiving = receiveForm(payload, TYPE, "file", async (it, fields) => {
    before.push(Object.keys(fields).join());
    taken.push(`${it.name}: ${await text(it.stream as PassThrough)}`);
  });
  for (let at = 0; at < body.length; at += 50)
    payload.write(body.slice(at, at + 50));
  if (isWhole) payload.end();
  else payload.destroy();
  return { fields: { ...(await receiving) }, taken, before };
}

test("a file comes after the fields before it, and all fields are given", async () => {
  const long = "a line\n".repeat(5_000);
  const form = [
    ...[field("a", "1"), field("a", "2"), file("file", long), field("b", "3")],
    END,
  ];
  assert.deepEqual(await send(form.join("")), {
    fields: { a: ["1", "2"], b: "3" },
    taken: [`a.csv: ${long}`],
    before: ["a"],
  });
});

test("a form without a chosen file gives its fields alone", async () => {
  const form = field("a", "1") + file("file", "", "") + END;
  assert.deepEqual(await send(form), {
    ...{ fields: { a: "1" }, taken: [], before: [] },
  });
});

test("a form with another file, two files, too many fields, or without an end is refused", async () => {
  const many = Array.from({ length: 30 }, (_, at) => field(`f${at}`, "x"));
  for (const form of [
    file("other", "x") + END,
    file("file", "x") + file("file", "y") + END,
    many.join("") + END,
    "nonsense",
    file("file", "x").slice(0, -2),
  ])
    await assert.rejects(
      send(form),
      { code: "bad_request" },
      form.slice(0, 60),
    );
  const cut = field("a", "1") + file("file", "x".repeat(500));
  await assert.rejects(send(cut, false), { code: "bad_request" });
});

test("a refused file refuses the form", async () => {
  const payload = new PassThrough();
  payload.end(file("file", "x") + END);
  const refused = receiveForm(payload, TYPE, "file", () => {
    throw new Error("refused");
  });
  await assert.rejects(refused, /refused/);
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import sharp from "sharp";
import { createCardPainter } from "./card-painter.ts";
import { CARD_SIZE, type Card } from "./card.ts";
import { beginning } from "../../beginning.ts";
import { drawable } from "./card-text.ts";

const painter = createCardPainter();
after(() => painter.close());

const CARD: Card = {
  title: "Ann",
  byline: "ann@kith.example",
  text: "Apples and pears",
  foot: ["Kith", "27 November 2026"],
};

const pixels = async (card: Card) => {
  const png = await painter.paint(card);
  const { data, info } = await sharp(png)
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [1200, 630]);
  return data;
};

/** The part of the rows of a card that are not white. */
async function inkOf(card: Card, top: number, height: number): Promise<number> {
  const { data } = await sharp(await painter.paint(card))
    .extract({ left: 72, top, width: 1056, height })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 128).length;
}

test("a card has the size that sites expect, and shows each of its texts", async () => {
  const whole = await pixels(CARD);
  for (const part of ["title", "byline", "text"] as const)
    assert.notDeepEqual(await pixels({ ...CARD, [part]: "" }), whole, part);
  assert.notDeepEqual(await pixels({ ...CARD, foot: ["", ""] }), whole);
  const leaf = { month: "Jun", day: "12" };
  assert.notDeepEqual(await pixels({ ...CARD, leaf }), whole);
});

test("letters of all scripts of the font are drawn", async () => {
  const texts = [
    "Grüße",
    "Привет",
    "Γειά",
    "שלום",
    "مرحبا",
    "Բարեւ",
    "გამარჯობა",
  ];
  const seen = new Set<number>();
  for (const text of texts) {
    assert.equal(drawable(text), text);
    const ink = await inkOf({ ...CARD, text }, 222, 290);
    assert.ok(ink > 500, text);
    seen.add(ink);
  }
  assert.equal(seen.size, texts.length);
});

test("a text is never markup", async () => {
  const plain = await inkOf({ ...CARD, text: "b" }, 222, 290);
  const marked = await inkOf({ ...CARD, text: "<b>b</b>" }, 222, 290);
  assert.ok(marked > 4 * plain);
  for (const text of ["</span>", "&amp;", "<span", "&", "\u0000<", "\"'>"])
    assert.ok((await pixels({ ...CARD, text: drawable(text) ?? "?" })).length);
});

test("texts without room are cut, and leave the foot free", async () => {
  const text = "many words ".repeat(5000);
  for (const long of [text, "x".repeat(100_000), "line\n".repeat(900)]) {
    const card = { ...CARD, title: long, byline: long, text: long };
    assert.ok((await inkOf(card, 222, 290)) > 500);
    assert.equal(await inkOf(card, 515, 10), 0);
    assert.equal(await inkOf({ ...card, foot: ["", ""] }, 515, 115), 0);
    assert.ok((await inkOf({ ...card, foot: [long, long] }, 525, 105)) > 500);
  }
});

test("the same card is drawn once, and many at once are refused beyond a few", async () => {
  const [one, two] = await Promise.all([
    painter.paint(CARD),
    painter.paint(CARD),
  ]);
  assert.equal(one, two);
  const many = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      painter.paint({ ...CARD, text: `Number ${n}` }),
    ),
  );
  const refused = many.filter(({ status }) => status === "rejected");
  assert.ok(refused.length > 20 && refused.length < 40);
  assert.ok(await painter.paint({ ...CARD, text: "Number 39" }));
});

test("signs that the font does not have are left out, and so are texts in other scripts", () => {
  assert.equal(drawable("Hi 👩‍👩‍👧 there 🇩🇪 ❤️ 1️⃣ ©"), "Hi there 1 ©");
  assert.equal(drawable("你好"), undefined);
  assert.equal(drawable("Hello 世界"), undefined);
  assert.equal(drawable("สวัสดี"), undefined);
  assert.equal(drawable("a\u202Egnp.exe\u0007b\ud800c"), "agnp.exe b c");
  assert.equal(drawable(`z${"\u0301".repeat(400)}`)?.length, 3);
  assert.equal(drawable("one\ntwo"), "one\ntwo");
  assert.equal(beginning("one two three", 9), "one two…");
  assert.equal(beginning("abc", 3), "abc");
  assert.equal([...beginning("x".repeat(50), 10)].length, 10);
  assert.equal(CARD_SIZE.width, 1200);
});

// The program of the child process that draws cards. What it draws was written by strangers, and
// the libraries that shape letters are large, so it has no access to anything.
import { createRequire } from "node:module";
import sharp, { type OutputInfo } from "sharp";
import { beginning } from "../../beginning.ts";
import { messageOf } from "../../errors.ts";
import { dropPermissions } from "../../isolation/restricted-process.ts";
import { CARD_SIZE, type Card, type CardResponse } from "./card.ts";

const { resolve } = createRequire(import.meta.url);
const FONTS = {
  plain: resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
} as const;

/** The light colours of the pages. */
const COLOURS = {
  ink: "#1b211f",
  quiet: "#55605b",
  accent: "#0b6157",
  event: "#3f3a8c",
  eventGround: "#ecebfa",
  ground: "#ffffff",
} as const;

const MARGIN = 72;
const BAR = 16;
const LEAF = 150;
/** More letters than have room. */
const MOST_LETTERS = 400;

sharp.cache(false);
sharp.concurrency(1);
// Nothing is read from a file.
sharp.block({ operation: ["VipsForeignLoad"] });

type Pixels = { readonly data: Buffer; readonly info: OutputInfo };
type Placed = Pixels & { readonly left: number; readonly top: number };
type Style = {
  readonly font: keyof typeof FONTS;
  readonly size: number;
  readonly colour: string;
};
type Box = { readonly width: number; readonly height: number };

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** At 72 dots per inch a point is a pixel. */
function write(
  text: string,
  { font, size, colour }: Style,
  width: number,
): Promise<Pixels> {
  const name = font === "bold" ? "DejaVu Sans Bold" : "DejaVu Sans";
  return sharp({
    text: {
      text: `<span foreground="${colour}">${escaped(text)}</span>`,
      ...{ font: `${name} ${size}`, fontfile: FONTS[font] },
      ...{ width, dpi: 72, rgba: true, wrap: "word-char" },
      spacing: Math.round(size / 4),
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** Writes as much of a text as has room. */
async function fit(
  text: string,
  style: Style,
  box: Box,
): Promise<Pixels | undefined> {
  let words = beginning(text, MOST_LETTERS);
  for (;;) {
    if (words === "" || words === "…") return undefined;
    const pixels = await write(words, style, box.width);
    const { width, height } = pixels.info;
    if (height <= box.height && width <= box.width) return pixels;
    const letters = [...words].length;
    const part = Math.min(0.95, (1.1 * box.height) / height);
    words = beginning(words.replace(/…$/, ""), Math.floor(letters * part));
    if (letters < 2) return undefined;
  }
}

function area(colour: string, { width, height }: Box): Promise<Pixels> {
  const background = colour;
  return sharp({ create: { width, height, channels: 4, background } })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

async function leafOf({
  month,
  day,
}: NonNullable<Card["leaf"]>): Promise<Placed[]> {
  const left = CARD_SIZE.width - MARGIN - LEAF;
  const within = { width: LEAF - 16, height: 80 };
  const colour = COLOURS.event;
  const [ground, above, below] = await Promise.all([
    area(COLOURS.eventGround, { width: LEAF, height: LEAF }),
    fit(month, { font: "plain", size: 30, colour }, within),
    fit(day, { font: "bold", size: 60, colour }, within),
  ]);
  const middle = (pixels: Pixels) =>
    left + Math.round((LEAF - pixels.info.width) / 2);
  return [
    { ...ground, left, top: MARGIN },
    ...(above ? [{ ...above, left: middle(above), top: MARGIN + 20 }] : []),
    ...(below ? [{ ...below, left: middle(below), top: MARGIN + 72 }] : []),
  ];
}

async function draw({
  title,
  byline,
  text,
  foot,
  leaf,
}: Card): Promise<Uint8Array> {
  const wide = CARD_SIZE.width - 2 * MARGIN;
  const beside = leaf ? wide - LEAF - 40 : wide;
  const { ink, quiet, accent, ground } = COLOURS;
  const small = { font: "plain", size: 28, colour: quiet } as const;
  const at = async (
    words: string,
    style: Style,
    place: Box & { readonly top: number },
  ): Promise<Placed[]> => {
    const pixels = await fit(words, style, place);
    return pixels ? [{ ...pixels, left: MARGIN, top: place.top }] : [];
  };
  const [left, right] = foot;
  const line = { height: 60, top: CARD_SIZE.height - MARGIN - 30 };
  const onRight = await fit(right, small, { width: wide / 2, height: 60 });
  const placed: Placed[] = [
    {
      ...(await area(accent, { width: BAR, height: CARD_SIZE.height })),
      ...{ left: 0, top: 0 },
    },
    ...(leaf ? await leafOf(leaf) : []),
    ...(await at(
      title,
      { font: "bold", size: 46, colour: accent },
      { width: beside, height: 70, top: MARGIN },
    )),
    ...(await at(byline, small, { width: beside, height: 50, top: 140 })),
    ...(await at(
      text,
      { font: "plain", size: 38, colour: ink },
      { width: wide, height: 290, top: 222 },
    )),
    ...(await at(left, small, { width: wide / 2 - 40, ...line })),
    ...(onRight
      ? [
          {
            ...onRight,
            left: CARD_SIZE.width - MARGIN - onRight.info.width,
            top: line.top,
          },
        ]
      : []),
  ];
  return sharp({ create: { ...CARD_SIZE, channels: 3, background: ground } })
    .composite(
      placed.map(({ data, info, left: x, top }) => {
        const { width, height } = info;
        return {
          input: data,
          raw: { width, height, channels: 4 },
          left: x,
          top,
        };
      }),
    )
    .png({ compressionLevel: 9, palette: false })
    .toBuffer();
}

async function answer(card: Card): Promise<CardResponse> {
  try {
    return { kind: "card", png: await draw(card) };
  } catch (error) {
    return { kind: "broken", reason: messageOf(error) };
  }
}

// Both fonts are opened now: from here on the process reads nothing but the cards, which come as
// messages.
const WARM = { title: "A", byline: "b", text: "c", foot: ["d", "e"] } as const;
const isWarm = answer(WARM).then(dropPermissions);

process.on("message", (card: Card) => {
  void isWarm
    .then(() => answer(card))
    .then((response) => process.send?.(response));
});
process.on("disconnect", () => process.exit());

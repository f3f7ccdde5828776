import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "blurhash";
import { averageColor } from "./average-color.ts";

test("the average colour is that of the pixels that were encoded", () => {
  for (const [red, green, blue] of [
    [0, 0, 0],
    [255, 255, 255],
    [18, 52, 86],
  ] as const) {
    const pixel = [red, green, blue, 255];
    const pixels = Uint8ClampedArray.from([...pixel, ...pixel, ...pixel]);
    const hash = encode(pixels, 3, 1, 3, 1);
    const hex = Buffer.from([red, green, blue]).toString("hex");
    assert.equal(averageColor(hash), `#${hex}`);
  }
});

test("text that is no blurhash has no colour", () => {
  for (const text of ["", "LEHV", 'LE"V6n', "~~~~~~~~", "L😀😀😀😀😀"])
    assert.equal(averageColor(text), undefined, text);
});

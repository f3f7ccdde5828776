import assert from "node:assert/strict";
import { test } from "node:test";
import decodeQR from "qr/decode.js";
import { toText } from "../kit/html.ts";
import { qrView } from "./qr-view.ts";

const URI =
  "otpauth://totp/Kith:a_long_name_of_thirty_letters@social.example.org%3A3000?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Kith";
const SCALE = 4;

test("a reader finds the text in the picture", async () => {
  const svg = toText(await qrView(URI, "<secret>"));
  assert.match(svg, /aria-label="&lt;secret&gt;"/);
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const width = size * SCALE;
  const data = new Uint8Array(width * width * 3).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let down = 0; down < SCALE; down += 1) {
      const start = (Number(y) * SCALE + down) * width + Number(x) * SCALE;
      data.fill(0, start * 3, (start + SCALE) * 3);
    }
  assert.equal(decodeQR({ width, height: width, data }), URI);
});

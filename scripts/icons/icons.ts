import { readFileSync } from "node:fs";
import sharp from "sharp";

// Draws the icons of the installed pages from the one of the browser's tab. They are committed;
// run it again after that one has changed.

const assets = new URL("../../packages/server/assets/", import.meta.url);
const drawing = readFileSync(new URL("favicon.svg", assets), "utf8");
const GROUND = "#0b6157";
/** A mask may cut off everything outside of four fifths of the width. */
const SAFE = 0.7;

async function draw(name: string, size: number, part = 1): Promise<void> {
  const inner = Math.round(size * part);
  const picture = await sharp(Buffer.from(drawing), { density: 600 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  const ground = part === 1 ? { r: 0, g: 0, b: 0, alpha: 0 } : GROUND;
  await sharp({
    create: { width: size, height: size, channels: 4, background: ground },
  })
    .composite([{ input: picture, gravity: "centre" }])
    .png({ compressionLevel: 9, palette: true })
    .toFile(new URL(name, assets).pathname);
}

await draw("icon-180.png", 180, SAFE);
await draw("icon-192.png", 192);
await draw("icon-512.png", 512);
await draw("icon-maskable-512.png", 512, SAFE);

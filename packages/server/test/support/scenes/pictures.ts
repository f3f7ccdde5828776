import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import type { KithServer, TestPerson } from "../server/kith-server.ts";
import type { PhotoRecord } from "../server/wire.ts";

/** A picture of one colour. */
export function picture(
  width: number,
  height: number,
  background: string = "#3060c0",
): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** As written by a phone: rotated, with location data. */
export function telephonePicture(): Promise<Buffer> {
  return picture(80, 40)
    .jpeg()
    .withExif({
      IFD0: { Make: "Telephone" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A few bytes that say that they are a picture of this many pixels. */
export function hollowPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(Buffer.alloc(1000))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A form with a picture. */
export function pictureForm(
  bytes: Uint8Array,
  fields: Readonly<Record<string, string | number>> = {},
  options: { name?: string; fileName?: string; type?: string } = {},
): FormData {
  const { name = "image", fileName = "picture", type = "" } = options;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields))
    form.append(field, String(value));
  form.append(name, new Blob([Uint8Array.from(bytes)], { type }), fileName);
  return form;
}

/** Uploads a picture, and gives its record. */
export async function upload(
  person: TestPerson,
  bytes?: Uint8Array,
  fields?: Parameters<typeof pictureForm>[1],
): Promise<PhotoRecord> {
  const given = bytes ?? (await picture(40, 20).png().toBuffer());
  const multipart = pictureForm(given, fields);
  const answer = await person.call("POST", "/photos", { multipart });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as PhotoRecord;
}

/** Everything in which answers can differ, but for the time and the connection. */
export async function fetchAll(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
) {
  const response = await fetch(url, { headers, method });
  const bytes = Buffer.from(await response.arrayBuffer());
  const answered = Object.fromEntries(response.headers);
  for (const name of ["date", "connection", "keep-alive"])
    delete answered[name];
  return { status: response.status, headers: answered, bytes };
}

/** The image at an address. */
export async function fetchPicture(url: string, token?: string) {
  const headers = token === undefined ? {} : { access_token: token };
  const { status, bytes } = await fetchAll(url, headers);
  assert.equal(status, 200, url);
  return { bytes, ...(await sharp(bytes).metadata()) };
}

/** The names of the files that a server has stored. */
export async function storedFiles({ dataDir }: KithServer): Promise<string[]> {
  const root = path.join(dataDir, "media");
  const found = await readdir(root, { recursive: true }).catch(() => []);
  return found.map((it) => path.basename(it)).filter((it) => it.length > 2);
}

/** Blocks a person, as the one who blocks would. */
export async function block(
  kith: KithServer,
  by: TestPerson,
  blocked: TestPerson,
): Promise<void> {
  await kith.db.transaction((tx) =>
    tx
      .insertInto("blocks")
      .values({
        person_id: by.record.ID,
        blocked_person_id: blocked.record.ID,
        created_at: kith.clock.now().toISOString(),
      })
      .execute(),
  );
}

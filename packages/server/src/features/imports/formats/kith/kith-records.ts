import {
  asList,
  asObject,
  asText,
  readObject,
  readRecords,
  type Json,
} from "../../../../lib/archives/read-json.ts";
import { storableText } from "../../../../lib/well-formed.ts";
import type { Unpacked } from "../../../../lib/archives/unpack.ts";

/** The records of `name.json`, `name-2.json` and so on. */
export async function* recordsOf(
  files: Unpacked,
  name: string,
): AsyncGenerator<Json, void, undefined> {
  for (let number = 1; ; number += 1) {
    const part = number === 1 ? name : `${name}-${number}`;
    const file = files.get(`${part}.json`);
    if (file === undefined) return;
    for await (const record of readRecords(file, "$.*")) yield asObject(record);
  }
}

/** The object of `name.json`; empty without the file. */
export async function readOne(files: Unpacked, name: string): Promise<Json> {
  const file = files.get(`${name}.json`);
  return file === undefined ? {} : readObject(file);
}

/** A text that can be stored. */
export const readStorable = (value: unknown): string =>
  storableText(asText(value));

/** More in one record is not ours. */
const MAX_LISTED = 5_000;

/** The texts of a list, without anything else in it. */
export function readTexts(value: unknown): string[] {
  return asList(value)
    .slice(0, MAX_LISTED)
    .map(readStorable)
    .filter((text) => text !== "");
}

/** One of these words. @returns undefined for anything else */
export function readWord<Word extends string>(
  value: unknown,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === value);
}

export const readFlag = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

/** A whole number that is not negative. @returns undefined for anything else */
export const readCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;

const MAX_PROPERTIES = 50;
const MAX_PROPERTY_LENGTH = 10_000;

/** Texts by the names of properties, as calendar programs write them. */
export function readProperties(value: unknown): Record<string, string> {
  const all = Object.entries(asObject(value)).slice(0, MAX_PROPERTIES);
  return Object.fromEntries(
    all.flatMap(([name, text]) =>
      `${name}${asText(text)}`.length <= MAX_PROPERTY_LENGTH
        ? [[storableText(name), readStorable(text)]]
        : [],
    ),
  );
}

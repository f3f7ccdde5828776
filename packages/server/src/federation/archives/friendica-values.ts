import { asText, type Json } from "../../lib/archives/read-json.ts";

/** Numbers are numbers or texts, as the database gave them. */
export function idIn(record: Json, name: string): string {
  const value = record[name];
  return typeof value === "number" ? String(value) : asText(value);
}

export const isOn = (value: unknown): boolean =>
  value === 1 || value === "1" || value === true;

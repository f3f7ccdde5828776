import { asText, type Json } from "../../lib/archives/read-json.ts";
import { isTime } from "../../lib/archives/read-values.ts";

/** Numbers are numbers or texts, as the database gave them. */
export function idIn(record: Json, name: string): string {
  const value = record[name];
  return typeof value === "number" ? String(value) : asText(value);
}

export const isOn = (value: unknown): boolean =>
  value === 1 || value === "1" || value === true;

/** `2020-01-02 03:04:05`, in UTC; a missing one is the year 0. */
export function timeOf(value: unknown): string | undefined {
  const time = `${asText(value).replace(" ", "T")}Z`;
  return isTime(time) && !time.startsWith("0") ? time : undefined;
}

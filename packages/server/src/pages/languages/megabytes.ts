import { currentLanguage } from "./reader.ts";

export const MEGABYTE = 1024 * 1024;

/** A size that people can compare with that of a file, such as 40 MB. */
export function megabytes(bytes: number): string {
  const unit = { style: "unit", unit: "megabyte" } as const;
  const rounded = Math.floor(bytes / MEGABYTE);
  return new Intl.NumberFormat(currentLanguage(), unit).format(rounded);
}

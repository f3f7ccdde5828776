const KEY = /^[a-z0-9]{2}[a-z0-9_.-]{1,118}$/;
const PART = ".part";

/** Is a file of this name still being written, or left so by a stopped process? */
export function isUnfinished(name: string): boolean {
  return name.endsWith(PART);
}

/** A name for a file that is being written. */
export function nameUnfinished(file: string, random: string): string {
  return `${file}.${random}${PART}`;
}

export function isMediaKey(name: string): boolean {
  return KEY.test(name) && !isUnfinished(name);
}

/** A key can never point out of its store, whatever it is made from. */
export function refuseMalformedKey(key: string): void {
  if (!isMediaKey(key)) throw new Error("A media key is malformed");
}

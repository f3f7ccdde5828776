import { wholeSeconds } from "./build/build-parts.ts";

/**
 * Writes an instant with the offset that a zone has at that moment, `2026-07-14T17:30:00+02:00`: the offset fixes the
 * instant for peers that know no zones. Without a zone, or in one that we do not know, it is written in UTC.
 * @throws {RangeError} when the text is no time
 */
export function zonedTime(time: string, zone: string | undefined): string {
  const utc = wholeSeconds(time);
  const minutes = zone === undefined ? undefined : offsetMinutes(utc, zone);
  if (minutes === undefined || minutes === 0) return utc;
  const local = new Date(Date.parse(utc) + minutes * 60_000);
  const away = Math.abs(minutes);
  const two = (part: number) => String(part).padStart(2, "0");
  const offset = `${two(Math.floor(away / 60))}:${two(away % 60)}`;
  return `${local.toISOString().slice(0, 19)}${minutes < 0 ? "-" : "+"}${offset}`;
}

function offsetMinutes(utc: string, zone: string): number | undefined {
  const name = offsetName(utc, zone);
  // Before zones there were offsets to the second, which RFC 3339 cannot write.
  const parts = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name ?? "");
  if (parts === null) return undefined;
  const minutes = Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
  return parts[1] === "-" ? -minutes : minutes;
}

function offsetName(utc: string, zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", {
      timeZone: zone,
      timeZoneName: "longOffset",
    })
      .formatToParts(new Date(utc))
      .find(({ type }) => type === "timeZoneName")?.value;
  } catch (error) {
    // A zone that somebody else made up is no reason to keep back the event.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

import { messageOf } from "../lib/errors.ts";

/** A job's payload, parsed from its row, or why it cannot be parsed. */
export type ReadPayload =
  | { readonly payload: unknown; readonly unreadable?: undefined }
  | { readonly payload: null; readonly unreadable: string };

export function readPayload(text: string): ReadPayload {
  try {
    return { payload: JSON.parse(text) as unknown };
  } catch (error) {
    const unreadable = `Its payload cannot be read: ${messageOf(error)}`;
    return { payload: null, unreadable };
  }
}

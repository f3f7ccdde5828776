import { ActivityPubError } from "../src/errors.ts";
import type { Random } from "./mutate.ts";

/** One kind of input that strangers send, and what has to hold whatever it is. */
export type FuzzTarget = {
  name: string;
  /** Makes a hostile input. */
  next(random: Random): Uint8Array;
  /**
   * Reads it.
   * @returns whether it was understood
   * @throws whatever is not our own error, and where an input was believed that nobody has signed
   */
  run(input: Uint8Array): Promise<boolean> | boolean;
};

/** True where `read` returns, false where it refuses in the agreed way. */
export async function understood(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof ActivityPubError) return false;
    throw error;
  }
}

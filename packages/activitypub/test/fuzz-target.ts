import { ActivityPubError } from "../src/errors.ts";
import type { Random } from "./mutate.ts";

/** One kind of untrusted input, and the property that must hold for it. */
export type FuzzTarget = {
  name: string;
  /** Makes a hostile input. */
  next(random: Random): Uint8Array;
  /**
   * Reads it.
   * @returns whether it was accepted
   * @throws any error other than ours, and when an unsigned input was trusted
   */
  run(input: Uint8Array): Promise<boolean> | boolean;
};

/** True when `read` returns, false when it refuses with our error. */
export async function understood(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof ActivityPubError) return false;
    throw error;
  }
}

/**
 * A group waits for so many turns of the event loop at most, as long as each
 * adds units.
 */
const MAX_TURNS = 8;

/**
 * Waits until a turn of the event loop adds nothing, or a group is full. Otherwise requests
 * arriving in two turns would stay two groups for ever, each running while
 * the other commits; a single unit waits for one turn.
 * @param count returns how many units wait
 */
export async function gatherUnits(
  count: () => number,
  full: number,
): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const before = count();
    if (before >= full) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (count() === before) return;
  }
}

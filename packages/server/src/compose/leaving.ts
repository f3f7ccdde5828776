import {
  createExports,
  createOwnExporters,
  type OwnExportersDeps,
} from "../features/exports/index.ts";
import {
  createLeaving,
  createLeavingSteps,
  type LeavingDeps,
  type LeavingStepsDeps,
} from "../features/leaving/index.ts";
import {
  createMoves,
  createMovingSteps,
  type MovesDeps,
  type MovingStepsDeps,
} from "../features/moves/index.ts";

export type LeavingInput = LeavingDeps &
  Omit<LeavingStepsDeps, "moves"> &
  MovesDeps &
  Omit<MovingStepsDeps, "clearUp"> &
  OwnExportersDeps;

/** Exports, moves, and the deletion of accounts. */
export function composeLeaving(input: LeavingInput) {
  const leaving = createLeaving(input);
  const moves = createMoves(input);
  return {
    leaving,
    leavingSteps: createLeavingSteps({ ...input, moves }),
    moves,
    movingSteps: createMovingSteps({ ...input, clearUp: leaving.clearUp }),
    exports: createExports(createOwnExporters(input)),
  };
}

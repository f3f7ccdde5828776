import {
  createExports,
  createOwnExporters,
  type OwnExportersDeps,
} from "../features/exports/index.ts";
import {
  createHeldImports,
  type HeldImportsDeps,
} from "../features/imports/index.ts";
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
  HeldImportsDeps &
  Omit<LeavingStepsDeps, "heldImports" | "moves"> &
  MovesDeps &
  Omit<MovingStepsDeps, "clearUp"> &
  OwnExportersDeps;

/** Exports, imports, moves, and the deletion of accounts. */
export function composeLeaving(input: LeavingInput) {
  const leaving = createLeaving(input);
  const moves = createMoves(input);
  const heldImports = createHeldImports(input);
  return {
    leaving,
    heldImports,
    leavingSteps: createLeavingSteps({ ...input, heldImports, moves }),
    moves,
    movingSteps: createMovingSteps({ ...input, clearUp: leaving.clearUp }),
    exports: createExports(createOwnExporters(input)),
  };
}

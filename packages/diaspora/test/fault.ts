import { DiasporaError } from "../src/index.ts";

/** For `assert.throws` and `assert.rejects`: a DiasporaError of this stage and code. */
export function fault(stage: string, code: string) {
  return (error: unknown) =>
    error instanceof DiasporaError &&
    error.stage === stage &&
    error.code === code;
}

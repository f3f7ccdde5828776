/** A process ended before it was at work; it has said why itself. */
export class ProcessFailed extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("A process could not be started");
    this.exitCode = exitCode;
  }
}

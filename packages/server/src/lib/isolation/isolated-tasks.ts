import { KithError, messageOf } from "../errors.ts";

/** A thread or a process that runs one task after the other. */
export type Isolate<Request> = {
  readonly send: (request: Request) => void;
  /** Decides whether it keeps this process alive. */
  readonly hold: (isHeld: boolean) => void;
  readonly kill: () => void;
};

/** The events of an isolate. */
export type IsolateEvents<Response> = {
  /** Its code is loaded. No task is sent before. */
  readonly ready: () => void;
  readonly respond: (response: Response) => void;
  /** It ended, or cannot continue. */
  readonly end: (error: KithError) => void;
};

export type IsolatedTasksOptions<Request, Response> = {
  readonly start: (events: IsolateEvents<Response>) => Isolate<Request>;
  /** The time limit of one task, from when the isolate is ready. */
  readonly deadlineMs: number;
  /** How long an idle isolate is kept. */
  readonly idleMs: number;
  readonly maxWaiting: number;
  /** The error message for a task that takes too long. */
  readonly tooLong: string;
  /** The error message for a task that is refused because too many wait. */
  readonly tooMany: string;
};

type Task<Request, Response> = {
  readonly request: Request;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: KithError) => void;
};

/** A working machine loads the code faster. */
const START_WITHIN_MS = 30_000;

/**
 * Runs tasks sequentially in an isolate, which is started on demand, ended when
 * idle, and killed when a task takes too long: a hostile task costs that
 * isolate and nothing else.
 */
export class IsolatedTasks<Request, Response> {
  readonly #options: IsolatedTasksOptions<Request, Response>;
  readonly #queue: Task<Request, Response>[] = [];
  #isolate: Isolate<Request> | undefined;
  #isReady = false;
  #task: Task<Request, Response> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IsolatedTasksOptions<Request, Response>) {
    this.#options = options;
  }

  /** Is there an isolate? */
  get isRunning(): boolean {
    return this.#isolate !== undefined;
  }

  /**
   * @throws {KithError} `unavailable` if too many tasks wait, this one takes
   *   too long, or the isolate ends; and the error with which the isolate
   *   explains its end
   */
  run(request: Request): Promise<Response> {
    const { maxWaiting, tooMany } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#queue.length >= maxWaiting)
        return reject(new KithError("unavailable", tooMany));
      this.#queue.push({ request, resolve, reject });
      this.#next();
    });
  }

  /** Ends the isolate; waiting and running tasks are rejected. */
  close(): void {
    const error = new KithError("unavailable", "The server stops.");
    for (const task of this.#queue.splice(0)) task.reject(error);
    this.#stop(error);
  }

  #next(): void {
    if (this.#task) return;
    clearTimeout(this.#timer);
    this.#task = this.#queue.shift();
    if (!this.#task) return this.#rest();
    try {
      this.#isolate ??= this.#start();
    } catch (error) {
      return this.#fail(messageOf(error));
    }
    this.#isolate.hold(true);
    if (this.#isReady) this.#send();
    else this.#limit(START_WITHIN_MS, "It does not start");
  }

  #start(): Isolate<Request> {
    const ifCurrent =
      <Args extends unknown[]>(act: (...args: Args) => void) =>
      (...args: Args) => {
        if (isolate === this.#isolate) act(...args);
      };
    const isolate = this.#options.start({
      ready: ifCurrent(() => {
        this.#isReady = true;
        if (this.#task) this.#send();
      }),
      respond: ifCurrent((response) => {
        const task = this.#task;
        this.#task = undefined;
        task?.resolve(response);
        this.#next();
      }),
      end: ifCurrent((error) => {
        this.#stop(error);
        this.#next();
      }),
    });
    return isolate;
  }

  #send(): void {
    const { deadlineMs, tooLong } = this.#options;
    this.#limit(deadlineMs, tooLong);
    if (this.#task) this.#isolate?.send(this.#task.request);
  }

  #limit(withinMs: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(reason), withinMs);
  }

  #fail(reason: string): void {
    this.#stop(new KithError("unavailable", reason));
    this.#next();
  }

  #rest(): void {
    if (!this.#isolate) return;
    this.#isolate.hold(false);
    this.#timer = setTimeout(() => this.#stop(), this.#options.idleMs).unref();
  }

  #stop(error?: KithError): void {
    clearTimeout(this.#timer);
    const task = this.#task;
    const isolate = this.#isolate;
    this.#task = undefined;
    this.#isolate = undefined;
    this.#isReady = false;
    isolate?.kill();
    if (error) task?.reject(error);
  }
}

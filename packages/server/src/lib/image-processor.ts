import { fork, type ChildProcess } from "node:child_process";
import { KithError, messageOf } from "./errors.ts";
import {
  imageFormatOf,
  MAX_IMAGE_BYTES,
  type ImagePurpose,
  type ImageRequest,
  type ImageResponse,
  type ProcessedImage,
} from "./image.ts";

/** Reads pictures and writes them anew, in a process of its own. */
export type ImageProcessor = {
  /**
   * @throws {KithError} `unsupported_media_type` for what is no picture,
   * `too_large`, `bad_request` for a broken one, `unavailable` where there is
   * too much to do or the process died of it
   */
  process(bytes: Uint8Array, purpose: ImagePurpose): Promise<ProcessedImage>;
  /** The id of the child process, where one runs. */
  childId(): number | undefined;
  close(): void;
};

export type ImageProcessorOptions = {
  /** How long one picture may take. */
  readonly deadlineMs?: number;
  /** How long the process is kept when there is nothing to do. */
  readonly idleMs?: number;
  /** How many pictures may wait. */
  readonly maxWaiting?: number;
};

const OUT_OF_MEMORY = 77;

const CHILD = new URL("./image-child.ts", import.meta.url);

type Task = ImageRequest & {
  readonly resolve: (image: ProcessedImage) => void;
  readonly reject: (error: KithError) => void;
};

/** One child process, started when it is needed, that takes one picture after the other. */
export function createImageProcessor(
  options: ImageProcessorOptions = {},
): ImageProcessor {
  const { maxWaiting = 16 } = options;
  const child = new ImageChild(options);
  return {
    process: async (bytes, purpose) => {
      if (bytes.length === 0) throw new KithError("bad_request", "No picture");
      if (bytes.length > MAX_IMAGE_BYTES)
        throw new KithError("too_large", "The picture has too many bytes");
      if (imageFormatOf(bytes) === undefined)
        throw new KithError("unsupported_media_type", "Not a picture");
      if (child.waiting >= maxWaiting)
        throw new KithError("unavailable", "Too many pictures wait");
      return child.run({ bytes, purpose });
    },
    childId: () => child.id,
    close: () => child.end(),
  };
}

class ImageChild {
  readonly #deadlineMs: number;
  readonly #idleMs: number;
  readonly #queue: Task[] = [];
  #process: ChildProcess | undefined;
  #task: Task | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ deadlineMs = 20_000, idleMs = 30_000 }: ImageProcessorOptions) {
    this.#deadlineMs = deadlineMs;
    this.#idleMs = idleMs;
  }

  get id(): number | undefined {
    return this.#process?.pid;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  run(request: ImageRequest): Promise<ProcessedImage> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...request, resolve, reject });
      this.#next();
    });
  }

  /** Ends the process; what waits is refused. */
  end(): void {
    const error = new KithError("unavailable", "The server stops");
    for (const task of this.#queue.splice(0)) task.reject(error);
    this.#stop(error);
  }

  #next(): void {
    if (this.#task) return;
    clearTimeout(this.#timer);
    this.#task = this.#queue.shift();
    const child = this.#process ?? (this.#task && this.#start());
    if (!child) return;
    if (!this.#task) return this.#rest(child);
    const { bytes, purpose } = this.#task;
    child.ref();
    child.channel?.ref();
    this.#timer = setTimeout(
      () => this.#fail("The picture took too long"),
      this.#deadlineMs,
    );
    child.send({ bytes, purpose } satisfies ImageRequest, (error) => {
      if (error && child === this.#process) this.#fail(messageOf(error));
    });
  }

  #start(): ChildProcess {
    const child = fork(CHILD, {
      // Nothing of the server's environment: it holds secrets.
      env: { MALLOC_ARENA_MAX: "2" },
      // It may read, which loading its own code takes, and do nothing else.
      execArgv: [
        "--permission",
        "--allow-addons",
        "--allow-fs-read=*",
        "--max-old-space-size=192",
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process = child;
    child.on("message", (response: ImageResponse) => {
      if (child === this.#process) this.#take(response);
    });
    child.on("error", (error) => {
      if (child === this.#process) this.#fail(messageOf(error));
    });
    child.on("exit", (code) => {
      if (child !== this.#process) return;
      if (code === OUT_OF_MEMORY)
        this.#stop(new KithError("too_large", "It took too much memory"));
      else this.#stop(new KithError("unavailable", "The process died of it"));
      this.#next();
    });
    return child;
  }

  /** With nothing to do the process keeps nobody from ending, and ends itself after a while. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#timer = setTimeout(() => this.#stop(), this.#idleMs).unref();
  }

  #take(response: ImageResponse): void {
    const task = this.#task;
    this.#task = undefined;
    if (response.kind === "image") task?.resolve(response.image);
    else {
      const code = response.kind === "broken" ? "bad_request" : "too_large";
      task?.reject(new KithError(code, response.reason));
    }
    this.#next();
  }

  #fail(reason: string): void {
    this.#stop(new KithError("unavailable", reason));
    this.#next();
  }

  #stop(error?: KithError): void {
    clearTimeout(this.#timer);
    const task = this.#task;
    const child = this.#process;
    this.#task = undefined;
    this.#process = undefined;
    child?.kill("SIGKILL");
    child?.unref();
    if (child?.connected) child.disconnect();
    if (error) task?.reject(error);
  }
}

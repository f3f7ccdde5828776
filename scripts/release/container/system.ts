/** A command in the tree of an image. */
export type Command = {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The superuser by default, where the system can tell them apart. */
  readonly user?: string | undefined;
  /** The folders that can be written to; everything by default. */
  readonly writable?: readonly string[];
  /** Whether the base image brings Node and npm. */
  readonly hasNode?: boolean;
};

/** How a process is started that runs a command. */
export type Launch = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
};

/** A substitute for a container engine: trees of files, and processes in them. */
export type System = {
  /** The tree of a base image, in an empty folder. */
  readonly makeRoot: (root: string) => void;
  /** Whether it can add users and give files to them. */
  readonly isSuperuser: boolean;
  readonly launch: (root: string, command: Command) => Launch;
  /** Makes all but one folder of a finished tree unwritable, as far as `launch` does not. */
  readonly seal: (root: string, folder: string) => void;
};

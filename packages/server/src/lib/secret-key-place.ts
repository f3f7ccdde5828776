/** Where the key is kept that seals secrets in the database: never inside it. */
export type SecretKeyPlace = {
  /** In words for an operator. */
  readonly name: string;
  /** 32 bytes; undefined where there is none yet. @throws where it cannot be read or is no key */
  find(): Uint8Array | undefined;
  /** Makes one, or takes the one that another process made meanwhile. @throws where it cannot be written */
  make(): Uint8Array;
  /** Whether other users of the machine may read it; false where that cannot be known. */
  isOpenToOthers(): boolean;
};

/** A picture, a sound or a video on another server, as a post or comment from there describes it. */
export type RemoteFile = {
  readonly guid?: string | undefined;
  readonly url: string;
  readonly thumbnailUrl?: string | undefined;
  /** The description (alt text). */
  readonly text?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly blurhash?: string | undefined;
  /**
   * The focal point, which cropping must keep visible: x to the right and y upwards, both
   * from -1 to 1.
   */
  readonly focus?: readonly [x: number, y: number] | undefined;
  /** Of a sound or a video. */
  readonly durationMs?: number | undefined;
};

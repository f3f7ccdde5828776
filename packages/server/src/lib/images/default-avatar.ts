/** Path of the default avatar. Other servers store it, so it never changes. */
export const DEFAULT_AVATAR_PATH = "/assets/avatar.png";

/** Path of the wide picture that stands in for a missing one, where one is required. */
export const DEFAULT_HEADER_PATH = "/assets/missing-header.png";

/** Path of the picture that stands in for a still of a sound or a video. */
export const RECORDING_PICTURE_PATH = "/assets/recording.png";

/** Path of the default avatar. Other servers store it, so it never changes. */
export const DEFAULT_AVATAR_PATH = "/assets/avatar.png";

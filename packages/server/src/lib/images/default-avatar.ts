/** Path of the picture of people who have none. Other servers store it, so it never changes. */
export const DEFAULT_AVATAR_PATH = "/assets/avatar.png";

/**
 * The handle by the address of a profile: `https://host/@name`, `https://host/users/name` and
 * the like.
 * @returns the address itself if it has another form, which no handle has
 */
export function handleOfProfile(address: string): string {
  const url = URL.parse(address);
  const [, name] =
    /^\/(?:@|users\/|u\/|profile\/)?([\w.-]{1,64})\/?$/.exec(
      url?.pathname ?? "",
    ) ?? [];
  return url && name !== undefined ? `${name}@${url.host}` : address;
}

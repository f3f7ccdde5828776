/** A number of bytes in MiB or GiB. */
export function inUnits(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return mib < 1024
    ? `${mib.toFixed(1)} MiB`
    : `${(mib / 1024).toFixed(1)} GiB`;
}

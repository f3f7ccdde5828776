/** The words for one thing, or for any other number of things. */
export function counted(n: number, one: string, many: string): string {
  return n === 1 ? one : many;
}

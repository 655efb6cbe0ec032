/** Parses the id in a URL; null unless it is a positive integer. */
export function readId(text: string): number | null {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}

const MAX_CHARACTERS = 500

/** A cell as previews show it: trimmed, and cut to 500 characters with `…`. */
export function displayCell(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= MAX_CHARACTERS) return trimmed
  // A cut in the middle of a character would leave half of it.
  return `${trimmed
    .slice(0, MAX_CHARACTERS - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

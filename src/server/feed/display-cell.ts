const MAX_CHARACTERS = 500

/** A cell as previews show it: trimmed, and cut to so many characters with `…`. */
export function displayCell(text: string, maxCharacters: number = MAX_CHARACTERS): string {
  const trimmed = text.trim()
  if (trimmed.length <= maxCharacters) return trimmed
  // A cut in the middle of a character would leave half of it.
  return `${trimmed
    .slice(0, maxCharacters - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

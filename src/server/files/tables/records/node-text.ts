const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]

const isSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN

export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false
  return true
}

/** Leaves out line breaks around a text with the blanks beside them: they are how the document is laid out. */
export function trimLines(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  if (start === 0 && end === text.length) return text
  if (!hasLineBreak(text, 0, start)) start = 0
  if (!hasLineBreak(text, end, text.length)) end = text.length
  return text.slice(start, end)
}

function hasLineBreak(text: string, start: number, end: number): boolean {
  const at = text.indexOf('\n', start)
  return at >= 0 && at < end
}

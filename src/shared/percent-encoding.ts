/** A text without percent encoding; undefined where a percent sign encodes nothing. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Likewise, but a percent sign that encodes nothing is a part of the text. */
export const decodeOrKeep = (text: string): string => decodePercent(text) ?? text

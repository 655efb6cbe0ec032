/** Numbers of so many digits are exact in Excel. */
const MAX_DIGITS = 15
const PLAIN = /^-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,8}))?$/

export interface NumberReading {
  /** Whether `1.234` may be meant as a thousand and more. */
  isThousandsPossible: boolean
}

/** Whether Excel reads and shows a text as just this number: no zeros are lost, no digits, and no sign. */
export function isPlainNumber(text: string, { isThousandsPossible }: NumberReading): boolean {
  const found = PLAIN.exec(text)
  if (!found) return false
  const decimals = found[1] ?? ''
  if (isThousandsPossible && decimals.length === 3) return false
  if (text.replace(/\D/g, '').length > MAX_DIGITS) return false
  return !text.startsWith('-') || Number(text) !== 0
}

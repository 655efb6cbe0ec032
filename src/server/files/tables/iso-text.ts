/** A date in ISO 8601 as the workbooks of some programs have it, without midnight and zone. */
export function isoText(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?)Z?$/.exec(text)
  const [, date, time = ''] = parts ?? []
  if (date === undefined) return text
  const [seconds = '', fraction = ''] = time.split('.')
  const rest = withoutFinalZeros(fraction)
  if (/^[0:]*$/.test(seconds) && rest === '') return date
  return `${date}T${seconds}${rest && `.${rest}`}`
}

/** Digits without the zeros at their end. */
export function withoutFinalZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** A date in ISO 8601 as the workbooks of some programs have it, without midnight and zone. */
export function isoText(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?$/.exec(text)
  const [, date, time = ''] = parts ?? []
  if (date === undefined) return text
  return /^[0:.]*$/.test(time) ? date : `${date}T${time.replace(/\.0*$|(\.\d*?)0+$/, '$1')}`
}

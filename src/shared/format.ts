import { SYNC_FREQUENCIES } from './constants'

/** Numbers are in the browser's locale; the server's texts are in English. */
const LOCALE = 'document' in globalThis ? undefined : 'en-US'

/** With at least `least` and at most `most` decimals, and without thousands separators. */
const formatDecimals = (value: number, least: number, most: number): string =>
  Number(value.toFixed(most)).toLocaleString(LOCALE, {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    useGrouping: false,
  })

const SIZE_UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A size in Bytes, KB, MB, GB or TB (powers of 1024), with at most `decimals` decimals. */
export function formatFileSize(sizeBytes: number, decimals = 2): string {
  if (sizeBytes <= 0) return '0 Bytes'
  const power = Math.min(Math.floor(Math.log(sizeBytes) / Math.log(1024)), SIZE_UNITS.length - 1)
  const unit = SIZE_UNITS[Math.max(power, 0)]
  return `${formatDecimals(sizeBytes / 1024 ** Math.max(power, 0), 0, decimals)} ${unit}`
}

/** A size on the retailers' screens: with two decimals, in KB, or in MB from 1024 KB on. */
export function formatRetailerFileSize(sizeBytes: number): string {
  const kilobytes = sizeBytes / 1024
  return kilobytes < 1024
    ? `${formatDecimals(kilobytes, 2, 2)} KB`
    : `${formatDecimals(kilobytes / 1024, 2, 2)} MB`
}

/** The text for a sync frequency in minutes. */
export function formatSyncFrequency(minutes: number): string {
  if (minutes === 0) return 'Unlimited'
  if (minutes === 1) return 'Every minute'
  if (minutes < 60) return `Every ${minutes} minutes`
  if (minutes === 60) return 'Hourly'
  if (minutes === 1440) return 'Daily'
  return `Every ${Math.round(minutes / 60)} hours`
}

/** The label of an option: its name with spaces instead of underscores. */
export function formatOptionLabel(name: string): string {
  return name.replaceAll('_', ' ')
}

/** The choices of a Sync Frequency select, in the order in which they are shown. */
export function syncFrequencyOptions(): { value: number; label: string }[] {
  return Object.entries(SYNC_FREQUENCIES).map(([name, value]) => ({
    value,
    label: formatOptionLabel(name),
  }))
}

/** The avatar's text: the first two letters of the username in upper case. */
export function formatInitials(username: string): string {
  return Array.from(username).slice(0, 2).join('').toUpperCase()
}

/** A file name as shown, without its `connection_{id}_` prefix. */
export function formatFileName(fileName: string): string {
  return fileName.replace(/^connection_\d+_/, '')
}

/** A count with thousands separators: `9,880`. */
export function formatCount(count: number): string {
  return count.toLocaleString(LOCALE)
}

/** A duration in at most two units: `< 0.1 s`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(durationMs, 0) / 1000
  if (seconds < 0.05) return `< ${formatDecimals(0.1, 1, 1)} s`
  if (seconds < 9.95) return `${formatDecimals(seconds, 1, 1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return withRest(`${minutes} min`, whole % 60, 's')
  return withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
}

const withRest = (text: string, rest: number, unit: string) =>
  rest === 0 ? text : `${text} ${rest} ${unit}`

/** The noun for a count: `file` for 1, `files` otherwise. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}

/** `1 file`, `9,880 files`. */
export function formatCountOf(count: number, one: string, many?: string): string {
  return `${formatCount(count)} ${pluralize(count, one, many)}`
}

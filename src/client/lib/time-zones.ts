/** That of the browser. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Those that the browser knows, with the one that is chosen. */
export const listTimeZones = (chosen: string): string[] => [
  ...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')]),
]

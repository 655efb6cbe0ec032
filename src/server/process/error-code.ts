/** The code of an error of the system or of a driver, such as `ENOENT`; empty for any other. */
export function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error
  return isCoded && typeof error.code === 'string' ? error.code : ''
}

import { UNREACHABLE } from './error-message'

/** Thrown instead of the browser's error when the server does not answer. */
export class UnreachableError extends Error {
  constructor() {
    super(UNREACHABLE)
  }
}

const OUTDATED = 'The application has been updated. Reload the page.'

/** Why a part of the application could not be loaded, for its user. */
export const explainCodeError = (error: unknown) =>
  error instanceof UnreachableError ? error.message : OUTDATED

export async function isServerReachable(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store' })
    // The request ends only when its body has been read.
    await response.text()
    return true
  } catch {
    return false
  }
}

/**
 * Loads a part of the application. When the server answers, but no longer has the file, the
 * browser's error is left as it is: a newer version is installed, and the router reloads the page.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    throw (await isServerReachable()) ? error : new UnreachableError()
  }
}

// A reporter of Vitest that keeps the errors that no test caught, of which its JSON reporter says nothing.
import { writeFileSync } from 'node:fs'

/** Writes the errors, as a JSON array of texts, to the file that STRAY_ERRORS_FILE names. */
export default class StrayErrorsReporter {
  /**
   * @param {unknown} _files
   * @param {readonly { message: string, stack?: string, VITEST_TEST_PATH?: string }[]} errors
   */
  onTestRunEnd(_files, errors) {
    const file = process.env.STRAY_ERRORS_FILE
    if (file === undefined) throw new Error('STRAY_ERRORS_FILE is not set')
    writeFileSync(file, JSON.stringify(errors.map(toText)))
  }
}

/** @param {{ message: string, stack?: string, VITEST_TEST_PATH?: string }} error */
function toText({ message, stack, VITEST_TEST_PATH: path }) {
  return `${path ? `while ${path} ran` : 'outside a test'}\n  ${stack ?? message}`
}

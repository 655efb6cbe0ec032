import { formatCountOf } from '../../../shared/format'

/** What was done of a sending, in the order in which it is told. */
export function tellSteps(steps: readonly (string | false)[]): string {
  const done = steps.filter((step) => step !== false)
  const text = `${done.slice(0, -1).join(', ')}${done.length > 1 ? ' and ' : ''}${done.at(-1) ?? ''}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What became of the file of a trial. @param who may not delete it */
export const tellRemoval = (isRemoved: boolean, who: string): string =>
  isRemoved ? 'it was removed again' : `may not be removed by this ${who}: delete it by hand`

/** That the file is at the other side, under its name. */
export const tellArrival = (fileName: string, sizeBytes: number): string =>
  `the server has all ${formatCountOf(sizeBytes, 'byte')} of ${fileName}`

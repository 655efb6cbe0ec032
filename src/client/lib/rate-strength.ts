import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

export type Strength = 'common' | 'weak' | 'fair' | 'good'

/** The rest of a long password is not looked at: that would take a second. */
const MAX_LENGTH = 64

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH })

/** By how many guesses somebody needs who knows common passwords, words, keyboards and dates. */
const OF_SCORE = ['weak', 'weak', 'fair', 'good', 'good'] as const satisfies Strength[]

/**
 * How weak a password is.
 * @param names those of the person, the company and the installation, which somebody else would try
 */
export function rateStrength(
  password: string,
  names: readonly (string | null | undefined)[] = [],
): Strength {
  const { score, sequence } = zxcvbn.check(
    password,
    names.filter((name) => typeof name === 'string'),
  )
  const [first, ...others] = sequence
  const isListed = first?.pattern === 'dictionary' && first.dictionaryName === 'passwords-common'
  return isListed && others.length === 0 ? 'common' : OF_SCORE[score]
}

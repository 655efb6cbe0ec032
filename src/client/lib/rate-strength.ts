import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

export type Strength = 'common' | 'weak' | 'fair' | 'good'

/** The rest of a long password is not looked at: that would take a second. */
const MAX_LENGTH = 64

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH })

/** By how many guesses somebody needs who knows common passwords, words, keyboards and dates. */
const OF_SCORE = ['weak', 'weak', 'fair', 'good', 'good'] as const satisfies Strength[]

/** How weak a password is. */
export function rateStrength(password: string): Strength {
  const { score, sequence } = zxcvbn.check(password)
  const [first, ...others] = sequence
  const isListed = first?.pattern === 'dictionary' && first.dictionaryName === 'passwords-common'
  return isListed && others.length === 0 ? 'common' : OF_SCORE[score]
}

import type { ReadingState } from '../../../shared/constants'

export const READING_WORDS: Record<ReadingState, string> = {
  day: 'Read in the last day',
  behind: 'Behind',
  silent: 'Silent',
  never: 'Never read',
  paused: 'With a paused delivery',
}

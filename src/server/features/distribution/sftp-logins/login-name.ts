import { randomInt } from 'node:crypto'

/** Without those that look alike. */
const CHARACTERS = '23456789abcdefghjkmnpqrstvwxyz'
const RANDOM_LENGTH = 6
const MAX_WORD_LENGTH = 20
const MAX_READ_LENGTH = 200

/** A name that tells people whose login it is, such as `northbeck-4f7k2m`. */
export function makeLoginName(of: string): string {
  const words =
    of
      .slice(0, MAX_READ_LENGTH)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const word = words.join('-').slice(0, MAX_WORD_LENGTH).replace(/-$/, '')
  const end = Array.from({ length: RANDOM_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)])
  return `${word === '' ? 'login' : word}-${end.join('')}`
}

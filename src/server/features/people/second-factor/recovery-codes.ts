import { randomBytes } from 'node:crypto'

import { hashSecretToken } from '../../../domain/secret-token'

const COUNT = 10
/** 120 bits of a code, so many that a fast hash of it is enough. */
const LENGTH = 24
const GROUP = 4
/** 32 characters, of which none is taken for another one. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** New codes, such as `ab3d-k7mn-pq2r-xyz9-4hcw-t6ve`. */
export const createRecoveryCodes = (): string[] => Array.from({ length: COUNT }, createCode)

function createCode(): string {
  const characters = [...randomBytes(LENGTH)].map((byte) => CHARACTERS[byte % CHARACTERS.length])
  return Array.from({ length: LENGTH / GROUP }, (_, group) =>
    characters.slice(group * GROUP, (group + 1) * GROUP).join(''),
  ).join('-')
}

/** What is stored of a code. */
export const hashRecoveryCode = (code: string): string => hashSecretToken(bareCode(code))

/** A code as it is compared: people leave hyphens out, and phones begin with a capital. */
export const bareCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

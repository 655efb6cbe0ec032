import { z } from 'zod'

import { URL_MAX_LENGTH } from '../../shared/constants'
import { emailSchema, nameSchema } from '../../shared/schemas/primitives'
import { DomainError } from '../domain/errors'
import type { Identity } from './identity-provider'

/** Some issuers send booleans as strings. */
const isTrue = (value: unknown) => value === true || value === 'true'

const nameClaim = nameSchema('Name').nullable().catch(null)
const pictureClaim = z
  .string()
  .max(URL_MAX_LENGTH)
  .pipe(z.url({ protocol: /^https$/ }))
  .nullable()
  .catch(null)

/**
 * Reads a person from a provider's claims. An invalid name or picture becomes null.
 * @throws DomainError FORBIDDEN without an email address that the provider has verified
 */
export function readIdentity(
  claims: Record<string, unknown>,
): Pick<Identity, 'email' | 'name' | 'pictureUrl'> {
  const email = emailSchema.safeParse(claims.email)
  if (!email.success) {
    throw new DomainError('FORBIDDEN', 'The identity provider did not share an email address.')
  }
  if (!isTrue(claims.email_verified)) {
    throw new DomainError(
      'FORBIDDEN',
      'Your email address is not verified at the identity provider.',
    )
  }
  return {
    email: email.data,
    name: nameClaim.parse(claims.name),
    pictureUrl: pictureClaim.parse(claims.picture),
  }
}

import { z } from 'zod'

import { URL_MAX_LENGTH } from '../../shared/constants'
import { emailSchema, nameSchema } from '../../shared/schemas/primitives'
import { DomainError } from '../domain/errors'
import type { Identity } from './identity-provider'

/** Some issuers write booleans as text. */
const isTrue = (value: unknown) => value === true || value === 'true'

const nameClaim = nameSchema('Name').nullable().catch(null)
const pictureClaim = z
  .string()
  .max(URL_MAX_LENGTH)
  .pipe(z.url({ protocol: /^https$/ }))
  .nullable()
  .catch(null)

/**
 * The person in a provider's claims. A name or picture that cannot be used is left out.
 * @throws DomainError FORBIDDEN without an address that the provider has verified
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

import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'

import type { MadePasskey, PasskeyAnswer } from '../../shared/schemas/passkey'

type Setup = Parameters<typeof startRegistration>[0]['optionsJSON']
type Question = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** None are asked for. */
const NO_EXTENSIONS = { clientExtensionResults: {} }

/** Has the browser make a passkey. @throws Error that says why it has not, for its user */
export async function makePasskey(setup: Setup): Promise<MadePasskey> {
  try {
    return { ...(await startRegistration({ optionsJSON: setup })), ...NO_EXTENSIONS }
  } catch (error) {
    throw explain(error)
  }
}

/** Has the browser ask for a passkey. @throws Error that says why none has answered, for its user */
export async function askPasskey(question: Question): Promise<PasskeyAnswer> {
  try {
    return { ...(await startAuthentication({ optionsJSON: question })), ...NO_EXTENSIONS }
  } catch (error) {
    throw explain(error)
  }
}

/** Another question has taken the place of this one, so nothing has to be said. */
export class PasskeyQuestionReplaced extends Error {}

/** By the names that browsers give their errors. */
const REASONS: Record<string, string> = {
  NotAllowedError: 'No passkey was used. It was called off, or took too long.',
  InvalidStateError: 'This device has a passkey of yours already',
  ConstraintError: 'This device cannot check who is there, which a passkey needs',
  SecurityError: 'Passkeys do not work at this address',
}

function explain(error: unknown): Error {
  if (error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED') {
    return new PasskeyQuestionReplaced()
  }
  const name = error instanceof Error ? error.name : ''
  return new Error(REASONS[name] ?? 'The browser could not use a passkey', { cause: error })
}

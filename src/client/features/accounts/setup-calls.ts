import type { SetupInput } from '../../../shared/schemas/setup'
import { FileRequestError } from '../../lib/check-file'
import { UnreachableError } from '../../lib/error-message'

/** Not by procedures: the product that has them is not there yet. */
async function call(path: string, body?: object): Promise<void> {
  const response = await fetch(path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new UnreachableError()
  })
  if (response.ok) return
  const answer = (await response.json().catch(() => ({}))) as { message?: string }
  throw new FileRequestError(response.status, answer.message)
}

/** @throws FileRequestError with status 404 once there is an administrator */
export const findSetup = () => call('/api/setup')

/** @throws FileRequestError with the server's message for another token */
export const checkToken = (token: string) => call('/api/setup/check', { token })

/** @throws FileRequestError with the server's message */
export const setUp = (input: SetupInput) => call('/api/setup', input)
